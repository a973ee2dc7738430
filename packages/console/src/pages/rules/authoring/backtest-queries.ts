import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { BacktestJobBody, BacktestListBody } from '@tripline/contract/console/backtest'
import { callApi } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'

/** What a backtest runs, and over which range. */
type NewBacktest = {
  readonly rule_ids?: readonly string[]
  readonly definition?: string
  readonly compare?: true
  readonly from: string
  readonly to: string
}

const path = '/v1/detection/backtests'
/** Milliseconds between looks at a backtest that waits or runs. */
const pollMs = 1_000
const keyOf = (id: string | undefined) => ['backtest', id] as const
const listKey = ['backtests']

export function isUnfinished({ status }: Pick<BacktestJobBody, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** A backtest, asked for again until it is done; nothing without an id. */
export function useBacktest(id: string | undefined): UseQueryResult<BacktestJobBody> {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => callApi<BacktestJobBody>(toPath(id ?? ''), { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isUnfinished(data) ? pollMs : false),
    staleTime: ({ state: { data } }) => (data !== undefined && !isUnfinished(data) ? Infinity : 0),
  })
}

/** The backtests of a rule that are kept, newest first. */
export function useBacktests(ruleId: string): UseQueryResult<BacktestListBody['backtests']> {
  return useQuery({
    queryKey: listKey,
    queryFn: async ({ signal }) => (await callApi<BacktestListBody>(path, { signal })).backtests,
    select: (backtests) => backtests.filter(({ rule_ids: ids }) => ids.includes(ruleId)),
  })
}

/** Begins a backtest and returns its id. @throws ApiError. */
export async function beginBacktest(backtest: NewBacktest): Promise<string> {
  const begun = await callApi<BacktestJobBody>(path, { method: 'POST', body: backtest })
  queryClient.setQueryData(keyOf(begun.id), begun)
  void queryClient.invalidateQueries({ queryKey: listKey })
  return begun.id
}

/** Stops a backtest and deletes it. @throws ApiError. */
export async function removeBacktest(id: string): Promise<void> {
  await callApi(toPath(id), { method: 'DELETE' })
  queryClient.removeQueries({ queryKey: keyOf(id) })
  void queryClient.invalidateQueries({ queryKey: listKey })
}

function toPath(id: string): string {
  return `${path}/${encodeURIComponent(id)}`
}
