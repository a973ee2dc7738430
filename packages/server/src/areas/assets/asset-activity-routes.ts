import { normalizeAddress } from '@tripline/common/address'
import { normalizeHostName } from '@tripline/common/domain-name'
import {
  assetAlertsQuerySchema, assetAlertsSchema, assetBindingsSchema, assetMergeSchema, assetRisksQuerySchema, assetRisksSchema,
  assetSplitSchema, assetTimelineQuerySchema, assetTimelineSchema,
} from '@tripline/contract/console/enrichment/asset-activity'
import type { AssetBindingsBody, AssetTimelineBody } from '@tripline/contract/console/enrichment/asset-activity'
import { assetSchema } from '@tripline/contract/console/enrichment/asset'
import type { ActivityEntry, AssetBinding } from '@tripline/model/assets/asset-history'
import { getRiskLevel, normalizeMacAddress } from '@tripline/model/enrichment/asset'
import type { AssetWithAlerts } from '@tripline/state/ports/assets/asset-store'
import { readIfMatch } from '../../http/etag.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { printAlert } from '../shared/print-alert.ts'
import { printAsset } from '../shared/print-asset.ts'
import type { ReadSlaTerms } from '../shared/sla.ts'
import { getAssetBindings, getAssetRisks, listAssetAlerts, listAssetTimeline, joinAssets, separateAsset } from './asset-activity.ts'
import type { AssetActivityDeps } from './asset-activity.ts'

const path = '/v1/assets/:id'

type ReadingDeps = ListRouteDeps & { readonly readSla: ReadSlaTerms }

/** Routes for what happened to an asset, and for what people say of which machine it is. */
export function assetActivityRoutes(deps: AssetActivityDeps & ReadingDeps): Route[] {
  return [...readingRoutes(deps), ...identityRoutes(deps)]
}

function readingRoutes(deps: AssetActivityDeps & ReadingDeps): Route[] {
  return [
    listRoute(deps, {
      path: `${path}/timeline`, access: 'read', summary: 'Lists what happened to an asset', name: 'timeline', isRecorded: true,
      list: lists.assetTimeline, query: assetTimelineQuerySchema, response: assetTimelineSchema,
      toWhere: ({ from, to, kind }, c) => [
        ...toRangeFilter(c, 'at', { from, to }), ...(kind === undefined ? [] : [{ field: 'kind', operator: 'in', value: kind } as const]),
      ],
      readPage: async (c, request) => {
        const { query: { from, to } } = readQuery(c, assetTimelineQuerySchema)
        const interval = { id: readIdParam(c), from, to }
        const { entries, ...page } = await listAssetTimeline(deps, getPrincipal(c).tenant, interval, request)
        return { ...page, entries: entries.map(printActivity) }
      },
      printRest: printAssetId,
    }),
    listRoute(deps, {
      path: `${path}/alerts`, access: 'read', summary: 'Lists the alerts of an asset', name: 'alerts', isRecorded: true,
      list: lists.alerts, query: assetAlertsQuerySchema, response: assetAlertsSchema,
      toWhere: ({ from, to }, c) => toRangeFilter(c, 'created_at', { from, to }),
      readPage: async (c, request) => {
        const { tenant } = getPrincipal(c)
        const { entries, ...page } = await listAssetAlerts(deps, tenant, readIdParam(c), request)
        const terms = await deps.readSla(tenant)
        return { ...page, entries: entries.map((alert) => printAlert(alert, terms)) }
      },
      printRest: printAssetId,
    }),
    {
      method: 'GET', path: `${path}/bindings`, access: 'read', summary: 'Returns the addresses, names and users of an asset over time',
      responses: { 200: assetBindingsSchema },
      handle: async (c) => {
        const bindings = await getAssetBindings(deps, getPrincipal(c).tenant, readIdParam(c))
        return respond(c, { ...printAssetId(c), bindings: bindings.map(printBinding) })
      },
    },
    {
      method: 'GET', path: `${path}/risks`, access: 'read', summary: 'Returns the risk score of an asset over time',
      query: assetRisksQuerySchema, responses: { 200: assetRisksSchema },
      handle: async (c) => {
        const { query } = readQuery(c, assetRisksQuerySchema)
        const risks = await getAssetRisks(deps, getPrincipal(c).tenant, { ...query, id: readIdParam(c) })
        return respond(c, {
          ...printAssetId(c), risks: risks.map(({ at, score }) => ({ at: formatTimestamp(at), score, level: getRiskLevel(score) })),
        })
      },
    },
  ]
}

function identityRoutes(deps: AssetActivityDeps): Route[] {
  const changing = { access: 'edit_connectors', checksVersion: true, isIdempotent: true, headers: ['ETag'] } as const
  const respondWithAsset = (c: RequestContext, asset: AssetWithAlerts, status?: 201): Response =>
    respondWithEtag(c, printAsset(asset, deps.clock.now()), asset.version, status)
  return [
    {
      ...changing, method: 'POST', path: `${path}/merge`, summary: 'Merges other assets into one', body: assetMergeSchema,
      responses: { 200: assetSchema },
      handle: async (c) => {
        const { asset_ids: otherIds } = await readJson(c, assetMergeSchema)
        return respondWithAsset(c, await joinAssets(deps, getPrincipal(c), { ...readTarget(c), otherIds }))
      },
    },
    {
      ...changing, method: 'POST', path: `${path}/split`, summary: 'Splits a name or addresses of an asset off as a new one',
      body: assetSplitSchema, headers: ['ETag', 'Location'], errors: ['CONFLICT'], responses: { 201: assetSchema },
      handle: async (c) => {
        const { hostname = '', ip_addresses: ips = [], mac_addresses: macs = [] } = await readJson(c, assetSplitSchema)
        const part = {
          // What cannot be normalized is nothing that an asset has, and is refused as such.
          hostname: normalizeHostName(hostname) ?? hostname,
          ipAddresses: ips.map((text) => normalizeAddress(text) ?? text),
          macAddresses: macs.map((text) => normalizeMacAddress(text) ?? text),
        }
        const asset = await separateAsset(deps, getPrincipal(c), { ...readTarget(c), part })
        c.header('Location', `/v1/assets/${asset.id}`)
        return respondWithAsset(c, asset, 201)
      },
    },
  ]
}

function readTarget(c: RequestContext) {
  return { id: readIdParam(c), versions: readIfMatch(c) }
}

function printAssetId(c: RequestContext): { readonly asset_id: string } {
  return { asset_id: readIdParam(c) }
}

function printActivity({ at, kind, title, severity, ref, count }: ActivityEntry): AssetTimelineBody['timeline'][number] {
  return { at: formatTimestamp(at), kind, title, severity: severity === '' ? null : severity, ref: ref === '' ? null : ref, count }
}

function printBinding({ kind, value, source, firstSeenAt, lastSeenAt, seenCount }: AssetBinding): AssetBindingsBody['bindings'][number] {
  return { kind, value, source, first_seen: formatTimestamp(firstSeenAt), last_seen: formatTimestamp(lastSeenAt), count: seenCount }
}
