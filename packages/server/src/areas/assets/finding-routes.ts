import {
  assetFindingsSchema, findingListQuerySchema, findingListSchema,
} from '@tripline/contract/console/enrichment/asset-activity'
import type { FindingBody, FindingListQuery } from '@tripline/contract/console/enrichment/asset-activity'
import type { Filter } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'
import type { NamedFinding } from '@tripline/state/ports/assets/finding-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { requireFound } from '@tripline/state/ports/version-conflict'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { lists } from '../../http/lists/list-definition.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'
import { listRoute } from '../../http/lists/list-route.ts'
import type { ListRouteDeps } from '../../http/lists/list-route.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'

type FindingDeps = CursorDeps & { readonly state: Pick<StateStore, 'assets' | 'findings'> }

/** Routes for the vulnerabilities of assets, worst first by default. */
export function findingRoutes(deps: FindingDeps & ListRouteDeps): Route[] {
  const shared = {
    access: 'read', name: 'findings', list: lists.findings, query: findingListQuerySchema,
    toWhere: (query: FindingListQuery) => toFindingFilters(query, deps.clock.now()),
  } as const
  const print = ({ entries, ...page }: ListPage<NamedFinding>) => {
    return { ...page, entries: entries.map((entry) => printFinding(entry, deps.clock.now())) }
  }
  return [
    listRoute(deps, {
      ...shared, path: '/v1/findings', summary: 'Lists vulnerabilities of assets', isRecorded: true, response: findingListSchema,
      readPage: async (c, request) => print(await listFindings(deps, getPrincipal(c).tenant, request)),
    }),
    listRoute(deps, {
      ...shared, path: '/v1/assets/:id/findings', summary: 'Lists the vulnerabilities of an asset', isRecorded: true,
      response: assetFindingsSchema,
      readPage: async (c, request) => print(await listFindingsOfAsset(deps, getPrincipal(c).tenant, readIdParam(c), request)),
      printRest: (c) => ({ asset_id: readIdParam(c) }),
    }),
  ]
}

async function listFindings(deps: FindingDeps, tenant: TenantId, request: ListRequest): Promise<ListPage<NamedFinding>> {
  return await readListPage(deps, { tenant, endpoint: 'findings' }, request, deps.state.findings)
}

/** @throws AppError NOT_FOUND. */
async function listFindingsOfAsset(deps: FindingDeps, tenant: TenantId, id: string, request: ListRequest): Promise<ListPage<NamedFinding>> {
  requireFound(await deps.state.assets.get(tenant, id), 'asset')
  const where = [...request.where, { field: 'asset_id', operator: 'eq', value: id } as const]
  return await readListPage(deps, { tenant, endpoint: `findings of asset ${id}` }, { ...request, where }, deps.state.findings)
}

function toFindingFilters({ severity, status, exploitable, overdue }: FindingListQuery, now: number): readonly Filter[] {
  const late: Filter = { and: [
    { field: 'status', operator: 'eq', value: 'open' }, { field: 'due_at', operator: 'gte', value: 1 },
    { field: 'due_at', operator: 'lt', value: now },
  ] }
  return [
    ...(severity === undefined ? [] : [{ field: 'severity', operator: 'in', value: severity } as const]),
    ...(status === undefined ? [] : [{ field: 'status', operator: 'in', value: status } as const]),
    ...(exploitable === undefined ? [] : [{ field: 'exploit_count', operator: exploitable ? 'gte' : 'lt', value: 1 } as const]),
    ...(overdue === undefined ? [] : [overdue ? late : { not: late }]),
  ]
}

function printFinding(finding: NamedFinding, now: number): FindingBody {
  const { id, assetId, assetName, source, vulnerability, status, firstFoundAt, lastFoundAt, closedAt, dueAt } = finding
  const { title, severity, cves, cvss = null, exploitCount } = vulnerability
  return {
    id, asset_id: assetId, asset_name: assetName, source, vulnerability_id: vulnerability.id, title, severity, cves: [...cves], cvss,
    exploit_count: exploitCount, status, first_found: formatTimestamp(firstFoundAt), last_found: formatTimestamp(lastFoundAt),
    closed_at: formatTimestamp(closedAt),
    due_at: formatTimestamp(dueAt), is_overdue: status === 'open' && dueAt !== undefined && dueAt < now, ports: [...finding.ports],
    proof: finding.proof, solution: finding.solution,
  }
}
