import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { BacktestJobBody, BacktestListBody } from '@tripline/contract/console/backtest'
import { callApi } from '../../api/client.ts'
import { useJobs } from '../../frame/use-jobs.ts'
import { queryClient } from '../../api/query-client.ts'

/** What a backtest runs, and over which range. */
export type NewBacktest = {
  readonly rule_ids?: readonly string[]
  readonly definition?: string
  readonly compare?: true
  readonly exceptions?: BacktestJobBody['exceptions']
  readonly from: string
  readonly to: string
}

const path = '/v1/detection/backtests'
const keyOf = (id: string | undefined) => ['backtest', id] as const
const listKey = ['backtests']

export function isUnfinished({ status }: Pick<BacktestJobBody, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** Shows how far a backtest is; one that ended is read again with what it found. */
function noteProgress({ id, status, progress }: Parameters<Parameters<typeof useJobs>[1]>[0]): void {
  if (status === 'running') {
    queryClient.setQueryData<BacktestJobBody>(keyOf(id), (known) => known && { ...known, status, progress })
    return
  }
  if (status !== 'removed') void queryClient.invalidateQueries({ queryKey: keyOf(id) })
  void queryClient.invalidateQueries({ queryKey: listKey })
}

/** A backtest, asked for again until it is done; nothing without an id. */
export function useBacktest(id: string | undefined): UseQueryResult<BacktestJobBody> {
  const pollMs = useJobs('backtest', noteProgress)
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
