import type { PushData } from '@tripline/contract/push/push'
import { live, onLive } from './live.ts'

export type JobMessage = PushData<'job_progress'>

/**
 * Milliseconds between looks at an unfinished job: seldom while messages tell of it, but one that got lost must not leave a page
 * waiting.
 */
export function getPollMs(kind: ReturnType<typeof live.get>['kind']): number {
  return kind === 'on' ? 5_000 : 1_000
}

/** Waits until a message tells of a job, or until it is time to look at it. */
export async function waitForJob(job: JobMessage['job'], id: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = onLive((message) => {
    if (message.type === 'job_progress' && message.data.job === job && message.data.id === id) resolve()
  })
  const timer = setTimeout(resolve, getPollMs(live.get().kind))
  await promise
  stop()
  clearTimeout(timer)
}
