import { setImmediate as otherRequestsFirst } from 'node:timers/promises'
import type { EventObject } from '@tripline/engine'
import type { PolledEvent } from '../connectors/read-page.ts'
import { AppError } from '../domain/app-error.ts'
import type { TenantId } from '../domain/tenant.ts'
import { decodeEvent } from '../ingest/decode-event.ts'
import type { RefusalCode } from '../ingest/decode-event.ts'
import { inflate } from '../ingest/inflate.ts'
import { splitBody } from '../ingest/split-body.ts'
import type { Piece } from '../ingest/split-body.ts'
import { limits } from '../limits.ts'
import type { AcceptedEvent } from '../pipeline/detect.ts'
import { streamOf } from './app.ts'
import type { App, Stream } from './app.ts'

/** A body of events as it was sent. */
export type IngestBody = { readonly bytes: Uint8Array; readonly contentEncoding: string | undefined }

/** What became of the events of one request. */
export type IngestReceipt = {
  /** Includes the deduplicated ones. */
  readonly acceptedCount: number
  /** Events that were known by their id, and therefore not evaluated again. */
  readonly deduplicatedCount: number
  readonly rejectedCount: number
  /** The first of the rejected ones, at most `limits.ingest.errorsListedMax`. */
  readonly rejections: readonly Rejection[]
  /** The offset of the stream's newest event; undefined before the first. */
  readonly lastOffset: number | undefined
}

/** An event that was refused, by its number among the events of the request. */
export type Rejection = { readonly index: number; readonly code: RefusalCode; readonly reason: string }

/**
 * Takes a body of events: splits it, refuses what is no event, and evaluates the rest. When it resolves, every
 * accepted event has been evaluated and its matches can be read.
 *
 * @throws AppError where the body as a whole cannot be used; then none of its events was evaluated.
 */
export async function ingestEvents(app: App, tenant: TenantId, body: IngestBody): Promise<IngestReceipt> {
  const inflated = await inflate(body.bytes, body.contentEncoding)
  const inflatedCount = inflated === body.bytes ? 0 : inflated.length
  app.bodies.take(inflatedCount)
  try {
    const bytes = Buffer.from(inflated.buffer, inflated.byteOffset, inflated.byteLength)
    return await takeEvents(app, tenant, bytes)
  } finally {
    app.bodies.giveBack(inflatedCount)
  }
}

/**
 * Takes events that a connector brought, each under the id that it has whenever it is brought: one that came before is
 * not evaluated again. When it resolves, all have been evaluated.
 */
export async function ingestPolled(app: App, tenant: TenantId, events: readonly PolledEvent[]): Promise<void> {
  const intake = new Intake(tenant, streamOf(app, tenant), app.clock.now())
  for (const batch of batchesOf(events, ({ bytes }) => bytes.length)) {
    await evaluate(app, tenant, batch.flatMap(({ id, event }) => intake.accept(id, event) ?? []))
  }
}

async function takeEvents(app: App, tenant: TenantId, bytes: Buffer): Promise<IngestReceipt> {
  const intake = new Intake(tenant, streamOf(app, tenant), app.clock.now())
  for (const batch of batchesOf(splitBody(bytes), ({ start, end }) => end - start)) {
    await evaluate(app, tenant, batch.flatMap((piece) => intake.take(bytes, piece) ?? []))
  }
  return intake.receipt()
}

async function evaluate(app: App, tenant: TenantId, accepted: readonly AcceptedEvent[]): Promise<void> {
  const { clock, measure } = app
  const stream = streamOf(app, tenant)
  const startedMs = clock.elapsedMs()
  const matches = await stream.detection.push(accepted, clock.now())
  const matchedRuleIds = matches.map(({ ruleId }) => ruleId)
  measure.evaluated(tenant, { eventCount: accepted.length, durationMs: clock.elapsedMs() - startedMs, matchedRuleIds })
  accepted.forEach(() => stream.counts.evaluate(tenant))
  await otherRequestsFirst()
}

/** Groups events so that one group keeps the process busy for a short time only. */
function* batchesOf<Event>(events: readonly Event[], bytesOf: (event: Event) => number): Generator<readonly Event[]> {
  let start = 0
  let byteCount = 0
  for (const [index, event] of events.entries()) {
    const isFull = index - start === limits.ingest.batchEventsMax || byteCount >= limits.ingest.batchBytesMax
    if (isFull) {
      yield events.slice(start, index)
      start = index
      byteCount = 0
    }
    byteCount += bytesOf(event)
  }
  yield events.slice(start)
}

/** Decides event by event what is taken, and counts. */
class Intake {
  readonly #tenant: TenantId
  readonly #stream: Stream
  readonly #acceptedAt: number
  readonly #rejections: Rejection[] = []
  #acceptedCount = 0
  #deduplicatedCount = 0
  #rejectedCount = 0
  #unreadableCount = 0

  constructor(tenant: TenantId, stream: Stream, acceptedAt: number) {
    this.#tenant = tenant
    this.#stream = stream
    this.#acceptedAt = acceptedAt
  }

  /** The event of a piece with its place on the stream; undefined when it is refused or already known. */
  take(bytes: Buffer, piece: Piece): AcceptedEvent | undefined {
    const decoded = decodeEvent(bytes, piece)
    if ('refusal' in decoded) {
      const index = this.#acceptedCount + this.#rejectedCount
      this.#rejectedCount++
      if (decoded.refusal.code === 'INVALID_JSON') this.#unreadableCount++
      if (this.#rejections.length < limits.ingest.errorsListedMax) this.#rejections.push({ index, ...decoded.refusal })
      return undefined
    }
    const { event } = decoded
    return this.accept(typeof event['id'] === 'string' && event['id'] !== '' ? event['id'] : undefined, event)
  }

  /** An event under the id that it is known by, with its place on the stream; undefined when it is known already. */
  accept(id: string | undefined, event: EventObject): AcceptedEvent | undefined {
    this.#acceptedCount++
    this.#stream.counts.accept(this.#tenant)
    if (id !== undefined && !this.#stream.recentIds.add(id, this.#acceptedAt)) {
      this.#deduplicatedCount++
      this.#stream.counts.deduplicate(this.#tenant)
      return undefined
    }
    return { offset: this.#stream.nextOffset++, acceptedAt: this.#acceptedAt, id, event }
  }

  /** @throws AppError INVALID_BODY when nothing of the body was JSON: then it is no body of events. */
  receipt(): IngestReceipt {
    const [first] = this.#rejections
    if (first !== undefined && this.#acceptedCount === 0 && this.#unreadableCount === this.#rejectedCount) {
      const message = 'the body is neither NDJSON, nor a JSON array, nor a JSON object'
      throw new AppError('INVALID_BODY', message, { errors: [first] })
    }
    return {
      acceptedCount: this.#acceptedCount,
      deduplicatedCount: this.#deduplicatedCount,
      rejectedCount: this.#rejectedCount,
      rejections: this.#rejections,
      lastOffset: this.#stream.nextOffset === 0 ? undefined : this.#stream.nextOffset - 1,
    }
  }
}
