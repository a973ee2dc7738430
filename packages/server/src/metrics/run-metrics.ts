import { getErrorMessage } from '../domain/error-message.ts'
import { limits } from '../limits.ts'
import type { Log } from '../log.ts'
import type { Metrics } from './metrics.ts'

/** Lets time go on for metrics. What it answers ends that, and keeps what was counted until then. */
export function runMetrics(metrics: Metrics, log: Pick<Log, 'error'>): () => Promise<void> {
  const { beatMs, recordMs } = limits.metrics
  const tick = (): Promise<void> =>
    metrics.tick().catch((error: unknown) => log.error('nothing could be measured', { error: getErrorMessage(error) }))
  metrics.beat()
  const beating = setInterval(() => metrics.beat(), beatMs)
  const ticking = setInterval(() => void tick(), recordMs)
  return async () => {
    clearInterval(beating)
    clearInterval(ticking)
    // The first of them may be one that runs already, and has missed what came since.
    await tick()
    await tick()
  }
}
