import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { PipelineSeriesBody } from '@tripline/contract/console/metrics'
import type { PipelineMetricsBody, PipelineSourceListBody } from '@tripline/contract/console/pipeline'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { resolveRange, toIso } from '../../lib/time-range.ts'
import { addLags } from './recent-lags.ts'
import type { LagSample } from './recent-lags.ts'

/** How often figures are read again while the page is visible. */
const figuresEveryMs = 5_000
/** How often series are: their shortest interval is a minute. */
const seriesEveryMs = 30_000

/** The figures of now, and the lags of the last minute while the page was open, oldest first. */
type PipelineNow = { readonly metrics: PipelineMetricsBody; readonly lags: readonly LagSample[] }

const metricsKey = ['pipeline', 'metrics']

/** The figures of each stage, the topics and the books; with the lags of the last minute. */
export function usePipelineMetrics(): UseQueryResult<PipelineNow> {
  return useQuery({
    queryKey: metricsKey,
    queryFn: async ({ signal }) => {
      const metrics = await callApi<PipelineMetricsBody>('/v1/pipeline/metrics', { signal })
      return { metrics, lags: addLags(queryClient.getQueryData<PipelineNow>(metricsKey)?.lags ?? [], metrics) }
    },
    structuralSharing: false,
    refetchInterval: figuresEveryMs,
  })
}

/** What each source brought in a range. */
export function usePipelineSources(range: TimeRange): UseQueryResult<PipelineSourceListBody> {
  return useRangeQuery('sources', '/v1/pipeline/sources', { range, everyMs: figuresEveryMs })
}

/** The series over a range. */
export function usePipelineSeries(range: TimeRange): UseQueryResult<PipelineSeriesBody> {
  return useRangeQuery('series', '/v1/pipeline/metrics/timeseries', { range, everyMs: seriesEveryMs })
}

/** The series of the period before, in the interval of the present one; nothing while they are not wanted. */
export function usePreviousSeries(
  { from, to }: TimeRange, interval: PipelineSeriesBody['interval'] | undefined, isWanted: boolean,
): UseQueryResult<PipelineSeriesBody> {
  return useQuery({
    queryKey: ['pipeline', 'before', from, to, interval],
    queryFn: ({ signal }) => {
      const range = resolveRange({ from, to }, Date.now())
      const query = { from: toIso(2 * range.from - range.to), to: toIso(range.from), interval }
      return callApi<PipelineSeriesBody>('/v1/pipeline/metrics/timeseries', { query, signal })
    },
    enabled: isWanted && interval !== undefined,
    staleTime: seriesEveryMs,
  })
}

type RangeQuery = { readonly range: TimeRange; readonly everyMs: number }

function useRangeQuery<Body>(name: string, path: string, { range: { from, to }, everyMs }: RangeQuery): UseQueryResult<Body> {
  return useQuery<Body>({
    queryKey: ['pipeline', name, from, to],
    queryFn: ({ signal }) => {
      const range = resolveRange({ from, to }, Date.now())
      return callApi<Body>(path, { query: { from: toIso(range.from), to: toIso(range.to) }, signal })
    },
    // A range with an end does not change any more.
    refetchInterval: to === undefined ? everyMs : false,
    placeholderData: keepPreviousData,
  })
}
