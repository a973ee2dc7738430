import { AppError } from '@tripline/contract/app-error'
import type { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { TurnSlices } from '@tripline/detection/fairness/turn-slices'
import type { AnnouncedBody, Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { EventOrigin, RawEvent } from '@tripline/detection/stages/event-message'
import { readAuditHead } from '@tripline/formats/audit/audit-joiner'
import type { AuditRecordHead } from '@tripline/formats/audit/audit-joiner'
import { addAuditFields } from '@tripline/formats/audit/read-audit-record'
import type { BodyFormat } from '@tripline/formats/body-format'
import type { EventSource } from '@tripline/formats/event/event-arrival'
import { extractTimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import { inflate } from '@tripline/formats/inflate'
import { encodeEvent } from '@tripline/formats/json/decode-event'
import type { DecodedEvent, RefusalCode } from '@tripline/formats/json/decode-event'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import { createHash } from 'node:crypto'
import { limits } from '../limits.ts'
import { joinAuditEvents } from './join-audit-events.ts'

/** A request body with events, as received. */
type IngestBody<Part> = {
  readonly bytes: Uint8Array
  readonly format: BodyFormat<Part>
  readonly contentEncoding: string | undefined
  /** Rejected events that the receipt lists; default `limits.ingest.errorsListedMax`. */
  readonly errorsListedMax?: number
  /** The number that the sender gave the first event; the others follow it. It sends an event again under the same number. */
  readonly batch?: SentBatch
  /** Called with the accepted events once they are durable, before the receipt; a sender whose request fails sends them again. */
  readonly onDurable?: (events: readonly RawEvent[]) => Promise<void>
}

/** A batch of a sender that counts its events: the name of the series, and the number of its first event. */
export type SentBatch = { readonly series: string; readonly first: number }

/** The sender of events, and the default log source of its events. */
type Sender = Pick<Principal, 'tenant' | 'logsource' | 'actor'>

/** The result of ingesting the events of one request. */
export type IngestReceipt = {
  /** Includes duplicates of earlier events, and each record of a joined event. */
  readonly acceptedCount: number
  /** Records of Linux audit that became part of an event with another one: there are as many events fewer than records. */
  readonly joinedCount: number
  readonly rejectedCount: number
  /** The first rejected events, at most as many as were asked for. */
  readonly rejections: readonly Rejection[]
  /** The offset of the last accepted event on the stream; undefined if none was accepted. */
  readonly lastOffset: number | undefined
}

/** A rejected event, by its index in the request. */
type Rejection = { readonly index: number; readonly code: RefusalCode; readonly reason: string }

/** The memory that bodies take, where events go, and when a tenant may decode some. */
export type IngestDeps = {
  readonly bodies: { readonly reserve: (byteCount: number) => void; readonly release: (byteCount: number) => void }
  readonly pipeline: Pick<Pipeline, 'ingest'>
  readonly turns: Pick<FairTurns, 'next' | 'elapsedMs'>
  /** Counts the body as queued work until its events are read. */
  readonly announced?: Pick<AnnouncedBody, 'wasRead'>
}

/**
 * Ingests a body of events: splits it, rejects invalid events and passes the rest to the pipeline. When this resolves, every
 * accepted event is durable; it is evaluated soon afterwards, exactly once.
 *
 * @throws AppError if the whole body is unusable, or a queue is full (RATE_LIMITED for the tenant's, UNAVAILABLE for the
 *   shared one); part of a very large body may have been accepted then, and can be sent again. OUTCOME_UNKNOWN when the disk
 *   failed meanwhile.
 */
export async function ingestEvents<Part extends EventPart>(
  { bodies, announced, pipeline, turns }: IngestDeps, { tenant, ...sender }: Sender, body: IngestBody<Part>,
): Promise<IngestReceipt> {
  const inflated = await inflate(body.bytes, body.contentEncoding)
  const inflatedCount = inflated === body.bytes ? 0 : inflated.length
  const { format, errorsListedMax = limits.ingest.errorsListedMax, batch } = body
  bodies.reserve(inflatedCount)
  const source = getSource(sender)
  const reader = new BodyReader(format, source, { errorsListedMax, batch, reserve: bodies.reserve.bind(bodies) })
  try {
    const bytes = Buffer.from(inflated.buffer, inflated.byteOffset, inflated.byteLength)
    const slices = new TurnSlices(turns, tenant)
    for (const part of format.scanBody(bytes)) {
      await slices.yieldIfDue()
      if (part !== undefined) reader.add(bytes, part)
    }
    reader.rejectUnreadableBody()
    // The length that the sender announced is that before it was inflated.
    announced?.wasRead({ eventCount: reader.accepted.length, byteCount: body.bytes.length })
    if (reader.accepted.length === 0) return reader.receipt({ lastOffset: undefined, eventCount: 0 })
    const joined = reader.join()
    const events = format.isRetriedWhole === true ? nameRetriedEvents(joined, source, bytes) : joined
    const { lastOffset } = await pipeline.ingest(tenant, events)
    await body.onDurable?.(events)
    return reader.receipt({ lastOffset, eventCount: events.length })
  } finally {
    bodies.release(inflatedCount + reader.encodedByteCount)
  }
}

/**
 * Gives events without ids the hash of the body that they came in and their place in it, so that a body that a shipper sends again
 * is evaluated once. Left alone are bodies of which two may be equal and both meant.
 */
function nameRetriedEvents(events: readonly RawEvent[], { connectorId = '' }: EventSource, bytes: Uint8Array): readonly RawEvent[] {
  if (!isSingular(events) || events.every(({ id }) => id !== undefined)) return events
  const hash = createHash('sha256').update(connectorId).update('\n').update(bytes).digest('base64url')
  return events.map((event, index) => (event.id === undefined ? { ...event, id: `${hash} ${index}` } : event))
}

/**
 * Whether the events of a body occur together once: one of them tells its time finer than in seconds, or there are several, all
 * with a time and no two the same. A single line is often written twice in a second; the same series of different lines is not.
 */
function isSingular(events: readonly RawEvent[]): boolean {
  const times = events.map(({ reading }) => reading?.occurredAt)
  if (times.some((at) => at !== undefined && at % 1_000 !== 0)) return true
  if (events.length < 2 || times.includes(undefined)) return false
  const texts = events.map(({ bytes }) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
  return new Set(texts).size === events.length
}

/**
 * Ingests events that a connector polled. Each has a stable id, so an event that is delivered again is not evaluated again; records
 * of Linux audit are not joined, because they may be delivered again in other company.
 * When this resolves, all are durable.
 *
 * @throws AppError as `ingestEvents` does if a queue is full.
 */
export async function ingestPolledEvents(
  pipeline: Pick<Pipeline, 'ingest'>, { tenant, connectorId }: PollingConnector, events: readonly PolledEvent[],
): Promise<void> {
  if (events.length > 0) await pipeline.ingest(tenant, events.map(({ id, bytes }) => ({ id, connectorId, bytes: toSingleLine(bytes) })))
}

/** The connector that polls events. */
type PollingConnector = { readonly tenant: TenantId; readonly connectorId: string }

function getSource({ actor, logsource }: Omit<Sender, 'tenant'>): EventSource {
  const hasSource = actor.type === 'connector' || actor.type === 'collector'
  return { ...(hasSource && { connectorId: actor.id }), ...(logsource && { logsource }) }
}

/** The place of an event in a body; formats without places bring bytes of their own. */
export type EventPart = { readonly start?: number; readonly end?: number }

type ReaderOptions = {
  readonly errorsListedMax: number
  readonly batch: SentBatch | undefined
  readonly reserve: (byteCount: number) => void
}

/** Decodes events one by one and counts accepted and rejected ones. */
class BodyReader<Part extends EventPart> {
  readonly accepted: RawEvent[] = []
  /** Bytes of events that were printed anew, which the memory limit counts. */
  encodedByteCount = 0
  readonly #auditHeads = new Map<RawEvent, AuditRecordHead>()
  readonly #rejections: Rejection[] = []
  readonly #format: BodyFormat<Part>
  readonly #origin: EventOrigin
  readonly #options: ReaderOptions
  #rejectedCount = 0
  #unreadableCount = 0

  constructor(format: BodyFormat<Part>, origin: EventOrigin, options: ReaderOptions) {
    this.#format = format
    this.#origin = origin
    this.#options = options
  }

  /** @throws AppError PAYLOAD_TOO_LARGE when the events have grown too much, UNAVAILABLE without memory for them. */
  add(bytes: Buffer, part: Part): void {
    const decoded = withAuditFields(this.#format.decodeEvent(bytes, part))
    if ('refusal' in decoded) {
      const index = this.accepted.length + this.#rejectedCount
      this.#rejectedCount++
      if (decoded.refusal.code === 'INVALID_JSON') this.#unreadableCount++
      if (this.#rejections.length < this.#options.errorsListedMax) this.#rejections.push({ index, ...decoded.refusal })
      return
    }
    if (decoded.bytes !== undefined) this.#countEncoded(decoded.bytes.length)
    const { batch } = this.#options
    // A sender that counts its events knows better than a field of theirs which are the same.
    const id = batch === undefined ? decoded.id ?? decoded.event['id'] : this.#nameOfBatch(batch)
    const reading = extractTimeAndSeverity(decoded.event)
    const event: RawEvent = {
      ...this.#origin, bytes: decoded.bytes ?? toSingleLine(bytes.subarray(part.start, part.end)), reading, ...(isEventId(id) && { id }),
    }
    this.accepted.push(event)
    // Each event of a batch that is counted has a number of its own: its sender has joined them.
    const head = batch === undefined ? readAuditHead(decoded.event) : undefined
    if (head !== undefined) this.#auditHeads.set(event, head)
  }

  /** The accepted events, with the records of an audit event as one. @throws AppError UNAVAILABLE without memory for them. */
  join(): readonly RawEvent[] {
    if (this.#auditHeads.size < 2) return this.accepted
    const joined = joinAuditEvents(this.accepted, this.#auditHeads)
    const known = new Set(this.accepted)
    for (const event of joined) if (!known.has(event)) this.#countEncoded(event.bytes.length)
    return joined
  }

  #nameOfBatch({ series, first }: SentBatch): string {
    return `${this.#origin.connectorId ?? ''} ${series} ${first + this.accepted.length + this.#rejectedCount}`
  }

  /** @throws AppError INVALID_BODY if no part of the body was JSON. */
  rejectUnreadableBody(): void {
    const [first] = this.#rejections
    const { unreadable } = this.#format
    if (unreadable === undefined || first === undefined || this.accepted.length > 0) return
    if (this.#unreadableCount === this.#rejectedCount) throw new AppError('INVALID_BODY', unreadable, { errors: [first] })
  }

  /** What many events share, such as the resource of log records, is in each of them. */
  #countEncoded(byteCount: number): void {
    const { inflatedBytesMax } = limits.ingest
    if (this.encodedByteCount + byteCount > inflatedBytesMax) {
      const message = `the events of the body have more than ${inflatedBytesMax} bytes; split it`
      throw new AppError('PAYLOAD_TOO_LARGE', message, { limit_bytes: inflatedBytesMax })
    }
    this.#options.reserve(byteCount)
    this.encodedByteCount += byteCount
  }

  receipt({ lastOffset, eventCount }: { readonly lastOffset: number | undefined; readonly eventCount: number }): IngestReceipt {
    const { length: acceptedCount } = this.accepted
    const joinedCount = acceptedCount - eventCount
    return { acceptedCount, joinedCount, rejectedCount: this.#rejectedCount, rejections: this.#rejections, lastOffset }
  }
}

/** An event whose text is a record of Linux audit has its fields, too, where they fit. */
function withAuditFields(decoded: DecodedEvent): DecodedEvent {
  const event = 'event' in decoded ? addAuditFields(decoded.event) : undefined
  const encoded = event === undefined ? undefined : encodeEvent(event)
  return encoded === undefined || 'refusal' in encoded ? decoded : { ...decoded, ...encoded }
}

/** Whether an `id` identifies a single event; many products use `id` for the kind of event. */
function isEventId(id: unknown): id is string {
  return typeof id === 'string' && id !== ''
}

/** Replaces line breaks between JSON tokens by spaces, so that line-based readers see one event per line. */
function toSingleLine(event: Uint8Array): Uint8Array {
  if (!event.includes(0x0a) && !event.includes(0x0d)) return event
  return event.map((byte) => (byte === 0x0a || byte === 0x0d ? 0x20 : byte))
}
