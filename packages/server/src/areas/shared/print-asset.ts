import type { AssetBody } from '@tripline/contract/console/enrichment/asset'
import { getDueAt, getRiskAction, listBlindSpots } from '@tripline/model/assets/exposure'
import { getRiskLevel, isScanStale } from '@tripline/model/enrichment/asset'
import type { AssetWithAlerts } from '@tripline/state/ports/assets/asset-store'
import { formatTimestamp } from '../../http/format-timestamp.ts'

/** Prints an asset as the console shows it. */
export function printAsset(asset: AssetWithAlerts, now: number): AssetBody {
  const { id, hostname, type, os, criticality, owner, riskScore, vulnerabilities, openAlertCount } = asset
  return {
    id,
    hostname,
    ip_addresses: [...asset.ipAddresses],
    mac_addresses: [...asset.macAddresses],
    type,
    os,
    os_family: asset.osFamily,
    criticality,
    owner,
    tags: [...asset.tags],
    risk_score: riskScore,
    risk_level: getRiskLevel(riskScore),
    vulnerabilities,
    open_alerts: openAlertCount,
    last_seen: formatTimestamp(asset.lastSeenAt),
    last_scan_at: formatTimestamp(asset.lastScanAt),
    scan_stale: isScanStale(asset, now),
    risk_action: getRiskAction(riskScore),
    due_at: formatTimestamp(getDueAt(asset)),
    findings_due_at: formatTimestamp(asset.findingsDueAt),
    first_seen: formatTimestamp(asset.firstSeenAt),
    last_log_at: formatTimestamp(asset.lastLogAt),
    blind_spots: [...listBlindSpots(asset, now)],
    sources: [...asset.sources],
  }
}
