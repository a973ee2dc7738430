import { AppError } from '@tripline/contract/app-error'
import type { FairTurns } from '@tripline/detection/fairness/fair-turns'
import { TurnSlices } from '@tripline/detection/fairness/turn-slices'
import type { AnnouncedBody, Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { EventOrigin, RawEvent } from '@tripline/detection/stages/event-message'
import { findBodyFormat } from '@tripline/formats/body-format'
import type { BodyFormat } from '@tripline/formats/body-format'
import type { EventSource } from '@tripline/formats/event/event-arrival'
import { extractTimeAndSeverity } from '@tripline/formats/event/extract-time-and-severity'
import { inflate } from '@tripline/formats/inflate'
import type { RefusalCode } from '@tripline/formats/json/decode-event'
import type { EventSpan } from '@tripline/formats/json/split-body'
import type { Principal } from '@tripline/model/access/principal'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'
import type { PolledEvent } from './connectors/read-page.ts'

/** A request body with events, as received. */
type IngestBody = {
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
}

/** The sender of events, and the default log source of its events. */
type Sender = Pick<Principal, 'tenant' | 'logsource' | 'actor'>

/** The result of ingesting the events of one request. */
export type IngestReceipt = {
  /** Includes duplicates of earlier events. */
  readonly acceptedCount: number
  readonly rejectedCount: number
  /** The first rejected events, at most `limits.ingest.errorsListedMax`. */
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
export async function ingestEvents(
  { bodies, announced, pipeline, turns }: IngestDeps, { tenant, ...sender }: Sender, body: IngestBody,
): Promise<IngestReceipt> {
  const inflated = await inflate(body.bytes, body.contentEncoding)
  const inflatedCount = inflated === body.bytes ? 0 : inflated.length
  bodies.reserve(inflatedCount)
  try {
    const bytes = Buffer.from(inflated.buffer, inflated.byteOffset, inflated.byteLength)
    const format = findBodyFormat(body.contentType)
    const reader = new BodyReader(format, getSource(sender))
    const slices = new TurnSlices(turns, tenant)
    for (const span of format.scanBody(bytes)) {
      await slices.yieldIfDue()
      if (span !== undefined) reader.add(bytes, span)
    }
    reader.rejectUnreadableBody()
    // The length that the sender announced is that before it was inflated.
    announced?.wasRead({ eventCount: reader.accepted.length, byteCount: body.bytes.length })
    if (reader.accepted.length === 0) return reader.receipt(undefined)
    const { lastOffset } = await pipeline.ingest(tenant, reader.accepted)
    return reader.receipt(lastOffset)
  } finally {
    bodies.release(inflatedCount)
  }
}

/**
 * Ingests events that a connector polled. Each has a stable id, so an event that is delivered again is not evaluated again.
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
  return { ...(actor.type === 'connector' && { connectorId: actor.id }), ...(logsource && { logsource }) }
}

/** Decodes events one by one and counts accepted and rejected ones. */
class BodyReader {
  readonly accepted: RawEvent[] = []
  readonly #rejections: Rejection[] = []
  readonly #format: BodyFormat
  readonly #origin: EventOrigin
  #rejectedCount = 0
  #unreadableCount = 0

  constructor(format: BodyFormat, origin: EventOrigin) {
    this.#format = format
    this.#origin = origin
  }

  add(bytes: Buffer, piece: EventSpan): void {
    const decoded = this.#format.decodeEvent(bytes, piece)
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

  /** @throws AppError INVALID_BODY if no part of the body was JSON. */
  rejectUnreadableBody(): void {
    const [first] = this.#rejections
    if (first === undefined || this.accepted.length > 0 || this.#unreadableCount < this.#rejectedCount) return
    throw new AppError('INVALID_BODY', 'the body is not NDJSON, a JSON array or a JSON object', { errors: [first] })
  }

  receipt(lastOffset: number | undefined): IngestReceipt {
    return { acceptedCount: this.accepted.length, rejectedCount: this.#rejectedCount, rejections: this.#rejections, lastOffset }
  }
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
