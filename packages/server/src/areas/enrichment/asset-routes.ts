import { normalizeAddress } from '@tripline/common/address'
import { assetChangeSchema, assetListQuerySchema, assetListSchema, assetSchema } from '@tripline/contract/console/asset'
import type { AssetBody, AssetListQuery } from '@tripline/contract/console/asset'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { lists } from '../../http/lists/list-definition.ts'
import type { Route } from '../../http/route.ts'
import { invalidParameter } from '../../http/validate.ts'
import { parseAssetFacts, assetRows } from '../../ingestion/imports/asset-row.ts'
import { isScanStale, getRiskLevel } from '../../model/enrichment/asset.ts'
import { assetKind, assetSortFields } from './assets.ts'
import type { AssetQuery, AssetWithAlerts } from './assets.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps, ListParams } from './enrichment-routes.ts'

/** Routes for the assets of a tenant; sorted by risk by default. */
export function assetRoutes(app: EnrichmentRouteDeps): Route[] {
  return enrichmentRoutes(app, {
    kind: assetKind,
    path: '/v1/assets',
    names: { many: 'assets', one: 'an asset', list: 'assets' },
    schemas: { entry: assetSchema, list: assetListSchema, query: assetListQuerySchema, change: assetChangeSchema },
    sortFields: assetSortFields,
    definition: lists.assets,
    toQuery: toAssetQuery,
    print: printAsset,
    toChange: parseAssetFacts,
    rows: assetRows,
  })
}

function toAssetQuery(query: AssetListQuery, { page }: ListParams<(typeof assetSortFields)[number]>): AssetQuery {
  return {
    filter: {
      types: query.type,
      oses: query.os,
      criticalities: query.criticality,
      tags: query.tag,
      riskLevels: query.risk_level,
      addresses: query.ip?.map((text) => normalizeAddress(text) ?? rejectAddress(text)),
      isExploitable: query.exploitable,
      lastSeen: { from: query.last_seen_from, to: query.last_seen_to },
      lastScan: { from: query.last_scan_from, to: query.last_scan_to },
    },
    ...page,
  }
}

function rejectAddress(text: string): never {
  throw invalidParameter('ip', text, { reason: 'it is not an IP address' })
}

function printAsset(asset: AssetWithAlerts, now: number): AssetBody {
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
    sources: [...asset.sources],
  }
}
