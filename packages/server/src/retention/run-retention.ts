import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import type { ScheduledJob } from '@tripline/state/ports/job-store'
import { limits } from '../limits.ts'
import { applyRetention } from './retention.ts'
import type { RetentionDeps, RetentionReport } from './retention.ts'

/** Counts the runs of retention. */
type RunRecorder = {
  readonly monitor: { readonly retained: (at: number, failureCount: number) => void }
  readonly clock: Pick<Runtime, 'now'>
}

/** Applies retention, a while after the start at the earliest. A run in which some data could not be removed has failed. */
export function createRetentionJob(deps: RetentionDeps & { readonly metrics: RunRecorder }, log: Log): ScheduledJob {
  const report = createRetentionLog(log)
  const { retentionFirstMs: afterStartMs, retentionMs: everyMs } = limits.tenantSettings
  const run = async (signal: AbortSignal): Promise<void> => {
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
    try {
      await applyRetention(deps, counting, signal)
    } catch (error) {
      failureCount++
      throw error
    } finally {
      if (!signal.aborted) deps.metrics.monitor.retained(deps.metrics.clock.now(), failureCount)
    }
    if (failureCount > 0) throw new Error(`${failureCount} removals failed; the log names them`)
  }
  return { name: 'retention', everyMs, afterStartMs, run, failure: 'the retention run failed' }
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
