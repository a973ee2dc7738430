import { normalizeAddress } from '@tripline/common/address'
import { assetImport, assetImportReport, assetParameters, publicAsset } from '@tripline/contract/public/asset'
import type { PublicAsset } from '@tripline/contract/public/asset'
import { getRiskLevel, isScanStale } from '@tripline/model/enrichment/asset'
import { isAnyOf, publicList } from '../../http/public/public-list.ts'
import { one, publicRoute } from '../../http/public/public-route.ts'
import type { PublicRoute } from '../../http/public/public-route.ts'
import { assetKind } from './assets.ts'
import type { AssetWithAlerts } from './assets.ts'
import { AppError } from '@tripline/contract/app-error'
import { assetRows } from '../../ingestion/imports/asset-row.ts'
import { getRecord, importRecords, listRecords } from './enrichment-records.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'

const path = '/assets'
const resource = 'assets'

/** Assets in the public API, those at most risk first. */
export function publicAssetRoutes(deps: EnrichmentRouteDeps): PublicRoute[] {
  return [
    publicList({
      path, resource, permission: 'read', summary: 'Lists assets', parameters: assetParameters, entry: publicAsset,
      sorting: {
        sort: {
          hostname: 'hostname', risk_score: 'risk_score', last_seen: 'last_seen', criticality: 'criticality', open_alerts: 'open_alerts',
        },
        sortDefault: { field: 'risk_score', direction: 'desc' },
      },
      toWhere: ({ type, search }) => [...isAnyOf('type', type), ...isAnyOf('ip', toAddresses(search))],
      // A whole address is looked up; the text of any other search is a part of a name or address.
      toText: ({ search }) => (toAddresses(search) === undefined ? search : undefined),
      readPage: async ({ tenant }, request) => {
        const { entries, ...page } = await listRecords(deps, assetKind, tenant, request)
        return { ...page, entries: entries.map((asset) => toPublicAsset(asset, deps.clock.now())) }
      },
    }),
    publicRoute({
      method: 'POST', path: `${path}/import`, resource, permission: 'import_assets', summary: 'Creates or changes assets',
      body: assetImport, response: one(assetImportReport), isIdempotent: true,
      handle: async ({ caller, body: { assets } }) => {
        const { rowCount, created, changed, unchanged, rejectedCount, problems } =
          await importRecords(deps, assetKind, caller, readRows(assets))
        return {
          body: {
            rows: rowCount, created, changed, unchanged, rejected: rejectedCount,
            errors: problems.map(({ line, problem }) => ({ line, message: problem })), errors_truncated: problems.length < rejectedCount,
          },
        }
      },
    }),
    publicRoute({
      method: 'GET', path: `${path}/:id`, resource, permission: 'read', summary: 'Returns an asset', response: one(publicAsset),
      hasVersion: true,
      handle: async ({ caller: { tenant }, id }) => {
        const asset = await getRecord(deps, assetKind, tenant, id)
        return { body: toPublicAsset(asset, deps.clock.now()), version: asset.version }
      },
    }),
  ]
}

/** The facts of rows; a row that cannot be read is a problem, and the others are taken. */
async function* readRows(rows: readonly Parameters<typeof assetRows.parseFacts>[0][]) {
  for (const [index, row] of rows.entries()) {
    const line = index + 1
    try {
      yield { line, facts: assetRows.parseFacts(row) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      yield { line, problem: error.message }
    }
  }
}

function toAddresses(search: string | undefined): readonly string[] | undefined {
  const address = search === undefined ? undefined : normalizeAddress(search)
  return address === undefined ? undefined : [address]
}

function toPublicAsset(asset: AssetWithAlerts, now: number): PublicAsset {
  const { id, hostname, type, os, criticality, owner, tags, riskScore, vulnerabilities, sources } = asset
  return {
    id, hostname, type, os, criticality, owner, tags, vulnerabilities, sources,
    ip_addresses: asset.ipAddresses,
    mac_addresses: asset.macAddresses,
    os_family: asset.osFamily,
    risk_score: riskScore,
    risk_level: getRiskLevel(riskScore),
    open_alerts: asset.openAlertCount,
    last_seen: asset.lastSeenAt ?? null,
    last_scan_at: asset.lastScanAt ?? null,
    scan_stale: isScanStale(asset, now),
  }
}
