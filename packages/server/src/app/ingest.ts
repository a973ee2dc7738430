import { setImmediate as othersFirst } from 'node:timers/promises'
import type { PolledEvent } from '../connectors/read-page.ts'
import { AppError } from '../domain/app-error.ts'
import { chunkBySize } from '../domain/chunk-by-size.ts'
import type { Principal } from '../domain/principal.ts'
import type { TenantId } from '../domain/tenant.ts'
import { decodeEvent } from '../ingest/decode-event.ts'
import type { RefusalCode } from '../ingest/decode-event.ts'
import { inflate } from '../ingest/inflate.ts'
import { splitBody } from '../ingest/split-body.ts'
import type { EventSpan } from '../ingest/split-body.ts'
import { limits } from '../limits.ts'
import type { EventOrigin, RawEvent } from '../pipeline/event-message.ts'
import { extractTimeAndSeverity } from '../pipeline/extract-time-and-severity.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { App } from './app.ts'

/** A body of events as it was sent. */
export type IngestBody = { readonly bytes: Uint8Array; readonly contentEncoding: string | undefined }

/** Who sends events, and what these are where they do not say so themselves. */
export type Sender = Pick<Principal, 'tenant' | 'logsource'>

/** What became of the events of one request. */
export type IngestReceipt = {
  /** Includes those that turn out to have been sent before. */
  readonly acceptedCount: number
  readonly rejectedCount: number
  /** The first of the rejected ones, at most `limits.ingest.errorsListedMax`. */
  readonly rejections: readonly Rejection[]
  /** The offset of the last accepted event on the stream; undefined where none was. */
  readonly lastOffset: number | undefined
}

/** An event that was refused, by its number among the events of the request. */
export type Rejection = { readonly index: number; readonly code: RefusalCode; readonly reason: string }

/**
 * Takes a body of events: splits it, refuses what is no event, and hands the rest to the pipeline. When it resolves,
 * every accepted event is safe on disk; it is evaluated soon afterwards, once.
 *
 * @throws AppError where the body as a whole cannot be used, or there is no room for more events (RATE_LIMITED for the
 *   tenant's, UNAVAILABLE for all); part of very many events may have been taken then, and may be sent again.
 */
export async function ingestEvents(app: App, { tenant, logsource }: Sender, body: IngestBody): Promise<IngestReceipt> {
  const inflated = await inflate(body.bytes, body.contentEncoding)
  const inflatedCount = inflated === body.bytes ? 0 : inflated.length
  app.bodies.reserve(inflatedCount)
  try {
    const bytes = Buffer.from(inflated.buffer, inflated.byteOffset, inflated.byteLength)
    return await acceptEvents(app.pipeline, tenant, bytes, logsource === undefined ? {} : { logsource })
  } finally {
    app.bodies.release(inflatedCount)
  }
}

/**
 * Takes events that a connector brought, each under the id that it has whenever it is brought: one that came before is
 * not evaluated again. When it resolves, all are safe on disk.
 *
 * @throws AppError as `ingestEvents` does where there is no room.
 */
export async function ingestPolledEvents(
  pipeline: Pick<Pipeline, 'ingest'>, tenant: TenantId, events: readonly PolledEvent[],
): Promise<void> {
  if (events.length > 0) await pipeline.ingest(tenant, events.map(({ id, bytes }) => ({ id, bytes: toSingleLine(bytes) })))
}

async function acceptEvents(
  pipeline: Pick<Pipeline, 'ingest'>, tenant: TenantId, bytes: Buffer, origin: EventOrigin,
): Promise<IngestReceipt> {
  const intake = new EventIntake(origin)
  const { batchEventsMax: itemsMax, batchBytesMax: bytesMax } = limits.ingest
  // One slice keeps the process busy for a short time only.
  for (const slice of chunkBySize(splitBody(bytes), { itemsMax, bytesMax }, ({ start, end }) => end - start)) {
    for (const piece of slice) intake.add(bytes, piece)
    await othersFirst()
  }
  intake.rejectUnreadableBody()
  if (intake.accepted.length === 0) return intake.receipt(undefined)
  const { lastOffset } = await pipeline.ingest(tenant, intake.accepted)
  return intake.receipt(lastOffset)
}

/** Decides event by event what is taken, and counts. */
class EventIntake {
  readonly accepted: RawEvent[] = []
  readonly #rejections: Rejection[] = []
  readonly #origin: EventOrigin
  #rejectedCount = 0
  #unreadableCount = 0

  constructor(origin: EventOrigin) {
    this.#origin = origin
  }

  add(bytes: Buffer, piece: EventSpan): void {
    const decoded = decodeEvent(bytes, piece)
    if ('refusal' in decoded) {
      const index = this.accepted.length + this.#rejectedCount
      this.#rejectedCount++
      if (decoded.refusal.code === 'INVALID_JSON') this.#unreadableCount++
      if (this.#rejections.length < limits.ingest.errorsListedMax) this.#rejections.push({ index, ...decoded.refusal })
      return
    }
    const { id } = decoded.event
    const reading = extractTimeAndSeverity(decoded.event)
    const event = { ...this.#origin, bytes: toSingleLine(bytes.subarray(piece.start, piece.end)), reading }
    this.accepted.push(isEventId(id) ? { ...event, id } : event)
  }

  /** @throws AppError INVALID_BODY when nothing of the body was JSON: then it is no body of events. */
  rejectUnreadableBody(): void {
    const [first] = this.#rejections
    if (first === undefined || this.accepted.length > 0 || this.#unreadableCount < this.#rejectedCount) return
    throw new AppError('INVALID_BODY', 'the body is not NDJSON, a JSON array or a JSON object', { errors: [first] })
  }

  receipt(lastOffset: number | undefined): IngestReceipt {
    return { acceptedCount: this.accepted.length, rejectedCount: this.#rejectedCount, rejections: this.#rejections, lastOffset }
  }
}

/** Whether it tells an event from others; many products number kinds of events by an `id`. */
function isEventId(id: unknown): id is string {
  return typeof id === 'string' && id !== ''
}

/** Between the values of an event a line break is a space; whatever reads events as lines has each on one. */
function toSingleLine(event: Uint8Array): Uint8Array {
  if (!event.includes(0x0a) && !event.includes(0x0d)) return event
  return event.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte))
}
