import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { AlertListBody } from '@tripline/contract/console/alert'
import type { AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import type { ChangesBody } from '@tripline/contract/console/audit'
import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import type { PipelineSeriesBody } from '@tripline/contract/console/metrics'
import type { PipelineMetricsBody, PipelineSourceListBody } from '@tripline/contract/console/pipeline'
import type { RuleList } from '@tripline/contract/console/rule'
import { callApi } from '../../api/client.ts'
import { preferencesQuery } from '../../api/preferences.ts'
import type { useResponseTargets } from '../../api/use-profile.ts'
import { buildDueFilter } from '../../lib/due-filter.ts'
import { resolveRange, toIso } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'

/** Counts of alerts change with the minute; the figures above them come by themselves. */
const countsEveryMs = 15_000
const connectorsEveryMs = 30_000
/** Who waits for a first event looks at the page. */
const arrivalsEveryMs = 2_000
const recentMax = 13
/** Rows of each list of counts. */
export const rowsMax = 8
/** Bars of the charts: of 20 minutes in a day. */
const trendBars = '72'

/** Alerts of a range over time and by severity, tactic and rule. */
export function useAlertFigures(range: TimeRange): UseQueryResult<AlertSummaryBody> {
  return useRangeQuery('trend', range, countsEveryMs, (query, signal) => {
    const counted = { buckets: trendBars, by: 'severity', facets: 'severity,tactic,rule_id', limit: String(rowsMax) }
    return callApi<AlertSummaryBody>('/v1/alerts/summary', { query: { ...query, ...counted }, signal })
  })
}

/** Events per second over time. */
export function useEventRate(range: TimeRange): UseQueryResult<PipelineSeriesBody> {
  return useRangeQuery('rate', range, connectorsEveryMs, (query, signal) =>
    callApi<PipelineSeriesBody>('/v1/pipeline/metrics/timeseries', { query, signal }))
}

/** What was changed in a range. */
export function useChanges(range: TimeRange): UseQueryResult<ChangesBody> {
  return useRangeQuery('changes', range, connectorsEveryMs, (query, signal) => callApi<ChangesBody>('/v1/changes', { query, signal }))
}

/** Reads what belongs to a range, again and again while it reaches to now. */
function useRangeQuery<Body>(
  name: string, range: TimeRange, everyMs: number,
  read: (query: { readonly from: string; readonly to?: string }, signal: AbortSignal) => Promise<Body>,
): UseQueryResult<Body> {
  return useQuery({
    queryKey: ['dashboard', name, range.from, range.to],
    queryFn: ({ signal }) => {
      const { from, to } = resolveRange(range, Date.now())
      return read({ from: toIso(from), ...(range.to !== undefined && { to: toIso(to) }) }, signal)
    },
    refetchInterval: range.to === undefined && everyMs,
    placeholderData: keepPreviousData,
  })
}

/** The share of false positives of the rules that alerted most in the last 24 hours, by their ids; null where none was reviewed. */
export function useFalseShares(): UseQueryResult<ReadonlyMap<string, number | null>> {
  return useQuery({
    queryKey: ['dashboard', 'shares'],
    queryFn: async ({ signal }) => {
      const { rules } = await callApi<RuleList>('/v1/detection/rules', { query: { sort: 'alerts_last_24h:desc', limit: '100' }, signal })
      return new Map(rules.map(({ id, false_positive_share_7d: share }) => [id, share]))
    },
    refetchInterval: connectorsEveryMs,
  })
}

/** The open alerts that are critical or high, the worst first. */
export function useSeriousAlerts(): UseQueryResult<AlertListBody> {
  const query = { severity: 'critical,high', status: 'open', sort: 'severity:desc', limit: String(recentMax) }
  return useQuery({
    queryKey: ['dashboard', 'serious'],
    queryFn: ({ signal }) => callApi<AlertListBody>('/v1/alerts', { query, signal }),
    refetchInterval: countsEveryMs,
  })
}

/** The number of open alerts that are overdue; none without a target. */
export function useOverdueCount(targets: ReturnType<typeof useResponseTargets>): UseQueryResult<number> {
  return useQuery({
    queryKey: ['dashboard', 'overdue', targets],
    queryFn: async ({ signal }) => {
      const filters = JSON.stringify(buildDueFilter('overdue', targets, Date.now()))
      const query = { status: 'open,investigating', filters, limit: '1' }
      return (await callApi<AlertListBody>('/v1/alerts', { query, signal })).pagination.total
    },
    enabled: Object.values(targets ?? {}).some((minutes) => minutes !== null),
    refetchInterval: countsEveryMs,
  })
}

/** The connectors, as the server saw them last. */
export function useConnectors(): UseQueryResult<{ readonly connectors: readonly ConnectorBody[] }> {
  return useQuery({
    queryKey: ['dashboard', 'connectors'],
    queryFn: ({ signal }) => callApi<{ readonly connectors: readonly ConnectorBody[] }>('/v1/connectors', { signal }),
    refetchInterval: connectorsEveryMs,
  })
}

/** Whether the tenant ever got an event; `isAsking` asks every two seconds. */
export function useHasEvents(isAsking: boolean): UseQueryResult<boolean> {
  return useQuery({
    queryKey: ['dashboard', 'accepted'],
    queryFn: ({ signal }) => callApi<PipelineMetricsBody>('/v1/pipeline/metrics', { signal }),
    select: ({ books }) => books.accepted > 0,
    refetchInterval: isAsking ? arrivalsEveryMs : false,
  })
}

/** The connector that brings the samples, where this is a demo that was not hidden; undefined while that is not known. */
export function useDemoConnector(): string | null | undefined {
  const { data, isError } = useQuery({ ...preferencesQuery, select: readDemo })
  return data === undefined && isError ? null : data
}

function readDemo({ demo }: { readonly demo?: unknown }): string | null {
  const connector = typeof demo === 'object' && demo !== null && 'connector' in demo ? demo.connector : undefined
  return typeof connector === 'string' ? connector : null
}

/** Whether an event came within a day that a connector did not bring; asks every two seconds until one did. */
export function useHasOtherEvents(connector: string): boolean {
  const hasOthers = ({ sources }: PipelineSourceListBody): boolean => sources.some(({ id, events }) => id !== connector && events > 0)
  const { data = false } = useQuery({
    queryKey: ['dashboard', 'others', connector],
    queryFn: ({ signal }) => {
      const from = toIso(resolveRange({ from: '-24h' }, Date.now()).from)
      return callApi<PipelineSourceListBody>('/v1/pipeline/sources', { query: { from }, signal })
    },
    select: hasOthers,
    refetchInterval: ({ state: { data: sources } }) => (sources !== undefined && hasOthers(sources) ? false : arrivalsEveryMs),
  })
  return data
}
