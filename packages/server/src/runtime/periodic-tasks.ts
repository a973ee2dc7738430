import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'

/** Work on what one process holds in memory, at a fixed interval. What is due over restarts as well is a job (`state/jobs/`). */
export type PeriodicTask = {
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  /** The log message for a failed run; the next run happens all the same. */
  readonly failure: string
}

/** Runs a task once; a failure is logged. */
export async function runTask({ work, failure }: Omit<PeriodicTask, 'everyMs'>, log: Pick<Log, 'error'>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error(failure, { error: getErrorMessage(error) })
  }
}

/** Runs each task at its own interval until the returned function is called. The timers keep no process alive. */
export function startPeriodicTasks(chores: readonly PeriodicTask[], log: Pick<Log, 'error'>): () => void {
  const timers = chores.map((task) => setInterval(() => void runTask(task, log), task.everyMs).unref())
  return () => timers.forEach((timer) => clearInterval(timer))
}
