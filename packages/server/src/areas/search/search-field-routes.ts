import {
  searchFacetQuerySchema, searchFacetsSchema, searchFieldListSchema, searchSplitQuerySchema, searchSplitSchema,
} from '@tripline/contract/console/search'
import type { SearchFacetsBody, SearchFieldListBody, SearchSplitBody } from '@tripline/contract/console/search'
import type { CatalogField, FieldCatalog } from '@tripline/storage/events/event-store'
import { formatDuration } from '../../http/round.ts'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { limits } from '../../limits.ts'
import { countFacets } from './count-facets.ts'
import type { SearchFacet } from './count-facets.ts'
import type { SearchRouteDeps } from './search-routes.ts'
import { splitHistogram } from './split-histogram.ts'
import { searchTenantEvents } from './tenant-search.ts'
import type { TenantSearchPage } from './tenant-search.ts'

/** Routes that tell which fields events have: all of them for completion, and the values among those that a search finds. */
export function searchFieldRoutes(deps: SearchRouteDeps): Route[] {
  return [
    {
      method: 'GET', path: '/v1/search/fields', access: 'read', summary: 'Lists the fields of the newest events, with frequent values',
      responses: { 200: searchFieldListSchema },
      handle: async (c) => {
        const catalog = await deps.events.fields(getPrincipal(c).tenant)
        return respond(c, printCatalog(catalog, deps.clock.elapsedMs() - c.get('startedMs')))
      },
    },
    {
      method: 'GET', path: '/v1/search/facets', access: 'read', summary: 'Counts values of fields among the newest events of a search',
      query: searchFacetQuerySchema, errors: ['INVALID_QUERY'], responses: { 200: searchFacetsSchema },
      handle: async (c) => {
        const { query: { q: query = '', from, to, fields }, warnings } = readQuery(c, searchFacetQuerySchema)
        const page = await searchTenantEvents(deps, getPrincipal(c), {
          query, from, to, limit: limits.lists.facetEventsMax, order: 'newest_first', cursor: undefined, fields: undefined, extent: 'page',
          counts: 'quick', signal: c.req.raw.signal,
        })
        const facets = countFacets(page.events.map((event) => event.fields), fields)
        return respond(c, printFacets(page, facets, { tookMs: deps.clock.elapsedMs() - c.get('startedMs'), warnings }))
      },
    },
    {
      method: 'GET', path: '/v1/search/split', access: 'read',
      summary: 'Counts the events of a search over time, by the most frequent values of a field',
      query: searchSplitQuerySchema, errors: ['INVALID_QUERY'], responses: { 200: searchSplitSchema },
      handle: async (c) => {
        const { query: { q: query = '', from, to, field, buckets: bucketsWanted }, warnings } = readQuery(c, searchSplitQuerySchema)
        const split = await splitHistogram(deps, getPrincipal(c), { query, from, to, field, bucketsWanted, signal: c.req.raw.signal })
        return respond(c, printSplit(split, { field, tookMs: deps.clock.elapsedMs() - c.get('startedMs'), warnings }))
      },
    },
  ]
}

function printCatalog({ fields, isCut }: FieldCatalog, tookMs: number): SearchFieldListBody {
  return {
    fields: fields.map(({ name, types, eventCount, values }) => ({
      name, types: [...types], event_count: eventCount,
      top: values.map(({ text, count }) => ({ value: readValue(text, types), count })),
    })),
    took_ms: formatDuration(tookMs),
    total_estimate: fields.length,
    truncated: isCut,
    query_warnings: [],
  }
}

/** A frequent value as the events have it: the catalog keeps texts alone. */
function readValue(text: string, types: CatalogField['types']): string | number | boolean {
  if (types.includes('text')) return text
  const number = Number(text)
  if (types.includes('number') && text !== '' && String(number) === text) return number
  return text === 'true' || text === 'false' ? text === 'true' : text
}

function printFacets(
  page: TenantSearchPage,
  facets: readonly SearchFacet[],
  { tookMs, warnings }: { readonly tookMs: number; readonly warnings: readonly string[] },
): SearchFacetsBody {
  return {
    facets: facets.map(({ field, eventCount, distinct, values }) => ({ field, event_count: eventCount, distinct, values: [...values] })),
    events_counted: page.events.length,
    sampled: page.nextCursor !== undefined,
    query: page.canonicalQuery,
    from: formatTimestamp(page.from),
    to: formatTimestamp(page.to),
    took_ms: formatDuration(tookMs),
    total_estimate: page.events.length,
    truncated: page.isTruncated,
    query_warnings: [...warnings, ...page.warnings],
  }
}

function printSplit(
  { sample, all, values }: Awaited<ReturnType<typeof splitHistogram>>,
  { field, tookMs, warnings }: { readonly field: string; readonly tookMs: number; readonly warnings: readonly string[] },
): SearchSplitBody {
  const parts = [all, ...values.map(({ found }) => found)]
  return {
    field,
    values: values.map(({ value, found }) => ({ value, count: found.total })),
    sampled: sample.nextCursor !== undefined,
    histogram: (all.histogram?.buckets ?? []).map(({ startsAt, count }, index) => {
      const byValue = values.map(({ found: { histogram } }) => histogram?.buckets[index]?.count ?? 0)
      return { time: formatTimestamp(startsAt), count, by_value: byValue }
    }),
    total: all.total,
    total_relation: parts.every(({ isTotalExact }) => isTotalExact) ? 'eq' : 'gte',
    query: sample.canonicalQuery,
    from: formatTimestamp(sample.from),
    to: formatTimestamp(sample.to),
    took_ms: formatDuration(tookMs),
    total_estimate: all.total,
    truncated: parts.some(({ isTruncated }) => isTruncated),
    query_warnings: [...warnings, ...sample.warnings],
  }
}
