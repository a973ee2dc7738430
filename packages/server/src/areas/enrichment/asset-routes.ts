import { normalizeAddress } from '@tripline/common/address'
import { assetChangeSchema, assetListQuerySchema, assetListSchema, assetSchema } from '@tripline/contract/console/asset'
import type { AssetBody, AssetListQuery } from '@tripline/contract/console/asset'
import { isScanStale, getRiskLevel } from '@tripline/model/enrichment/asset'
import { foldCase } from '@tripline/model/lists/evaluate-filter'
import type { Filter, FilterValue } from '@tripline/model/lists/filter'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { invalidParameter } from '../../http/validate.ts'
import { parseAssetFacts, assetRows } from '../../ingestion/imports/asset-row.ts'
import { openImportFile } from '../../ingestion/imports/open-import-file.ts'
import { assetKind } from './assets.ts'
import type { AssetWithAlerts } from './assets.ts'
import { listRecords } from './enrichment-records.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'

const path = '/v1/assets'

/** Routes for the assets of a tenant; sorted by risk by default. */
export function assetRoutes(app: EnrichmentRouteDeps): Route[] {
  return enrichmentRoutes(app, {
    kind: assetKind, path, names: { many: 'assets', one: 'an asset' }, print: printAsset,
    schemas: { entry: assetSchema, change: assetChangeSchema, row: assetRows.schema },
    listRoute: listRoute(app, {
      path, access: 'read', summary: 'Lists assets', name: 'assets', isRecorded: true,
      list: lists.assets, query: assetListQuerySchema, response: assetListSchema, toWhere: toAssetFilters,
      readPage: async (c, request) => {
        const { entries, ...page } = await listRecords(app, assetKind, getPrincipal(c).tenant, request)
        const now = app.clock.now()
        return { ...page, entries: entries.map((asset) => printAsset(asset, now)) }
      },
    }),
    readChange: async (c) => parseAssetFacts(await readJson(c, assetChangeSchema)),
    openFile: (bytes, format) => openImportFile(bytes, format, assetRows),
  })
}

function toAssetFilters(query: AssetListQuery): readonly Filter[] {
  const isAny = (field: string, values: readonly FilterValue[] | undefined): readonly Filter[] =>
    values === undefined ? [] : [{ field, operator: 'in', value: values }]
  const systems = query.os?.map(foldCase)
  return [
    ...isAny('type', query.type),
    ...(systems === undefined ? [] : [{ or: [...isAny('os_folded', systems), ...isAny('os_family_folded', systems)] }]),
    ...isAny('criticality', query.criticality),
    ...isAny('tag', query.tag),
    ...isAny('risk_level', query.risk_level),
    ...isAny('ip', query.ip?.map((text) => normalizeAddress(text) ?? rejectAddress(text))),
    ...isAny('exploitable', query.exploitable === undefined ? undefined : [Number(query.exploitable)]),
    ...isWithin('last_seen', query.last_seen_from, query.last_seen_to),
    ...isWithin('last_scan_at', query.last_scan_from, query.last_scan_to),
  ]
}

/** An interval, from inclusive to exclusive; an instant that is not known, which is 0, is in none. */
function isWithin(field: string, from: number | undefined, to: number | undefined): readonly Filter[] {
  if (from === undefined && to === undefined) return []
  const end = to === undefined ? [] : [{ field, operator: 'lt', value: to } as const]
  return [{ field, operator: 'gte', value: Math.max(from ?? 1, 1) }, ...end]
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
