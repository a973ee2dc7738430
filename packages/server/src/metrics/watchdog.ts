import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import type { ConsumerProgress, MetricSources } from './metric-sources.ts'

/**
 * The services of the console, and the consumers that do their work
 * (docs/reference/console-api.md#pipeline-and-health-metrics).
 */
const services = {
  'connector-service': [],
  'normalizer-service': ['normalize'],
  'detection-service': ['detect'],
  'enrichment-service': ['detect'],
} as const satisfies { readonly [service: string]: readonly string[] }
export type ServiceName = keyof typeof services

/** `degraded` when the event loop is late, `down` when work stalls or nothing can be written. */
export type ServiceStatus = 'up' | 'degraded' | 'down'

export type Health = {
  readonly status: 'healthy' | 'degraded' | 'unhealthy'
  readonly services: { readonly [service in ServiceName]: ServiceStatus }
  /** The recent event loop lag in milliseconds. */
  readonly loopLagMs: number
  /** Whether the last write check succeeded recently. */
  readonly isWritable: boolean
  /** Consumers that have work and make no progress. */
  readonly stalled: readonly string[]
}

export type WatchdogOptions = {
  readonly elapsedMs: Runtime['elapsedMs']
  readonly consumers: MetricSources['consumers']
  /** Writes something to the store; throws if that fails. */
  readonly checkWritable: () => Promise<void>
}

/**
 * Checks that the process works: the lag of its beats, the progress of consumers with messages, and whether the store
 * accepts a write. Reports what it has seen, and never waits to find out.
 */
export class Watchdog {
  readonly #options: WatchdogOptions
  /** When the next beat is due; undefined before the first. */
  #dueMs: number | undefined
  /** Late beats that still count, oldest first. */
  readonly #late: { readonly atMs: number; readonly lagMs: number }[] = []
  readonly #progress = new Map<string, { readonly committedOffset: number; readonly sinceMs: number }>()
  #writtenMs: number | undefined
  #isWriting = false

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /** Call it every `limits.metrics.beatMs`. */
  beat(): void {
    const now = this.#options.elapsedMs()
    const { beatMs, loopLagMs, loopLagSeenMs } = limits.metrics
    const lagMs = this.#dueMs === undefined ? 0 : now - this.#dueMs
    if (lagMs >= loopLagMs) this.#late.push({ atMs: now, lagMs })
    while (this.#late[0] !== undefined && this.#late[0].atMs <= now - loopLagSeenMs) this.#late.shift()
    this.#dueMs = now + beatMs
    for (const progress of this.#options.consumers()) this.#trackProgress(progress, now)
  }

  /** Starts a write check, unless one is running; resolves whatever its result. */
  async write(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    try {
      await this.#options.checkWritable()
      this.#writtenMs = this.#options.elapsedMs()
    } catch {
      // The failing work reports what is wrong with the store; here only the failure counts.
      this.#writtenMs = undefined
    } finally {
      this.#isWriting = false
    }
  }

  health(): Health {
    const now = this.#options.elapsedMs()
    const { loopLagMs: lagMax, writeGoodMs, queueStallMs } = limits.metrics
    const overdueMs = this.#dueMs === undefined ? 0 : Math.max(0, now - this.#dueMs)
    const loopLagMs = Math.max(overdueMs, ...this.#late.map(({ lagMs }) => lagMs))
    const isWritable = this.#writtenMs !== undefined && now - this.#writtenMs < writeGoodMs
    const stalled = [...this.#progress].filter(([, { sinceMs }]) => now - sinceMs >= queueStallMs).map(([consumer]) => consumer)
    const statusOf = (consumers: readonly string[]): ServiceStatus => {
      if (!isWritable || consumers.some((consumer) => stalled.includes(consumer))) return 'down'
      return loopLagMs < lagMax ? 'up' : 'degraded'
    }
    const statuses = {
      'connector-service': statusOf(services['connector-service']),
      'normalizer-service': statusOf(services['normalizer-service']),
      'detection-service': statusOf(services['detection-service']),
      'enrichment-service': statusOf(services['enrichment-service']),
    }
    return { status: getOverallStatus(Object.values(statuses)), services: statuses, loopLagMs, isWritable, stalled }
  }

  /** A consumer is stalled since its last commit, or since it last had nothing to do. */
  #trackProgress({ consumer, committedOffset, lag }: ConsumerProgress, now: number): void {
    const before = this.#progress.get(consumer)
    const isIdle = [...lag.values()].every((count) => count === 0)
    if (isIdle || before === undefined || before.committedOffset !== committedOffset) {
      this.#progress.set(consumer, { committedOffset, sinceMs: now })
    }
  }
}

function getOverallStatus(statuses: readonly ServiceStatus[]): Health['status'] {
  if (statuses.includes('down')) return 'unhealthy'
  return statuses.includes('degraded') ? 'degraded' : 'healthy'
}
