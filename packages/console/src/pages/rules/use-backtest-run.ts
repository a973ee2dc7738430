import type { BacktestBody, BacktestJobBody } from '@tripline/contract/console/backtest'
import { useCallback, useState } from 'react'
import { beginBacktest, isUnfinished, removeBacktest, useBacktest } from './backtest-queries.ts'
import type { NewBacktest } from './backtest-queries.ts'

type BacktestRun = {
  /** Undefined before it was begun and read. */
  readonly backtest: BacktestJobBody | undefined
  readonly result: BacktestBody | null
  /** Why there is no result: it was refused, could not be read, or failed. */
  readonly failure: unknown
  /** Whether nothing came of the last request to begin or to stop. */
  readonly isRefused: boolean
  /** Whether such a request is under way. */
  readonly isAsking: boolean
  readonly isRunning: boolean
  readonly begin: (wanted: NewBacktest) => Promise<void>
  /** Stops and deletes it, and shows none. */
  readonly stop: () => Promise<void>
  /** Reads it again where that failed, and otherwise begins anew. */
  readonly retry: (wanted: () => NewBacktest) => void
}

/** Begins, follows and stops a backtest whose id the caller holds, and says why there is no result. */
export function useBacktestRun(id: string | undefined, onId: (id: string | undefined) => void): BacktestRun {
  const [refusal, setRefusal] = useState<unknown>()
  const [isAsking, setIsAsking] = useState(false)
  const { data: backtest, error, refetch } = useBacktest(id)
  const ask = useCallback(async (request: () => Promise<string | undefined>): Promise<void> => {
    setRefusal(undefined)
    setIsAsking(true)
    try {
      onId(await request())
    } catch (problem) {
      setRefusal(problem)
    } finally {
      setIsAsking(false)
    }
  }, [onId])
  const begin = useCallback((wanted: NewBacktest) => ask(() => beginBacktest(wanted)), [ask])
  const { error: reason = null, result = null } = backtest ?? {}
  return {
    backtest, result, isAsking, begin,
    failure: refusal ?? error ?? (reason === null ? undefined : new Error(reason)),
    isRefused: refusal !== undefined,
    isRunning: backtest !== undefined && isUnfinished(backtest),
    stop: () => ask(async () => {
      if (id !== undefined) await removeBacktest(id)
      return undefined
    }),
    retry: (wanted) => void (error === null ? begin(wanted()) : refetch()),
  }
}
