import { searchLog } from '../../app/tenant-search.ts'
import type { LogPage, LogSearch, ShownEvent } from '../../app/tenant-search.ts'
import type { App } from '../../app/app.ts'
import { searchBodySchema, searchQuerySchema, searchResultSchema } from '../../contract/search.ts'
import type { FoundEventBody, SearchResultBody } from '../../contract/search.ts'
import { AppError } from '../../domain/app-error.ts'
import type { Io } from '../../runtime.ts'
import { limits } from '../../limits.ts'
import { answer } from '../respond.ts'
import { readJson } from '../json-body.ts'
import { parseSort } from '../lists/parse-sort.ts'
import { printInstant } from '../format-timestamp.ts'
import { printTook } from '../format-duration.ts'
import { callerOf } from '../route.ts'
import type { RequestContext, Route } from '../route.ts'
import { invalidParameter, readQuery } from '../validate.ts'

const path = '/v1/search'

/** Searches the events of a tenant (D-39), by parameters or by a body. */
export function searchRoutes(app: App, { elapsedMs }: Pick<Io, 'elapsedMs'>): Route[] {
  const answerSearch = async (c: RequestContext, search: LogSearch, warnings: readonly string[]): Promise<Response> => {
    const page = await searchLog(app, callerOf(c), search)
    return answer(c, printResult(page, { tookMs: elapsedMs() - c.get('startedMs'), warnings }))
  }
  return [
    {
      method: 'GET', path, access: 'read', summary: 'Searches events',
      query: searchQuerySchema, answers: { 200: searchResultSchema },
      handle: (c) => {
        const { search, warnings } = readSearch(c)
        return answerSearch(c, search, warnings)
      },
    },
    {
      method: 'POST', path, access: 'read', summary: 'Searches events, as a body asks',
      body: searchBodySchema, answers: { 200: searchResultSchema },
      handle: async (c) => {
        const { size, query = '', histogram = true, ...body } = await readJson(app, c, searchBodySchema)
        const { limit, warnings } = cutLimit(size ?? limits.lists.searchSizeDefault, 'size')
        const { from, to, cursor, fields } = body
        return await answerSearch(c, { query, from, to, limit, cursor, fields, hasHistogram: histogram }, warnings)
      },
    },
  ]
}

/** A search as parameters have it: of the query contract, but for what only lists have. */
function readSearch(c: RequestContext): { readonly search: LogSearch; readonly warnings: readonly string[] } {
  const { query, warnings } = readQuery(c, searchQuerySchema)
  const { q = '', from, to, limit, cursor, fields, histogram = true, sort, filters, page, size } = query
  if (filters !== undefined) {
    throw new AppError('INVALID_QUERY_FIELD', "a search is narrowed by 'q', not by 'filters'", { field: 'filters', allowed: [] })
  }
  if (page !== undefined || size !== undefined) {
    const parameter = page === undefined ? 'size' : 'page'
    throw invalidParameter(parameter, String(page ?? size), { reason: 'a search is paged by cursor and limit' })
  }
  if (sort !== undefined && parseSort(searchFields, sort)[0]?.direction !== 'desc') {
    throw invalidParameter('sort', sort, { reason: 'events are found newest first' })
  }
  const cut = cutLimit(limit ?? limits.page.sizeDefault, 'limit')
  return {
    search: { query: q, from, to, limit: cut.limit, cursor, fields, hasHistogram: histogram },
    warnings: [...warnings, ...cut.warnings],
  }
}

/** What a search can be sorted by: newest first, and that alone. */
const searchFields = { timestamp: { kind: 'instant', isSorted: true } } as const

function cutLimit(wanted: number, parameter: 'limit' | 'size'): { readonly limit: number; readonly warnings: readonly string[] } {
  const { searchLimitMax } = limits.lists
  const warnings = wanted > searchLimitMax ? [`${parameter}_cut_to:${searchLimitMax}`] : []
  return { limit: Math.min(wanted, searchLimitMax), warnings }
}

function printResult(
  page: LogPage,
  { tookMs, warnings }: { readonly tookMs: number; readonly warnings: readonly string[] },
): SearchResultBody {
  const { events, total, histogram } = page
  return {
    data: events.map(printEvent),
    total,
    total_relation: page.isTotalExact ? 'eq' : 'gte',
    ...(histogram && {
      histogram: histogram.buckets.map(({ startsAt, count, bySeverity }) => {
        return { time: printInstant(startsAt), count, breakdown: { ...bySeverity } }
      }),
    }),
    next_cursor: page.nextCursor ?? null,
    query: page.canonicalQuery,
    from: printInstant(page.from),
    to: printInstant(page.to),
    took_ms: printTook(tookMs),
    total_estimate: total,
    truncated: page.isTruncated,
    query_warnings: [...warnings, ...page.warnings],
  }
}

function printEvent({ occurredAt, product, sourceIp, code, message, severity, fields }: ShownEvent): FoundEventBody {
  return {
    timestamp: printInstant(occurredAt), source_type: product, source_ip: sourceIp, event_id: code ?? null,
    message, severity, fields,
  }
}
