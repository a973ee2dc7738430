import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { AlertBody, AlertListBody } from '@tripline/contract/console/alert'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import type { SurroundingsBody } from '@tripline/contract/console/event'
import type { ExplanationBody, RuleTestResultBody } from '@tripline/contract/console/rule'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { toIso } from '../../lib/time-range.ts'
import { alertKey, historyKey, readAlert } from './alert-store.ts'
import type { VersionedAlert } from './alert-store.ts'

/** Rows of the first page, which is wanted at once, and of the pages that are loaded in advance of scrolling. */
const firstPageSize = 100
const pageSize = 500
/** Rows ahead of the last visible one at which the next page is loaded. */
export const loadAhead = 300

type Signalled = { readonly signal: AbortSignal }

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
    placeholderData: keepPreviousData,
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

/** The details of an alert with its version; what is cached is there before it may be asked for. */
export function useAlert(id: string, isWanted = true): UseQueryResult<VersionedAlert> {
  return useQuery({ ...alertQuery(id), enabled: isWanted })
}

function alertQuery(id: string) {
  return { queryKey: alertKey(id), queryFn: ({ signal }: Signalled) => readAlert(id, signal), structuralSharing: false }
}

function contextQuery(id: string) {
  return {
    queryKey: ['alerts', 'context', id],
    queryFn: ({ signal }: Signalled) => callApi<AlertContextBody>(`/v1/alerts/${encodeURIComponent(id)}/context`, { signal }),
    structuralSharing: false,
  }
}

/** An alert with why it came, from the cache or anew. */
export async function readWhy(id: string): Promise<{ readonly alert: VersionedAlert['alert']; readonly context: AlertContextBody }> {
  const [{ alert }, context] = await Promise.all([queryClient.fetchQuery(alertQuery(id)), queryClient.fetchQuery(contextQuery(id))])
  return { alert, context }
}

/** Reads alerts that are probably opened next, while nothing else is to be done; returns what gives that up. */
export function readAhead(ids: readonly string[]): () => void {
  const idle = requestIdleCallback(() => {
    for (const id of ids) {
      void queryClient.prefetchQuery(alertQuery(id))
      void queryClient.prefetchQuery(contextQuery(id))
    }
  })
  return () => cancelIdleCallback(idle)
}

/** An alert once its details are read for something else: one that is open may be none of the rows of the list. */
export function useReadAlert(id: string | undefined): AlertBody | undefined {
  return useQuery({ queryKey: alertKey(id ?? ''), queryFn: () => readAlert(id ?? ''), enabled: false }).data?.alert
}

/** Why an alert came, and what is known of what it is about: all but what happened around it. */
export function useAlertContext(id: string): UseQueryResult<AlertContextBody> {
  return useQuery(contextQuery(id))
}

/** What the audit trail has of an alert. */
export function useAlertHistory(id: string): UseQueryResult<NonNullable<AlertContextBody['history']>> {
  return useQuery({
    queryKey: historyKey(id),
    queryFn: async ({ signal }) => {
      const path = `/v1/alerts/${encodeURIComponent(id)}/context`
      return (await callApi<AlertContextBody>(path, { query: { include: 'history' }, signal })).history ?? []
    },
  })
}

/** The tree of why a rule matched; null where the event or the rule is not known any more. */
export function getExplanation({ explain }: AlertContextBody): ExplanationBody | null {
  const result = explain?.result as RuleTestResultBody['results'][number] | null | undefined
  return result?.matched === true ? (result.explain ?? null) : null
}

/** What happened on the host of an event, a quarter of an hour before and after. */
export function useSurroundings(eventId: string): UseQueryResult<SurroundingsBody> {
  return useQuery({
    queryKey: ['events', 'around', eventId],
    queryFn: ({ signal }) =>
      callApi<SurroundingsBody>(`/v1/events/${encodeURIComponent(eventId)}/around`, { query: { before: '20', after: '20' }, signal }),
    staleTime: Infinity,
    structuralSharing: false,
  })
}

/** How many alerts that match have come since the list was loaded. */
export function useNewCount(parameters: Readonly<Record<string, string>>, loadedAt: number, seen: number): number {
  const { data = 0 } = useQuery({
    queryKey: ['alerts', 'new', parameters, loadedAt, seen],
    queryFn: async ({ signal }) => {
      const query = { ...parameters, from: toIso(loadedAt), limit: '1' }
      return (await callApi<AlertListBody>('/v1/alerts', { query, signal })).pagination.total
    },
    enabled: seen > 0 && parameters['to'] === undefined,
    placeholderData: keepPreviousData,
  })
  return data
}
