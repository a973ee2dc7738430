import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { AlertListBody } from '@tripline/contract/console/alert'
import type { ConnectorBody } from '@tripline/contract/console/sources/connector'
import type { DetectionMetricsBody, PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import { callApi } from '../../api/client.ts'

/** Counts of alerts change with the minute; the figures above them come by themselves. */
const countsEveryMs = 15_000
const connectorsEveryMs = 30_000
const recentMax = 13

/** Alerts of the last 24 hours by severity, tactic and rule. */
export function useDetectionMetrics(): UseQueryResult<DetectionMetricsBody> {
  return useQuery({
    queryKey: ['dashboard', 'detection'],
    queryFn: ({ signal }) => callApi<DetectionMetricsBody>('/v1/detection/metrics', { signal }),
    refetchInterval: countsEveryMs,
  })
}

/** The newest open alerts that are critical or high. */
export function useSeriousAlerts(): UseQueryResult<AlertListBody> {
  const query = { severity: 'critical,high', status: 'open', sort: 'created_at:desc', limit: String(recentMax) }
  return useQuery({
    queryKey: ['dashboard', 'serious'],
    queryFn: ({ signal }) => callApi<AlertListBody>('/v1/alerts', { query, signal }),
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
