import type { Runtime } from '@tripline/common/runtime'
import type { ConsumerProgress } from '@tripline/detection/pipeline/pipeline'
import { limits } from './limits.ts'
import type { MetricSources } from './metric-sources.ts'

/**
 * The services of the console, and the consumers that do their work
 * (docs/reference/console-api.md#pipeline-and-health-metrics).
 */
const services = {
  'connector-service': [],
  'normalizer-service': ['deduplicate'],
  'detection-service': ['detect'],
  'enrichment-service': ['detect'],
} as const satisfies { readonly [service: string]: readonly string[] }
type ServiceName = keyof typeof services

/** `degraded` when its work has stood still for a while, `down` when it stalls or nothing can be written. */
type ServiceStatus = 'up' | 'degraded' | 'down'

/** Why a service is not up: its queue stood still for a while, for long, or nothing could be written. */
type ServiceReason = 'queue_slow' | 'queue_stalled' | 'not_writable'

/** Since when a service has the status that it has, in milliseconds since the epoch, and why. */
type ServiceCause = { readonly sinceMs: number; readonly reason: ServiceReason | undefined }

export type Health = {
  readonly status: 'healthy' | 'degraded' | 'unhealthy'
  readonly services: { readonly [service in ServiceName]: ServiceStatus }
  readonly causes: { readonly [service in ServiceName]: ServiceCause }
  /** The recent event loop lag in milliseconds. */
  readonly loopLagMs: number
  /** Whether that lag is too long: the process is slow, whatever its services do. */
  readonly isLoopLate: boolean
  /** Whether the last write check succeeded recently. */
  readonly isWritable: boolean
  /** How long the last write check that succeeded took, in milliseconds; undefined before the first. */
  readonly writeMs: number | undefined
  /** Consumers that have work and make no progress. */
  readonly stalled: readonly string[]
}

type WatchdogOptions = {
  readonly now: Runtime['now']
  readonly elapsedMs: Runtime['elapsedMs']
  readonly consumers: MetricSources['consumers']
  /** Writes something to the store; throws if that fails. */
  readonly checkWritable: () => Promise<void>
}

/**
 * Checks that the process works: the lag of its beats, the progress of consumers with messages, and whether the store
 * accepts a write. Reports what it has seen, and never waits to find out.
 *
 * A late event loop is a fault of the process, not of its services: it makes the system `degraded`, and the time for which
 * it was late counts neither as a stall of a queue nor against the last write.
 */
export class Watchdog {
  readonly #options: WatchdogOptions
  /** When the next beat is due; undefined before the first. */
  #dueMs: number | undefined
  /** Late beats that still count, oldest first. */
  readonly #late: { readonly atMs: number; readonly lagMs: number }[] = []
  readonly #progress = new Map<string, { readonly handledCount: number; sinceMs: number }>()
  /** The last known status of each service, and since when. */
  readonly #known = new Map<ServiceName, { readonly status: ServiceStatus; readonly sinceMs: number }>()
  #writtenMs: number | undefined
  #writeMs: number | undefined
  #isWriting = false

  constructor(options: WatchdogOptions) {
    this.#options = options
  }

  /** Call it every `limits.metrics.beatMs`. */
  beat(): void {
    const now = this.#options.elapsedMs()
    const { beatMs, loopLagMs, loopLagSeenMs } = limits.metrics
    const lagMs = this.#dueMs === undefined ? 0 : now - this.#dueMs
    if (lagMs >= loopLagMs) {
      this.#late.push({ atMs: now, lagMs })
      this.#excuse(lagMs)
    }
    while (this.#late[0] !== undefined && this.#late[0].atMs <= now - loopLagSeenMs) this.#late.shift()
    this.#dueMs = now + beatMs
    for (const progress of this.#options.consumers()) this.#trackProgress(progress, now)
    // Notes when a service changed, whether or not health is asked for.
    this.health()
  }

  /** Starts a write check, unless one is running; resolves whatever its result. */
  async write(): Promise<void> {
    if (this.#isWriting) return
    this.#isWriting = true
    try {
      const begunMs = this.#options.elapsedMs()
      await this.#options.checkWritable()
      this.#writtenMs = this.#options.elapsedMs()
      this.#writeMs = this.#writtenMs - begunMs
    } catch {
      // The failing work reports what is wrong with the store; here only the failure counts.
      this.#writtenMs = undefined
    } finally {
      this.#isWriting = false
    }
  }

  health(): Health {
    const now = this.#options.elapsedMs()
    const { loopLagMs: lagMax, writeGoodMs, queueSlowMs, queueStallMs } = limits.metrics
    const overdueMs = this.#dueMs === undefined ? 0 : Math.max(0, now - this.#dueMs)
    const loopLagMs = Math.max(overdueMs, ...this.#late.map(({ lagMs }) => lagMs))
    const isLoopLate = loopLagMs >= lagMax
    const excusedMs = overdueMs >= lagMax ? overdueMs : 0
    const isWritable = this.#writtenMs !== undefined && now - excusedMs - this.#writtenMs < writeGoodMs
    const listStill = (lengthMs: number): readonly string[] =>
      [...this.#progress].filter(([, { sinceMs }]) => now - excusedMs - sinceMs >= lengthMs).map(([consumer]) => consumer)
    const [slow, stalled] = [listStill(queueSlowMs), listStill(queueStallMs)]
    const reasonOf = (name: ServiceName): ServiceReason | undefined => {
      const consumers: readonly string[] = services[name]
      if (!isWritable) return 'not_writable'
      if (consumers.some((consumer) => stalled.includes(consumer))) return 'queue_stalled'
      return consumers.some((consumer) => slow.includes(consumer)) ? 'queue_slow' : undefined
    }
    const reasons = mapServices(reasonOf)
    const statuses = mapServices((name) => getStatus(reasons[name]))
    const causes = mapServices((name) => ({ sinceMs: this.#noteStatus(name, statuses[name]), reason: reasons[name] }))
    const status = getOverallStatus(Object.values(statuses), isLoopLate)
    return { status, services: statuses, causes, loopLagMs, isLoopLate, isWritable, writeMs: this.#writeMs, stalled }
  }

  /** Returns since when a service has a status. */
  #noteStatus(name: ServiceName, status: ServiceStatus): number {
    const known = this.#known.get(name)
    if (known?.status === status) return known.sinceMs
    const sinceMs = this.#options.now()
    this.#known.set(name, { status, sinceMs })
    return sinceMs
  }

  /** Leaves out a time in which nothing could run. */
  #excuse(lagMs: number): void {
    for (const progress of this.#progress.values()) progress.sinceMs += lagMs
    if (this.#writtenMs !== undefined) this.#writtenMs += lagMs
  }

  /** A consumer is stalled since it last handled a message or had nothing to do. */
  #trackProgress({ consumer, handledCount, lag }: ConsumerProgress, now: number): void {
    const before = this.#progress.get(consumer)
    const isIdle = [...lag.values()].every((count) => count === 0)
    if (isIdle || before === undefined || before.handledCount !== handledCount) {
      this.#progress.set(consumer, { handledCount, sinceMs: now })
    }
  }
}

function mapServices<Value>(map: (name: ServiceName) => Value): { readonly [service in ServiceName]: Value } {
  return {
    'connector-service': map('connector-service'), 'normalizer-service': map('normalizer-service'),
    'detection-service': map('detection-service'), 'enrichment-service': map('enrichment-service'),
  }
}

function getStatus(reason: ServiceReason | undefined): ServiceStatus {
  if (reason === undefined) return 'up'
  return reason === 'queue_slow' ? 'degraded' : 'down'
}

function getOverallStatus(statuses: readonly ServiceStatus[], isLoopLate: boolean): Health['status'] {
  if (statuses.includes('down')) return 'unhealthy'
  return isLoopLate || statuses.includes('degraded') ? 'degraded' : 'healthy'
}
