import { limits } from '../limits.ts'
import { estimateSize } from './estimate-size.ts'
import type { NormalizedEvent } from './event.ts'

/** How much a ring keeps; whichever is reached first lets the oldest events go. */
export type RingBufferLimits = {
  /** Default `limits.ringEventsMax`. */
  readonly eventsMax?: number
  /** Bytes of memory, roughly. Default `limits.ringBytesMax`. */
  readonly bytesMax?: number
  /** How much older than the newest event one may be, in milliseconds. Without it, age does not matter. */
  readonly ageMaxMs?: number
}

/** Events that came together, with their numbers in the stream, ascending, and when they happened. */
export type RingBatch = {
  readonly events: readonly NormalizedEvent[]
  readonly sequences: Float64Array
  /** Milliseconds since the epoch. */
  readonly occurredAt: Float64Array
}

/** Which events: from a number or a time, both inclusive, to one, both exclusive. */
export type RingRange = {
  readonly fromSequence?: number
  readonly toSequence?: number
  readonly from?: number
  readonly to?: number
}

/** Some rows of a batch as it is kept. Matchers run over it as over a batch that has just come. */
export type RingSlice = RingBatch & {
  /** Numbers of rows, ascending: a matcher's input. */
  readonly rows: Uint32Array
}

/** An event that a ring keeps. */
export type RingRow = { readonly event: NormalizedEvent; readonly sequence: number; readonly occurredAt: number }

type StoredBatch = RingBatch & {
  readonly bytes: Uint32Array
  readonly oldestAt: number
  readonly newestAt: number
  /** The first row that is still there. */
  start: number
}

/**
 * Keeps the last events, in the batches in which they came. Events are found by number in the stream and by
 * time; what is read is not copied.
 */
export class EventRingBuffer {
  readonly #eventsMax: number
  readonly #bytesMax: number
  readonly #ageMaxMs: number
  /** Oldest first; what was let go is at the front, until it is worth moving the rest. */
  #batches: StoredBatch[] = []
  #front = 0
  #eventCount = 0
  #byteCount = 0
  #newestAt = -Infinity
  #evictedCount = 0

  constructor({ eventsMax = limits.ringEventsMax, bytesMax = limits.ringBytesMax, ageMaxMs = Infinity }: RingBufferLimits = {}) {
    this.#eventsMax = eventsMax
    this.#bytesMax = bytesMax
    this.#ageMaxMs = ageMaxMs
  }

  get eventCount(): number {
    return this.#eventCount
  }

  /** Bytes of memory, roughly, that the events take. */
  get byteCount(): number {
    return this.#byteCount
  }

  /** Events that were let go. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  /** When the newest event happened, of all that were ever kept; minus infinity before the first. */
  get newestAt(): number {
    return this.#newestAt
  }

  /** The number of the oldest event that is kept; undefined where none is. */
  get firstSequence(): number | undefined {
    const first = this.#batches[this.#front]
    return first?.sequences[first.start]
  }

  /** Takes in events whose numbers are above all before, and lets go of what is too much. Keeps the arrays that it is given. */
  append(batch: RingBatch): void {
    if (batch.events.length === 0) return
    const last = this.#batches.at(-1)?.sequences.at(-1) ?? -Infinity
    if (batch.sequences[0]! <= last) {
      throw new RangeError(`event ${batch.sequences[0]!} does not come after event ${last}, the last of the ring`)
    }
    const bytes = Uint32Array.from(batch.events, ({ fields }) => estimateSize(fields))
    const oldestAt = batch.occurredAt.reduce((least, at) => Math.min(least, at), Infinity)
    const newestAt = batch.occurredAt.reduce((most, at) => Math.max(most, at), -Infinity)
    this.#batches.push({ ...batch, bytes, oldestAt, newestAt, start: 0 })
    this.#eventCount += batch.events.length
    this.#byteCount += bytes.reduce((sum, count) => sum + count, 0)
    this.#newestAt = Math.max(this.#newestAt, newestAt)
    this.#evict()
  }

  /** The event of a number in the stream, if it is still there. */
  get(sequence: number): RingRow | undefined {
    const batches = this.#batches
    const at = lowerBound(this.#front, batches.length, (i) => batches[i]!.sequences.at(-1)! >= sequence)
    const batch = batches[at]
    if (batch === undefined) return undefined
    const row = lowerBound(batch.start, batch.sequences.length, (i) => batch.sequences[i]! >= sequence)
    if (batch.sequences[row] !== sequence) return undefined
    return { event: batch.events[row]!, sequence, occurredAt: batch.occurredAt[row]! }
  }

  /** The events of a range, batch by batch, in the order in which they came. */
  *slices({ fromSequence = -Infinity, toSequence = Infinity, from = -Infinity, to = Infinity }: RingRange = {}): Generator<RingSlice> {
    // What is appended meanwhile is not read, and what is let go meanwhile is, since it is still at hand.
    const batches = this.#batches.slice(this.#front)
    for (const batch of batches) {
      const { events, sequences, occurredAt, oldestAt, newestAt, start } = batch
      if (newestAt < from || oldestAt >= to || sequences.at(-1)! < fromSequence || sequences[start]! >= toSequence) continue
      const rows: number[] = []
      for (let row = start; row < events.length; row++) {
        const isMeant = sequences[row]! >= fromSequence && sequences[row]! < toSequence
        if (isMeant && occurredAt[row]! >= from && occurredAt[row]! < to) rows.push(row)
      }
      if (rows.length > 0) yield { events, sequences, occurredAt, rows: Uint32Array.from(rows) }
    }
  }

  #evict(): void {
    const earliest = this.#newestAt - this.#ageMaxMs
    for (let batch = this.#batches[this.#front]; batch !== undefined; batch = this.#batches[this.#front]) {
      const isTooMuch = this.#eventCount > this.#eventsMax || this.#byteCount > this.#bytesMax
      if (!isTooMuch && batch.occurredAt[batch.start]! >= earliest) break
      this.#eventCount--
      this.#byteCount -= batch.bytes[batch.start]!
      this.#evictedCount++
      if (++batch.start === batch.events.length) this.#front++
    }
    if (this.#front * 2 <= this.#batches.length) return
    this.#batches = this.#batches.slice(this.#front)
    this.#front = 0
  }
}

/** The first of some ascending numbers of which a condition holds, which holds of all after it; `end` where of none. */
function lowerBound(begin: number, end: number, holds: (number: number) => boolean): number {
  let [from, to] = [begin, end]
  while (from < to) {
    const middle = (from + to) >> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
