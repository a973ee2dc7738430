import { normalizeAddress } from '@tripline/common/address'
import { AppError } from '@tripline/contract/app-error'
import {
  assetChangeSchema, assetListQuerySchema, assetListSchema, assetPatchSchema, assetSchema,
} from '@tripline/contract/console/enrichment/asset'
import type { AssetListQuery } from '@tripline/contract/console/enrichment/asset'
import { blindSpotMs } from '@tripline/model/assets/exposure'
import type { BlindSpot } from '@tripline/model/assets/exposure'
import { foldCase } from '@tripline/model/lists/evaluate-filter'
import type { Filter, FilterValue } from '@tripline/model/lists/filter'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListParameters } from '../../http/lists/list-route.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { invalidParameter } from '../../http/validate.ts'
import { parseAssetFacts, assetRows } from '../../ingestion/imports/asset-row.ts'
import { openImportFile } from '../../ingestion/imports/open-import-file.ts'
import { printAsset } from '../shared/print-asset.ts'
import { assetKind } from './assets.ts'
import { changeRecord, listRecords } from './enrichment-records.ts'
import { enrichmentRoutes } from './enrichment-routes.ts'
import type { EnrichmentRouteDeps } from './enrichment-routes.ts'

const path = '/v1/assets'

/** Changes what people say of an asset, and leaves what its sources tell. */
function patchRoute(deps: EnrichmentRouteDeps): Route {
  return {
    method: 'PATCH', path: `${path}/:id`, access: 'edit_connectors', summary: 'Updates owner, criticality and tags of an asset',
    body: assetPatchSchema, checksVersion: true, headers: ['ETag'], errors: ['CONFLICT'], responses: { 200: assetSchema },
    handle: async (c) => {
      const change = parseAssetFacts(await readJson(c, assetPatchSchema))
      if (Object.keys(change).length === 0) throw new AppError('INVALID_BODY', 'the body must contain at least one change')
      const asset = await changeRecord(deps, assetKind, getPrincipal(c), { id: readIdParam(c), change, versions: readIfMatch(c) })
      return respondWithEtag(c, printAsset(asset, deps.clock.now()), asset.version)
    },
  }
}

/** Routes for the assets of a tenant; sorted by risk by default. */
export function assetRoutes(deps: EnrichmentRouteDeps): Route[] {
  return [patchRoute(deps), ...enrichmentRoutes(deps, {
    kind: assetKind, path, names: { many: 'assets', one: 'an asset' }, print: printAsset,
    schemas: { entry: assetSchema, change: assetChangeSchema, row: assetRows.schema },
    listRoute: listRoute(deps, {
      path, access: 'read', summary: 'Lists assets', name: 'assets', isRecorded: true,
      list: lists.assets, ...createAssetListParameters(deps), response: assetListSchema,
      readPage: async (c, request) => {
        const { entries, ...page } = await listRecords(deps, assetKind, getPrincipal(c).tenant, request)
        const now = deps.clock.now()
        return { ...page, entries: entries.map((asset) => printAsset(asset, now)) }
      },
    }),
    readChange: async (c) => parseAssetFacts(await readJson(c, assetChangeSchema)),
    openFile: (bytes, format) => openImportFile(bytes, format, assetRows),
  })]
}

/** The parameters of the list of assets, some of which are relative to the present. */
export function createAssetListParameters(
  { clock }: Pick<EnrichmentRouteDeps, 'clock'>,
): ListParameters<typeof assetListQuerySchema> {
  return { query: assetListQuerySchema, toWhere: (query) => toAssetFilters(query, clock.now()) }
}

function toAssetFilters(query: AssetListQuery, now: number): readonly Filter[] {
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
    ...(query.overdue === undefined ? [] : [query.overdue ? isOverdue(now) : { not: isOverdue(now) }]),
    ...(query.blind_spot === undefined ? [] : [{ or: query.blind_spot.map((kind) => isBlindSpot(kind, now)) }]),
    ...isWithin('last_seen', query.last_seen_from, query.last_seen_to),
    ...isWithin('last_scan_at', query.last_scan_from, query.last_scan_to),
  ]
}

const blindSpotFields = { no_logs: 'last_log_at', no_scan: 'last_scan_at' } as const

/** An instant that is not known is 0, and long ago. */
function isBlindSpot(kind: BlindSpot, now: number): Filter {
  return { field: blindSpotFields[kind], operator: 'lt', value: now - blindSpotMs[kind] }
}

/** Has an open finding whose date has passed; without any that has a date it is 0. */
function isOverdue(now: number): Filter {
  return { field: 'findings_due_at', operator: 'between', value: [1, now - 1] }
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
