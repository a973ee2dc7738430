import { getErrorMessage } from '@tripline/common/error-message'
import { retryDelayMs } from '@tripline/sources/polling/poll'
import { PollError } from '@tripline/sources/polling/poll-error'
import type { SourceConfig } from '../config/source-config.ts'
import type { EdgeDetector } from '../detection/edge-detector.ts'
import type { Spool } from '../spool/spool.ts'
import { createSource } from './create-source.ts'
import type { SourceContext } from './source.ts'

/** What tasks share. */
type TaskDeps = Pick<SourceContext, 'sleep' | 'now' | 'elapsedMs' | 'hostname' | 'log'> & { readonly spool: Spool
  /** Turns events of a source into what is sent; undefined to send all as they are. */
  readonly getDetector: () => Pick<EdgeDetector, 'detect'> | undefined
}

/** A source as `status` and heartbeats show it. */
type SourceStatus = {
  readonly name: string
  readonly type: SourceConfig['type']
  readonly status: 'pending' | 'healthy' | 'degraded' | 'unhealthy' | 'disabled'
  readonly events_total: number
  readonly bytes_total: number
  readonly dropped_total: number
  readonly events_per_second: number
  readonly last_event_at: string | null
  readonly last_error: string | null
  readonly warning: string | null
}

const restartMs = 5_000
const crowdedMs = 200
/** A problem is shown for a while after it was last seen. */
const problemShownMs = 300_000

/** Runs one source, again after it failed, until it is stopped. */
export class SourceTask {
  readonly config: SourceConfig
  readonly #deps: TaskDeps
  readonly #ending = new AbortController()
  readonly #counts = { eventCount: 0, byteCount: 0, droppedCount: 0, countAtRate: 0 }
  #rateAtMs: number
  #state: SourceStatus['status'] = 'pending'
  #lastEventAt: number | undefined
  #problem: { readonly text: string; readonly at: number } | undefined
  #done: Promise<void> = Promise.resolve()
  #refusal: string | undefined
  /** Failures since it last worked. */
  #failureCount = 0

  constructor(config: SourceConfig, deps: TaskDeps) {
    this.config = config
    this.#deps = deps
    this.#rateAtMs = deps.elapsedMs()
  }

  start(): void {
    if (!this.config.enabled) {
      this.#state = 'disabled'
      return
    }
    this.#done = this.#run()
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await this.#done
  }

  /** Stops a source that the server refuses, for good. */
  async refuse(reason: string): Promise<void> {
    if (this.#refusal !== undefined) return
    this.#refusal = `refused: ${reason}`
    this.#deps.log.warn('the server refuses the source', { source: this.config.name, reason })
    await this.stop()
    this.#state = 'disabled'
  }

  /** Events lost before they were in the spool. */
  get droppedCount(): number {
    return this.#counts.droppedCount
  }

  /** What it is doing now; the rate is that since the last call. */
  describe(): SourceStatus {
    const { eventCount, byteCount, droppedCount, countAtRate } = this.#counts
    const nowMs = this.#deps.elapsedMs()
    const seconds = (nowMs - this.#rateAtMs) / 1_000
    const rate = seconds > 0 ? (eventCount - countAtRate) / seconds : 0
    const problem = this.#problem !== undefined && (this.#state === 'unhealthy' || this.#deps.now() - this.#problem.at < problemShownMs)
      ? this.#problem.text : null
    const { name, type } = this.config
    return {
      name, type, status: this.#state === 'healthy' && problem !== null ? 'degraded' : this.#state,
      events_total: eventCount, bytes_total: byteCount, dropped_total: droppedCount, events_per_second: Math.round(rate * 100) / 100,
      last_event_at: this.#lastEventAt === undefined ? null : new Date(this.#lastEventAt).toISOString(),
      last_error: this.#refusal ?? problem,
      warning: type === 'vulnerability_scanner' && !this.config.verify_ssl ? 'the certificate is not verified (verify_ssl: false)' : null,
    }
  }

  /** Begins a new span for the rate. */
  resetRate(): void {
    this.#counts.countAtRate = this.#counts.eventCount
    this.#rateAtMs = this.#deps.elapsedMs()
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    const { log, sleep } = this.#deps
    while (!signal.aborted) {
      try {
        await createSource(this.config)(this.#createContext(), signal)
      } catch (error) {
        if (signal.aborted) return
        this.#note(getErrorMessage(error))
        this.#state = 'unhealthy'
        log.error('the source failed and is started again', { source: this.config.name, error: getErrorMessage(error) })
        // A source that is polled may ask for no request for a while.
        const askedMs = error instanceof PollError ? retryDelayMs(error, this.#failureCount++) : 0
        await sleep(Math.max(restartMs, askedMs), signal)
      }
    }
  }

  #createContext(): SourceContext {
    const { spool, log, getDetector, ...rest } = this.#deps
    const { name, type } = this.config
    const countDropped: SourceContext['countDropped'] = (count, reason) => {
      if (this.#problem?.text !== reason) log.warn('events were dropped', { source: name, events: count, reason })
      this.#counts.droppedCount += count
      this.#note(reason)
    }
    return {
      ...rest, name, log, position: spool.getPosition(name),
      append: async (lines, position) => {
        // The inventory of a scanner is no stream to detect in: the server needs all of it.
        const detector = type === 'vulnerability_scanner' ? undefined : getDetector()
        const { alerts = lines, malformedCount = 0 } = detector?.detect(lines) ?? {}
        if (malformedCount > 0) countDropped(malformedCount, 'not an event')
        if (alerts.length > 0 || position !== undefined) await spool.append(name, alerts, position)
        this.#counts.eventCount += lines.length
        this.#counts.byteCount += lines.reduce((sum, line) => sum + line.length, 0)
        if (lines.length > 0) this.#lastEventAt = rest.now()
      },
      waitForRoom: async (signal) => {
        while (spool.isCrowded && !signal.aborted) await rest.sleep(crowdedMs, signal)
      },
      countDropped,
      reportHealthy: () => {
        this.#state = 'healthy'
        this.#failureCount = 0
      },
    }
  }

  #note(text: string): void {
    this.#problem = { text: text.slice(0, 500), at: this.#deps.now() }
  }
}
