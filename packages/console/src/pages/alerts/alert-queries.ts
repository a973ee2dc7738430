import { useInfiniteQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { AlertBody, AlertListBody } from '@tripline/contract/console/alert'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'

/** Rows of the first page, which is wanted at once, and of the pages that are loaded in advance of scrolling. */
const firstPageSize = 100
const pageSize = 500
/** Rows ahead of the last visible one at which the next page is loaded. */
export const loadAhead = 300

/** A list of alerts, page by page. */
type AlertList = {
  readonly query: UseInfiniteQueryResult<InfiniteData<AlertListBody>>
  readonly rows: readonly AlertBody[]
  /** All alerts that match; a lower bound where `isLowerBound`. */
  readonly total: number
  readonly isLowerBound: boolean
  readonly warnings: readonly string[]
  readonly tookMs: number | undefined
}

/** Reads the alerts that a query of the API selects; `loadedAt` makes a reload another query. */
export function useAlertList(parameters: Readonly<Record<string, string>>, loadedAt: number): AlertList {
  const query = useInfiniteQuery({
    queryKey: ['alerts', 'list', parameters, loadedAt],
    queryFn: ({ pageParam, signal }) =>
      callApi<AlertListBody>('/v1/alerts', {
        query: { ...parameters, limit: String(pageParam === '' ? firstPageSize : pageSize), cursor: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    // Comparing thousands of rows deeply would cost more than the request.
    structuralSharing: false,
    staleTime: Infinity,
    placeholderData: (before) => before,
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ alerts }) => alerts) ?? [], [query.data])
  const first = query.data?.pages[0]
  return {
    query,
    rows,
    total: Math.max(first?.pagination.total ?? 0, rows.length),
    isLowerBound: first?.query_warnings.includes('total_estimated') === true,
    warnings: first?.query_warnings.filter((warning) => warning !== 'total_estimated') ?? [],
    tookMs: first?.took_ms,
  }
}
