import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import type { ConsumerProgress, MetricSources } from './metric-sources.ts'

/** The services that the console knows, and the consumers that do their work here (D-18). */
const services = {
  'connector-service': [],
  'normalizer-service': ['normalize'],
  'detection-service': ['detect'],
  'enrichment-service': ['detect'],
} as const satisfies { readonly [service: string]: readonly string[] }
export type ServiceName = keyof typeof services

/** `degraded` where the process is late, `down` where work stands still or nothing can be written. */
export type ServiceStatus = 'up' | 'degraded' | 'down'

export type Health = {
  readonly status: 'healthy' | 'degraded' | 'unhealthy'
  readonly services: { readonly [service in ServiceName]: ServiceStatus }
  /** By how much the process was late lately, in milliseconds. */
  readonly loopLagMs: number
  /** Whether the last writing came to the disk, and not too long ago. */
  readonly isWritable: boolean
  /** Consumers that have work and do not get on. */
  readonly stalled: readonly string[]
}

export type WatchdogOptions = {
  readonly elapsedMs: Runtime['elapsedMs']
  readonly consumers: MetricSources['consumers']
  /** Writes something to the store; throws where that cannot be done. */
  readonly checkWritable: () => Promise<void>
}

/**
 * Sees whether the process does its work: how late its beats come, whether consumers that have messages commit any, and
 * whether the store takes a write. Says what it saw, and never waits to find out.
 */
export class Watchdog {
  readonly #options: WatchdogOptions
  /** When the next beat is due; the first comes when it comes. */
  #dueMs: number | undefined
  /** Late beats that still count, oldest first. */
  readonly #late: { readonly atMs: number; readonly lagMs: number }[] = []
  readonly #progress = new Map<string, { readonly committedOffset: number; readonly sinceMs: number }>()
  #writtenMs: number | undefined
  #isWriting = false

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /** To be called every `limits.metrics.beatMs`. */
  beat(): void {
    const now = this.#options.elapsedMs()
    const { beatMs, loopLagMs, loopLagSeenMs } = limits.metrics
    const lagMs = this.#dueMs === undefined ? 0 : now - this.#dueMs
    if (lagMs >= loopLagMs) this.#late.push({ atMs: now, lagMs })
    while (this.#late[0] !== undefined && this.#late[0].atMs <= now - loopLagSeenMs) this.#late.shift()
    this.#dueMs = now + beatMs
    for (const progress of this.#options.consumers()) this.#trackProgress(progress, now)
  }

  /** Has something written, unless the last time has not ended yet; resolves whatever comes of it. */
  async write(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    try {
      await this.#options.checkWritable()
      this.#writtenMs = this.#options.elapsedMs()
    } catch {
      // What is wrong with the store is said by those whose work fails; here it only shows.
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

  /** A consumer stands still since it last committed something or had nothing to do. */
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
