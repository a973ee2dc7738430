import { criticalities } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import { parseTextList } from './stored-list.ts'
import type { AssetRow } from './enrichment-tables.ts'

/** Parses the row of an asset. */
export function parseAssetRow(row: AssetRow): Asset {
  const { id, hostname, type, os, osFamily, owner, riskScore, version, editedVersion, createdAt, updatedAt } = row
  const { criticalCount: critical, highCount: high, mediumCount: medium, lowCount: low, exploitableCount: exploitable } = row
  return {
    id, hostname, ipAddresses: parseTextList(row.ipAddresses), macAddresses: parseTextList(row.macAddresses), type, os, osFamily,
    criticality: criticalities[row.criticality] ?? 'unknown', owner, tags: parseTextList(row.tags), riskScore,
    vulnerabilities: { critical, high, medium, low, exploitable }, lastSeenAt: parseStoredInstant(row.lastSeenAt),
    lastScanAt: parseStoredInstant(row.lastScanAt), firstSeenAt: parseStoredInstant(row.firstSeenAt),
    lastLogAt: parseStoredInstant(row.lastLogAt), sources: parseTextList(row.sources), version, editedVersion, createdAt, updatedAt,
  }
}

export function toAssetRow(tenant: string, naturalKey: string, asset: Asset): AssetRow {
  const { ipAddresses, macAddresses, criticality, tags, vulnerabilities, lastSeenAt, lastScanAt, sources, ...rest } = asset
  const { firstSeenAt, lastLogAt } = asset
  const { critical, high, medium, low, exploitable } = vulnerabilities
  return {
    ...rest,
    tenantId: tenant,
    naturalKey,
    ipAddresses: JSON.stringify(ipAddresses),
    macAddresses: JSON.stringify(macAddresses),
    criticality: criticalities.indexOf(criticality),
    tags: JSON.stringify(tags),
    criticalCount: critical,
    highCount: high,
    mediumCount: medium,
    lowCount: low,
    exploitableCount: exploitable,
    lastSeenAt: lastSeenAt ?? 0,
    lastScanAt: lastScanAt ?? 0,
    firstSeenAt: firstSeenAt ?? 0,
    lastLogAt: lastLogAt ?? 0,
    isInferred: Number(isInferred(sources)),
    sources: JSON.stringify(sources),
  }
}

/** Unknown instants are 0 in a row. */
export function parseStoredInstant(column: number): number | undefined {
  return column === 0 ? undefined : column
}

/** Whether only events tell of an asset. */
function isInferred(sources: readonly string[]): boolean {
  return sources.length > 0 && sources.every((source) => source === 'events' || source === 'dhcp')
}
