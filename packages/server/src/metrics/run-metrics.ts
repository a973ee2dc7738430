import type { Log } from '@tripline/common/log'
import { runTask, startPeriodicTasks } from '../runtime/periodic-tasks.ts'
import type { PeriodicTask } from '../runtime/periodic-tasks.ts'
import { limits } from './limits.ts'
import type { Metrics } from './metrics.ts'

/** Updates metrics at intervals. The returned function stops them and stores what was counted until then. */
export function runMetrics(metrics: Metrics, log: Pick<Log, 'error'>): () => Promise<void> {
  const { beatMs, recordMs } = limits.metrics
  const update: PeriodicTask = { everyMs: recordMs, work: () => metrics.tick(), failure: 'metrics could not be updated' }
  const beat: PeriodicTask = { everyMs: beatMs, work: async () => metrics.beat(), failure: 'the event loop could not be measured' }
  metrics.beat()
  const stop = startPeriodicTasks([beat, update], log)
  return async () => {
    stop()
    // The first may join a run that has missed later points.
    await runTask(update, log)
    await runTask(update, log)
  }
}
