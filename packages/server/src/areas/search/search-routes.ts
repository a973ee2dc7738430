import type { Clock } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import { searchBodySchema, searchQuerySchema, searchResultSchema } from '@tripline/contract/console/search'
import type { SearchEventBody, SearchResultBody } from '@tripline/contract/console/search'
import { findSearchWarnings } from './search-warnings.ts'
import { searchTenantEvents } from './tenant-search.ts'
import type { EventSearchDeps, TenantSearchPage, TenantSearch, EventSummary } from './tenant-search.ts'
import { limits } from '../../limits.ts'
import { respond } from '../../http/respond.ts'
import { readJson } from '../../http/json-body.ts'
import type { ListDefinition } from '../../http/lists/list-definition.ts'
import { parseSort } from '../../http/lists/parse-sort.ts'
import { clampCount } from '../../http/lists/read-list.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { formatDuration } from '../../http/round.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { invalidParameter, readQuery } from '../../http/validate.ts'

const path = '/v1/search'

export type SearchRouteDeps = EventSearchDeps & { readonly clock: Clock }

const searchFields = { timestamp: { kind: 'instant', isSorted: true } } as const

const searchList: ListDefinition = {
  fields: searchFields, sortDefault: { field: 'timestamp', direction: 'desc' }, limitMax: limits.lists.searchLimitMax, isByCursorOnly: true,
}

/** Routes that search a tenant's events, by query parameters or by a JSON body. */
export function searchRoutes(deps: SearchRouteDeps): Route[] {
  const answerSearch = async (c: RequestContext, search: TenantSearch, warnings: readonly string[]): Promise<Response> => {
    const page = await searchTenantEvents(deps, getPrincipal(c), { ...search, signal: c.req.raw.signal })
    // The search has parsed the query, and so bounded it.
    const doubts = await findSearchWarnings(deps.events, getPrincipal(c).tenant, search)
    return respond(c, printResult(page, { tookMs: deps.clock.elapsedMs() - c.get('startedMs'), warnings: [...warnings, ...doubts] }))
  }
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Searches events',
      query: searchQuerySchema, list: searchList, errors: ['INVALID_QUERY'], responses: { 200: searchResultSchema },
      handle: (c) => {
        const { search, warnings } = readSearch(c)
        return answerSearch(c, search, warnings)
      },
    },
    {
      method: 'POST', path, access: 'read', isCompressed: true, summary: 'Searches events, with the query in the body',
      body: searchBodySchema, errors: ['INVALID_QUERY', 'INVALID_QUERY_FIELD', 'INVALID_CURSOR', 'INVALID_PARAMETER'],
      responses: { 200: searchResultSchema },
      handle: async (c) => {
        const { size, query = '', histogram = true, ...body } = await readJson(c, searchBodySchema)
        const { count: limit, warnings } = clampCount(limits.lists.searchLimitMax, size ?? limits.lists.searchSizeDefault, 'size')
        const { from, to, cursor, sort, fields, counts = 'quick', buckets: bucketsWanted } = body
        const extent = toExtent(histogram)
        const search = { query, from, to, limit, order: readOrder(sort), cursor, fields, extent, bucketsWanted, counts }
        return await answerSearch(c, search, warnings)
      },
    },
  ]
}

/** Reads a search from query parameters; those that only lists support are refused. */
function readSearch(c: RequestContext): { readonly search: TenantSearch; readonly warnings: readonly string[] } {
  const { query, warnings } = readQuery(c, searchQuerySchema)
  const { q = '', from, to, limit, cursor, fields, histogram = true, buckets, counts = 'quick', sort, filters, page, size } = query
  if (filters !== undefined) {
    throw new AppError('INVALID_QUERY_FIELD', "a search does not support 'filters'; use 'q'", { field: 'filters', allowed: [] })
  }
  if (page !== undefined || size !== undefined) {
    const parameter = page === undefined ? 'size' : 'page'
    throw invalidParameter(parameter, String(page ?? size), { reason: 'a search is paginated by cursor and limit' })
  }
  const cut = clampCount(limits.lists.searchLimitMax, limit ?? limits.page.sizeDefault, 'limit')
  return {
    search: {
      query: q, from, to, limit: cut.count, order: readOrder(sort), cursor, fields, extent: toExtent(histogram), counts,
      bucketsWanted: buckets,
    },
    warnings: [...warnings, ...cut.warnings],
  }
}

function toExtent(hasHistogram: boolean): TenantSearch['extent'] {
  return hasHistogram ? 'histogram' : 'total'
}

/** The order of a search: newest first unless `sort` is `timestamp:asc`. */
function readOrder(sort: string | undefined): TenantSearch['order'] {
  return sort !== undefined && parseSort(searchFields, sort)[0]?.direction === 'asc' ? 'oldest_first' : 'newest_first'
}

function printResult(
  page: TenantSearchPage,
  { tookMs, warnings }: { readonly tookMs: number; readonly warnings: readonly string[] },
): SearchResultBody {
  const { events, total, histogram } = page
  return {
    data: events.map(printEvent),
    total,
    total_relation: page.isTotalExact ? 'eq' : 'gte',
    ...(histogram && {
      histogram: histogram.buckets.map(({ startsAt, count, bySeverity }) => {
        return { time: formatTimestamp(startsAt), count, breakdown: { ...bySeverity } }
      }),
    }),
    next_cursor: page.nextCursor ?? null,
    scanned: { events: page.scanned.readCount, bytes: page.scanned.readByteCount, total: page.scanned.rangeCount },
    query: page.canonicalQuery,
    from: formatTimestamp(page.from),
    to: formatTimestamp(page.to),
    took_ms: formatDuration(tookMs),
    total_estimate: total,
    truncated: page.isTruncated,
    query_warnings: [...warnings, ...page.warnings],
  }
}

export function printEvent({ id, occurredAt, product, sourceIp, code, message, severity, fields }: EventSummary): SearchEventBody {
  return {
    id, timestamp: formatTimestamp(occurredAt), source_type: product, source_ip: sourceIp, event_id: code ?? null,
    message, severity, fields,
  }
}
