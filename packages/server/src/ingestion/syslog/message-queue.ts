import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import { AppError } from '@tripline/contract/app-error'
import type { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { TurnSlices } from '@tripline/detection/fairness/turn-slices'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { RawEvent } from '@tripline/detection/stages/event-message'
import { extractTimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import { decodeSyslog } from '@tripline/formats/syslog/decode-message'
import type { SyslogFormat } from '@tripline/formats/syslog/decode-message'
import type { IngestCounts } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'

/** Where messages go, and how waiting works. */
export type MessageQueueDeps = {
  readonly pipeline: Pick<Pipeline, 'ingest'>
  readonly turns: Pick<FairTurns, 'next' | 'elapsedMs'>
  readonly now: () => number
  /** Waits, and rejects as soon as the signal aborts. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
}

type MessageQueueOptions = {
  readonly tenant: TenantId
  readonly connectorId: string
  readonly format: SyslogFormat
  /** Counts events that are durable, and messages that are none. */
  readonly record: (counts: IngestCounts) => void
  /** Called when there is room again after a message found none. */
  readonly onRoom: () => void
}

type QueuedMessage = { readonly bytes: Buffer; readonly address: string; readonly receivedAt: number }

/**
 * The messages of one listener on their way into the pipeline, in batches and in order. Nothing is acknowledged to the sender of
 * syslog: while the pipeline takes nothing, messages wait here up to a bound, and then streams are paused and datagrams dropped.
 */
export class MessageQueue {
  readonly #deps: MessageQueueDeps
  readonly #options: MessageQueueOptions
  readonly #ending = new AbortController()
  #messages: QueuedMessage[] = []
  #byteCount = 0
  #isCrowded = false
  #work: Promise<void> | undefined

  constructor(deps: MessageQueueDeps, options: MessageQueueOptions) {
    this.#deps = deps
    this.#options = options
  }

  /** Adds a message; returns whether there was room for it. */
  add(bytes: Buffer, address: string): boolean {
    const { queuedMessagesMax, queuedBytesMax } = limits.syslog
    if (this.#messages.length >= queuedMessagesMax || this.#byteCount + bytes.length > queuedBytesMax) {
      this.#isCrowded = true
      return false
    }
    this.#messages.push({ bytes, address, receivedAt: this.#deps.now() })
    this.#byteCount += bytes.length
    this.#work ??= this.#drain().finally(() => (this.#work = undefined))
    return true
  }

  /** Ends waiting for the pipeline, after what is queued was offered to it once more. Returns how many messages are lost. */
  async close(): Promise<number> {
    this.#ending.abort()
    await this.#work
    return this.#messages.length
  }

  async #drain(): Promise<void> {
    // What arrives at the same moment shares a sync.
    await this.#sleep(limits.syslog.gatherMs)
    while (this.#messages.length > 0) {
      const batch = this.#messages.slice(0, limits.syslog.batchMessagesMax)
      if (!await this.#ingest(batch)) return
      this.#messages = this.#messages.slice(batch.length)
      this.#byteCount -= batch.reduce((sum, { bytes }) => sum + bytes.length, 0)
      if (this.#isCrowded && this.#messages.length < limits.syslog.queuedMessagesMax / 2) {
        this.#isCrowded = false
        this.#options.onRoom()
      }
    }
  }

  /** Makes a batch durable; false when the queue ended before. */
  async #ingest(batch: readonly QueuedMessage[]): Promise<boolean> {
    const { tenant, connectorId, record } = this.#options
    const { events, refusedCount } = await this.#decode(batch)
    const byteCount = batch.reduce((sum, { bytes }) => sum + bytes.length, 0)
    for (;;) {
      try {
        if (events.length > 0) await this.#deps.pipeline.ingest(tenant, events)
        record({ receivedCount: events.length, refusedCount, byteCount })
        return true
      } catch (error) {
        if (this.#ending.signal.aborted) return false
        const isFull = error instanceof AppError && (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE')
        const details = { connector: connectorId, error: getErrorMessage(error) }
        if (!isFull) this.#deps.log.warn('messages of syslog could not be ingested', details)
        await this.#sleep(limits.syslog.retryMs)
      }
    }
  }

  async #decode(batch: readonly QueuedMessage[]): Promise<{ readonly events: readonly RawEvent[]; readonly refusedCount: number }> {
    const { tenant, connectorId, format } = this.#options
    const slices = new TurnSlices(this.#deps.turns, tenant)
    const events: RawEvent[] = []
    for (const { bytes, address, receivedAt } of batch) {
      await slices.yieldIfDue()
      const decoded = decodeSyslog(bytes, { receivedAt, format, address })
      if ('refusal' in decoded || decoded.bytes === undefined) continue
      const { id } = decoded.event
      const reading = extractTimeAndSeverity(decoded.event)
      events.push({ connectorId, bytes: decoded.bytes, reading, ...(typeof id === 'string' && id !== '' && { id }) })
    }
    return { events, refusedCount: batch.length - events.length }
  }

  /** Waits; not at all once the queue ends. */
  async #sleep(delayMs: number): Promise<void> {
    const { signal } = this.#ending
    if (!signal.aborted) await this.#deps.sleep(delayMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}
