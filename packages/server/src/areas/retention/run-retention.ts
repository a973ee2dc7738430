import { getErrorMessage } from '@tripline/common/error-message'
import { limits } from '../../limits.ts'
import type { Log } from '../../runtime/log.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import { applyRetention } from './retention.ts'
import type { RetentionDeps, RetentionReport } from './retention.ts'

/** Counts the runs of retention. */
type RunRecorder = {
  readonly monitor: { readonly retained: (at: number, failureCount: number) => void }
  readonly clock: Pick<Runtime, 'now'>
}

/**
 * Applies retention a while after the start and then periodically. The returned function stops it and waits for a running
 * pass.
 */
export function runRetention(app: RetentionDeps & { readonly metrics: RunRecorder }, log: Log): () => Promise<void> {
  const stopping = new AbortController()
  const report = createRetentionLog(log)
  let running: Promise<void> | undefined
  const run = (): void => {
    let failureCount = 0
    const counting: RetentionReport = {
      ...report,
      onFailure: (...failure) => {
        failureCount++
        report.onFailure(...failure)
      },
      onImplausibleClock: (problem) => {
        failureCount++
        report.onImplausibleClock(problem)
      },
    }
    running ??= applyRetention(app, counting, stopping.signal)
      .catch((error: unknown) => {
        failureCount++
        log.error('the retention run failed', { error: getErrorMessage(error) })
      })
      .finally(() => {
        running = undefined
        if (!stopping.signal.aborted) app.metrics.monitor.retained(app.metrics.clock.now(), failureCount)
      })
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

/** Writes the report of a run to the log. */
export function createRetentionLog(log: Log): RetentionReport {
  return {
    onFailure: (tenant, what, error) => {
      log.error('expired data could not be removed', { tenant, what, error: getErrorMessage(error) })
    },
    onImplausibleClock: (problem) => {
      log.error('nothing is removed by age, because the clock is not plausible; correct it, or restart with --trusted-time', { problem })
    },
    onRemoved: (tenant, removed) => log.info('expired data was removed', { tenant, ...removed }),
  }
}
