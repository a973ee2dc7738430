import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { AlertBody, AlertDetailBody, AlertListBody } from '@tripline/contract/console/alert'
import type { SurroundingsBody } from '@tripline/contract/console/event'
import type { ExplanationBody, RuleDetail, RuleTestResultBody } from '@tripline/contract/console/rule'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'
import { toIso } from '../../lib/time-range.ts'
import { alertKey, readAlert } from './alert-store.ts'
import type { VersionedAlert } from './alert-store.ts'

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

/** The details of an alert with its version. */
export function useAlert(id: string): UseQueryResult<VersionedAlert> {
  return useQuery({ queryKey: alertKey(id), queryFn: ({ signal }) => readAlert(id, signal), structuralSharing: false })
}

/** The rule of an alert, as it is now. */
export function useRule(id: string): UseQueryResult<RuleDetail> {
  const queryFn = ({ signal }: { readonly signal: AbortSignal }): Promise<RuleDetail> =>
    callApi<RuleDetail>(`/v1/detection/rules/${encodeURIComponent(id)}`, { signal })
  return useQuery({ queryKey: ['rules', 'detail', id], queryFn })
}

/** Why the rule matches the first event of an alert; null where it no longer does, or where no event is known. */
export function useExplanation({ id, rule_id: ruleId, evidence }: AlertDetailBody): UseQueryResult<ExplanationBody | null> {
  const events = evidence.flatMap(({ event }) => (event === null ? [] : [event]))
  return useQuery({
    queryKey: ['alerts', 'explanation', id],
    queryFn: async ({ signal }) => {
      const path = `/v1/detection/rules/${encodeURIComponent(ruleId)}/test`
      const { results } = await callApi<RuleTestResultBody>(path, { method: 'POST', body: { events, explain: true }, signal })
      return results.find(({ matched }) => matched)?.explain ?? null
    },
    enabled: events.length > 0,
    staleTime: Infinity,
  })
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

/** Other alerts of the same rule, newest first. */
export function useSimilar({ id, rule_id: value }: AlertBody): UseQueryResult<readonly AlertBody[]> {
  return useQuery({
    queryKey: ['alerts', 'similar', value],
    queryFn: async ({ signal }) => {
      const filters = JSON.stringify({ field: 'rule_id', op: 'eq', value })
      return (await callApi<AlertListBody>('/v1/alerts', { query: { filters, limit: '6' }, signal })).alerts
    },
    select: (alerts) => alerts.filter((alert) => alert.id !== id).slice(0, 5),
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
