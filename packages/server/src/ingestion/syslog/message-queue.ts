import { getErrorMessage } from '@tripline/common/error-message'
import type { Log } from '@tripline/common/log'
import { AppError } from '@tripline/contract/app-error'
import type { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { TurnSlices } from '@tripline/detection/fairness/turn-slices'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { RawEvent } from '@tripline/detection/stages/event-message'
import { readAuditHead } from '@tripline/formats/audit/audit-joiner'
import { extractTimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import { limits as formatsLimits } from '@tripline/formats/limits'
import { decodeSyslog } from '@tripline/formats/syslog/decode-message'
import type { SyslogFormat } from '@tripline/formats/syslog/decode-message'
import type { IngestCounts } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import { openEventJoiner, toRawEvents } from '../join-audit-events.ts'
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

/** Messages that are made durable together: the first of the queue. */
type Batch = {
  readonly events: readonly RawEvent[]
  readonly messageCount: number
  readonly refusedCount: number
  readonly byteCount: number
}

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
      const batch = await this.#decode(this.#messages.slice(0, limits.syslog.batchMessagesMax))
      if (batch.messageCount === 0) {
        // An audit event whose other records are on their way.
        await this.#sleep(limits.syslog.gatherMs)
        continue
      }
      if (!await this.#ingest(batch)) return
      this.#messages = this.#messages.slice(batch.messageCount)
      this.#byteCount -= batch.byteCount
      if (this.#isCrowded && this.#messages.length < limits.syslog.queuedMessagesMax / 2) {
        this.#isCrowded = false
        this.#options.onRoom()
      }
    }
  }

  /** Makes a batch durable; false when the queue ended before. */
  async #ingest({ events, messageCount, refusedCount, byteCount }: Batch): Promise<boolean> {
    const { tenant, connectorId, record } = this.#options
    for (;;) {
      try {
        if (events.length > 0) await this.#deps.pipeline.ingest(tenant, events)
        record({ receivedCount: messageCount - refusedCount, refusedCount, byteCount })
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

  /**
   * Decodes messages up to the first record of an audit event whose other records may still come. What is left is decoded again with
   * them, so that nothing is held but the queue.
   */
  async #decode(messages: readonly QueuedMessage[]): Promise<Batch> {
    const { tenant, connectorId, format } = this.#options
    const { heldRecordsMax, gatherMs } = formatsLimits.audit
    const slices = new TurnSlices(this.#deps.turns, tenant)
    const joiner = openEventJoiner(heldRecordsMax)
    const youngest = new Set<RawEvent | undefined>()
    const dueAt = this.#deps.now() - gatherMs
    for (const { bytes, address, receivedAt } of messages) {
      await slices.yieldIfDue()
      const decoded = decodeSyslog(bytes, { receivedAt, format, address })
      if ('refusal' in decoded || decoded.bytes === undefined) {
        joiner.add(undefined, undefined)
        continue
      }
      const { id } = decoded.event
      const reading = extractTimeAndSeverity(decoded.event)
      const event = { connectorId, bytes: decoded.bytes, reading, ...(typeof id === 'string' && id !== '' && { id }) }
      joiner.add(event, readAuditHead(decoded.event))
      if (receivedAt > dueAt) youngest.add(event)
    }
    const taken = joiner.take((first) => this.#ending.signal.aborted || !youngest.has(first))
    const { length: messageCount } = taken
    return {
      events: toRawEvents(taken), messageCount, refusedCount: taken.filter(({ entry }) => entry === undefined).length,
      byteCount: messages.slice(0, messageCount).reduce((sum, { bytes }) => sum + bytes.length, 0),
    }
  }

  /** Waits; not at all once the queue ends. */
  async #sleep(delayMs: number): Promise<void> {
    const { signal } = this.#ending
    if (!signal.aborted) await this.#deps.sleep(delayMs, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}
