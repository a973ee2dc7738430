import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { OverviewBody } from '@tripline/contract/console/overview'
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
