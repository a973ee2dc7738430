import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { EventDetailBody, SurroundingsBody } from '@tripline/contract/console/event'
import type {
  SearchEventBody, SearchFacetsBody, SearchFieldListBody, SearchResultBody, SearchSplitBody,
} from '@tripline/contract/console/search'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'
import type { Bar } from '../../ui/charts/bars.ts'

/** Rows of the first page, which is wanted at once, and of the pages that are loaded in advance of scrolling. */
const firstPageSize = 100
const pageSize = 500
/** The most bars of the histogram that can be told from each other and marked. */
const barsMax = '100'
/** How long the known fields of events are used for completion. */
const catalogMs = 60_000
/** Rows ahead of the last visible one at which the next page is loaded. */
export const eventsAhead = 200

type EventList = {
  readonly query: UseInfiniteQueryResult<InfiniteData<SearchResultBody>>
  readonly rows: readonly SearchEventBody[]
  /** All events that match; a lower bound where `isLowerBound`. */
  readonly total: number
  readonly isLowerBound: boolean
  readonly warnings: readonly string[]
  /** What the search cost. */
  readonly cost: (SearchResultBody['scanned'] & { readonly tookMs: number }) | undefined
  readonly bars: readonly Bar[]
  readonly barMs: number
}

/** Reads the events that a search finds, page by page; `loadedAt` makes a repeated search another one. */
export function useEventList(parameters: Readonly<Record<string, string>>, loadedAt: number, isValid: boolean): EventList {
  const query = useInfiniteQuery({
    queryKey: ['search', parameters, loadedAt],
    queryFn: ({ pageParam, signal }) =>
      callApi<SearchResultBody>('/v1/search', {
        query: { ...parameters, buckets: barsMax, limit: String(pageParam === '' ? firstPageSize : pageSize), cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor,
    enabled: isValid,
    structuralSharing: false,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data) ?? [], [query.data])
  const first = query.data?.pages[0]
  const bars = useMemo(() => first?.histogram?.map(toBar) ?? [], [first])
  const [one, two] = bars
  return {
    query,
    rows,
    total: Math.max(first?.total ?? 0, rows.length),
    isLowerBound: first?.total_relation === 'gte',
    warnings: first?.query_warnings.filter((warning) => warning !== 'total_estimated') ?? [],
    cost: first && { ...first.scanned, tookMs: first.took_ms },
    bars,
    barMs: one === undefined || first === undefined ? 0 : (two?.at ?? Date.parse(first.to)) - one.at,
  }
}

/** The bars of a split histogram: `rest` is what has none of the values. */
export function toSplitBars({ histogram }: SearchSplitBody): readonly Bar[] {
  return histogram.map(({ time, count, by_value: counts }) => ({
    at: Date.parse(time),
    count,
    parts: {
      ...Object.fromEntries(counts.map((one, index) => [`value${index}`, one])),
      // Events that have several of the values count for each of them.
      rest: Math.max(0, count - counts.reduce((sum, one) => sum + one, 0)),
    },
  }))
}

function toBar({ time, count, breakdown }: NonNullable<SearchResultBody['histogram']>[number]): Bar {
  return { at: Date.parse(time), count, parts: breakdown }
}

/** The values of fields among the newest events that a search finds. */
export function useEventFacets(
  { sort: _sort, ...parameters }: Readonly<Record<string, string>>, loadedAt: number, isWanted: boolean,
): UseQueryResult<SearchFacetsBody> {
  return useQuery({
    queryKey: ['search', 'facets', parameters, loadedAt],
    queryFn: ({ signal }) => callApi<SearchFacetsBody>('/v1/search/facets', { query: parameters, signal }),
    enabled: isWanted,
    staleTime: Infinity,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
}

/** The histogram of a search, split by the values of a field. */
export function useSplit(
  { sort: _sort, ...parameters }: Readonly<Record<string, string>>, field: string | undefined, loadedAt: number, isValid: boolean,
): UseQueryResult<SearchSplitBody> {
  return useQuery({
    queryKey: ['search', 'split', parameters, field, loadedAt],
    queryFn: ({ signal }) => {
      return callApi<SearchSplitBody>('/v1/search/split', { query: { ...parameters, field: field ?? '', buckets: barsMax }, signal })
    },
    enabled: isValid && field !== undefined,
    staleTime: Infinity,
    structuralSharing: false,
    placeholderData: keepPreviousData,
  })
}

/** The fields of stored events, for completion. */
export function useFieldCatalog(isWanted: boolean): UseQueryResult<SearchFieldListBody> {
  return useQuery({
    queryKey: ['search', 'fields'],
    queryFn: ({ signal }) => callApi<SearchFieldListBody>('/v1/search/fields', { signal }),
    enabled: isWanted,
    staleTime: catalogMs,
    structuralSharing: false,
  })
}

/** A stored event with its raw text and how it came. */
export function useEvent(id: string): UseQueryResult<EventDetailBody> {
  return useQuery({
    queryKey: ['events', 'detail', id],
    queryFn: ({ signal }) => callApi<EventDetailBody>(toPath(id), { signal }),
    staleTime: Infinity,
    structuralSharing: false,
  })
}

/** What events around another share with it, and how far they are from it. */
export type Around = {
  readonly same: 'place' | 'user' | 'process' | 'any'
  readonly minutes: '5' | '15' | '60' | '240' | '1440'
}

/** What happened just before and after an event. */
export function useEventsAround(id: string, { same, minutes }: Around): UseQueryResult<SurroundingsBody> {
  return useQuery({
    queryKey: ['events', 'around', id, same, minutes],
    queryFn: ({ signal }) => {
      const query = { before: '20', after: '20', minutes, same: same === 'place' ? undefined : same }
      return callApi<SurroundingsBody>(`${toPath(id)}/around`, { query, signal })
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    structuralSharing: false,
  })
}

/** The search language, which is loaded once this page is open. */
export function useQueryLanguage(): UseQueryResult<typeof import('./query/query-language.ts')> {
  return useQuery({
    queryKey: ['query-language'],
    queryFn: () => import('./query/query-language.ts'),
    staleTime: Infinity,
    gcTime: Infinity,
    structuralSharing: false,
  })
}

function toPath(id: string): string {
  return `/v1/events/${encodeURIComponent(id)}`
}
