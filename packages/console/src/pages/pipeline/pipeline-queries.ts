import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { PipelineSeriesBody } from '@tripline/contract/console/metrics'
import type { PipelineMetricsBody } from '@tripline/contract/console/pipeline'
import { callApi } from '../../api/client.ts'
import type { TimeRange } from '../../lib/time-range.ts'
import { resolveRange, toIso } from '../../lib/time-range.ts'

/** How often figures are read again while the page is visible. */
const figuresEveryMs = 5_000
/** How often series are: their shortest interval is a minute. */
const seriesEveryMs = 30_000

/** The figures of each stage, the topics and the books. */
export function usePipelineMetrics(): UseQueryResult<PipelineMetricsBody> {
  return useQuery({
    queryKey: ['pipeline', 'metrics'],
    queryFn: ({ signal }) => callApi<PipelineMetricsBody>('/v1/pipeline/metrics', { signal }),
    refetchInterval: figuresEveryMs,
  })
}

/** The four series over a range. */
export function usePipelineSeries({ from, to }: TimeRange): UseQueryResult<PipelineSeriesBody> {
  return useQuery({
    queryKey: ['pipeline', 'series', from, to],
    queryFn: ({ signal }) => {
      const range = resolveRange({ from, to }, Date.now())
      const query = { from: toIso(range.from), to: toIso(range.to) }
      return callApi<PipelineSeriesBody>('/v1/pipeline/metrics/timeseries', { query, signal })
    },
    // A range with an end does not change any more.
    refetchInterval: to === undefined ? seriesEveryMs : false,
    placeholderData: keepPreviousData,
  })
}
