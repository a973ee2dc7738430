import type { App } from '../../app/app.ts'
import { assetKind, assetSortFields } from '../../app/assets.ts'
import type { AssetQuery, AssetWithAlerts } from '../../app/assets.ts'
import { assetChangeSchema, assetListQuerySchema, assetListSchema, assetSchema } from '../../contract/asset.ts'
import type { AssetBody, AssetListQuery } from '../../contract/asset.ts'
import { normalizeAddress } from '../../domain/address.ts'
import { isScanStale, riskLevelOf } from '../../domain/asset.ts'
import { assetFactsOf, assetRows } from '../../imports/asset-row.ts'
import type { Io } from '../../runtime.ts'
import { printInstant } from '../format-timestamp.ts'
import { lists } from '../lists/list-definition.ts'
import type { Route } from '../route.ts'
import { invalidParameter } from '../validate.ts'
import { knownRoutes } from './enrichment-routes.ts'
import type { ListTerms } from './enrichment-routes.ts'

/** The assets of a tenant (D-64), those most at risk first where nobody asks for another order (D-64b). */
export function assetRoutes(app: App, io: Pick<Io, 'elapsedMs'>): Route[] {
  return knownRoutes(app, io, {
    kind: assetKind,
    path: '/v1/assets',
    names: { many: 'assets', one: 'an asset', list: 'assets' },
    schemas: { entry: assetSchema, list: assetListSchema, query: assetListQuerySchema, change: assetChangeSchema },
    sortFields: assetSortFields,
    definition: lists.assets,
    queryOf,
    print: printAsset,
    changeOf: assetFactsOf,
    rows: assetRows,
  })
}

function queryOf(query: AssetListQuery, { page }: ListTerms<(typeof assetSortFields)[number]>): AssetQuery {
  return {
    filter: {
      types: query.type,
      oses: query.os,
      criticalities: query.criticality,
      tags: query.tag,
      riskLevels: query.risk_level,
      addresses: query.ip?.map((text) => normalizeAddress(text) ?? refuse(text)),
      isExploitable: query.exploitable,
      lastSeen: { from: query.last_seen_from, to: query.last_seen_to },
      lastScan: { from: query.last_scan_from, to: query.last_scan_to },
    },
    ...page,
  }
}

function refuse(text: string): never {
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
    risk_level: riskLevelOf(riskScore),
    vulnerabilities,
    open_alerts: openAlertCount,
    last_seen: printInstant(asset.lastSeenAt),
    last_scan_at: printInstant(asset.lastScanAt),
    scan_stale: isScanStale(asset, now),
    sources: [...asset.sources],
  }
}
