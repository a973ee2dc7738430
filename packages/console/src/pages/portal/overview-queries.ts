import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { OverviewBody } from '@tripline/contract/console/overview'
import type { ReportBody } from '@tripline/contract/console/response/report'
import { callApi } from '../../api/client.ts'
import { resolveRange, toIso } from '../../lib/time-range.ts'
import type { TimeRange } from '../../lib/time-range.ts'

/** Figures of a week change slowly. */
const refreshMs = 60_000

/** What happened in a range of time, with the period before. */
export function useOverview({ from, to }: TimeRange): UseQueryResult<OverviewBody> {
  return useQuery({
    queryKey: ['overview', from, to],
    queryFn: ({ signal }) => {
      const range = resolveRange({ from, to }, Date.now())
      const query = { from: toIso(range.from), ...(to !== undefined && { to: toIso(range.to) }) }
      return callApi<OverviewBody>('/v1/overview', { query, signal })
    },
    refetchInterval: refreshMs,
    placeholderData: keepPreviousData,
  })
}

/** The newest finished report; null where none was made. */
export function useLastReport(): UseQueryResult<ReportBody | null> {
  return useQuery({
    queryKey: ['overview', 'report'],
    queryFn: async ({ signal }) => {
      const { reports } = await callApi<{ readonly reports: readonly ReportBody[] }>('/v1/reports', { signal })
      return reports.find(({ status }) => status === 'succeeded') ?? null
    },
    refetchInterval: refreshMs,
  })
}
