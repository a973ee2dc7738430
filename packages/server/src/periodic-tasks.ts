import { getErrorMessage } from './domain/error-message.ts'
import type { Log } from './log.ts'

/** Something that is done again and again. */
export type PeriodicTask = {
  readonly everyMs: number
  readonly work: () => Promise<unknown>
  /** What the log says where it fails; it is done again all the same. */
  readonly failure: string
}

/** Does chores, each in its own time, until what this answers is called. */
export function startPeriodicTasks(chores: readonly PeriodicTask[], log: Pick<Log, 'error'>): () => void {
  const timers = chores.map(({ everyMs, work, failure }) =>
    setInterval(() => void work().catch((error: unknown) => log.error(failure, { error: getErrorMessage(error) })), everyMs))
  return () => timers.forEach((timer) => clearInterval(timer))
}
