import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { AlertListBody } from '@tripline/contract/console/alert'
import type { AlertSummaryBody } from '@tripline/contract/console/alerts/alert-figures'
import type { ChangesBody } from '@tripline/contract/console/audit'
import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import type { DetectionMetricsBody, PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import { callApi } from '../../api/client.ts'
import type { useResponseTargets } from '../../api/use-may.ts'
import { buildDueFilter } from '../../lib/due-filter.ts'
import { toIso } from '../../lib/time-range.ts'

/** Counts of alerts change with the minute; the figures above them come by themselves. */
const countsEveryMs = 15_000
const connectorsEveryMs = 30_000
const recentMax = 13
const dayMs = 86_400_000
/** Bars of 20 minutes. */
const trendBars = '72'

/** Alerts of the last 24 hours by severity, tactic and rule. */
export function useDetectionMetrics(): UseQueryResult<DetectionMetricsBody> {
  return useQuery({
    queryKey: ['dashboard', 'detection'],
    queryFn: ({ signal }) => callApi<DetectionMetricsBody>('/v1/detection/metrics', { signal }),
    refetchInterval: countsEveryMs,
  })
}

/** Alerts of the last 24 hours over time and by severity. */
export function useAlertTrend(): UseQueryResult<AlertSummaryBody> {
  return useQuery({
    queryKey: ['dashboard', 'trend'],
    queryFn: ({ signal }) => {
      const query = { from: toIso(Date.now() - dayMs), buckets: trendBars, by: 'severity' }
      return callApi<AlertSummaryBody>('/v1/alerts/summary', { query, signal })
    },
    refetchInterval: countsEveryMs,
  })
}

/** What was changed in the last 24 hours. */
export function useChanges(): UseQueryResult<ChangesBody> {
  return useQuery({
    queryKey: ['dashboard', 'changes'],
    queryFn: ({ signal }) => callApi<ChangesBody>('/v1/changes', { signal }),
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
    refetchInterval: isAsking ? 2_000 : false,
  })
}
