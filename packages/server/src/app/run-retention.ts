import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import { letOldGo } from './retention.ts'
import type { RetentionApp } from './retention.ts'

/** Lets go of what is too old, now and then again. What it answers ends that, once what is under way has ended. */
export function runRetention(app: RetentionApp, log: Pick<Log, 'error'>): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = (): void => {
    running ??= letOldGo(app, (tenant, what, error) => {
      log.error('what is too old could not be let go', { tenant, what, error: String(error) })
    }, stopping.signal)
      .catch((error: unknown) => log.error('nothing that is too old could be let go', { error: String(error) }))
      .finally(() => void (running = undefined))
  }
  run()
  const repeating = setInterval(run, limits.tenantSettings.retentionMs)
  return async () => {
    clearInterval(repeating)
    stopping.abort()
    await running
  }
}
