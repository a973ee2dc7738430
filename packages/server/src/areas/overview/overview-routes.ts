import { overviewQuerySchema, overviewSchema } from '@tripline/contract/console/overview'
import { invalidParameter, readQuery } from '../../http/validate.ts'
import { toRangeFilter } from '../../http/lists/read-list.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { limits } from '../../limits.ts'
import { getOverview } from '../../overview/overview.ts'
import type { OverviewDeps } from '../../overview/overview.ts'
import { printTenantOverview } from './overview-view.ts'

/** The route for the overview of a tenant, which every role may read. */
export function overviewRoutes(deps: OverviewDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/overview', access: 'read',
    summary: 'Returns alerts, incidents, ingestion, detections and answers of a period, each with the period before',
    query: overviewQuerySchema, errors: ['INVALID_PARAMETER'], responses: { 200: overviewSchema }, handle: (c) => handleOverview(deps, c),
  }]
}

async function handleOverview(deps: OverviewDeps, c: RequestContext): Promise<Response> {
  const { query, warnings } = readQuery(c, overviewQuerySchema)
  const { rangeDefaultMs, rangeMaxMs } = limits.overview
  const to = query.to ?? Math.max(deps.clock.now(), query.from ?? 0) + 1
  const from = query.from ?? to - rangeDefaultMs
  toRangeFilter(c, 'at', { from, to })
  if (to - from > rangeMaxMs) throw invalidParameter('from', c.req.query('from') ?? '', { reason: 'a range spans at most 92 days' })
  return respond(c, { ...printTenantOverview(await getOverview(deps, getPrincipal(c).tenant, { from, to })), query_warnings: warnings })
}
