import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import { limits } from './limits.ts'
import type { Metrics } from './metrics.ts'

/** Runs metrics by timers. The returned function stops them and stores what was counted until then. */
export function runMetrics(metrics: Metrics, log: Pick<Log, 'error'>): () => Promise<void> {
  const { beatMs, recordMs } = limits.metrics
  const tick = (): Promise<void> =>
    metrics.tick().catch((error: unknown) => log.error('metrics could not be updated', { error: getErrorMessage(error) }))
  metrics.beat()
  const beating = setInterval(() => metrics.beat(), beatMs)
  const ticking = setInterval(() => void tick(), recordMs)
  return async () => {
    clearInterval(beating)
    clearInterval(ticking)
    // The first may join a run that has missed later points.
    await tick()
    await tick()
  }
}
