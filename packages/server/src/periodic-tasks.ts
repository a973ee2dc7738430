import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'

/** Work on what one process holds in memory, at a fixed interval. What is due over restarts as well is a job (`state/jobs/`). */
export type PeriodicTask = {
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  /** The log message for a failed run; the next run happens all the same. */
  readonly failure: string
}

/** Runs each task at its own interval until the returned function is called. */
export function startPeriodicTasks(chores: readonly PeriodicTask[], log: Pick<Log, 'error'>): () => void {
  const timers = chores.map(({ everyMs, work, failure }) =>
    setInterval(() => void work().catch((error: unknown) => log.error(failure, { error: getErrorMessage(error) })), everyMs))
  return () => timers.forEach((timer) => clearInterval(timer))
}
