import { getErrorMessage } from '../domain/error-message.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import { applyRetention } from './retention.ts'
import type { RetentionDeps } from './retention.ts'

/**
 * Applies retention a while after the start and then periodically. The returned function stops it and waits for a running
 * pass.
 */
export function runRetention(app: RetentionDeps, log: Pick<Log, 'error'>): () => Promise<void> {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = (): void => {
    running ??= applyRetention(app, (tenant, what, error) => {
      log.error('expired data could not be removed', { tenant, what, error: getErrorMessage(error) })
    }, stopping.signal)
      .catch((error: unknown) => log.error('the retention run failed', { error: getErrorMessage(error) }))
      .finally(() => void (running = undefined))
  }
  const { retentionFirstMs, retentionMs } = limits.tenantSettings
  const beginning = setTimeout(run, retentionFirstMs)
  const repeating = setInterval(run, retentionMs)
  return async () => {
    clearTimeout(beginning)
    clearInterval(repeating)
    stopping.abort()
    await running
  }
}
