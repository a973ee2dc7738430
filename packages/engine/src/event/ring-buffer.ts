import { limits } from '../limits.ts'
import type { NormalizedEvent } from './event.ts'
import { isObject } from './value.ts'

/** The capacity of a ring buffer; the first limit that is exceeded evicts the oldest events. */
export type RingBufferLimits = {
  /** Default `limits.ringEventsMax`. */
  readonly eventsMax?: number
  /** Estimated bytes of memory. Default `limits.ringBytesMax`. */
  readonly bytesMax?: number
  /** The maximum age relative to the newest event, in milliseconds. Default unlimited. */
  readonly ageMaxMs?: number
}

/** Events that arrived together, with their ascending sequence numbers and event times. */
export type RingBatch = {
  readonly events: readonly NormalizedEvent[]
  readonly sequences: Float64Array
  /** Milliseconds since the epoch. */
  readonly occurredAt: Float64Array
}

/** A range of events by sequence number and by time; starts are inclusive, ends exclusive. */
export type RingRange = {
  readonly fromSequence?: number
  readonly toSequence?: number
  readonly from?: number
  readonly to?: number
}

/** Rows of a stored batch. Matchers run over it as over a new batch. */
export type RingSlice = RingBatch & {
  /** Row numbers, ascending: the input of a matcher. */
  readonly rows: Uint32Array
}

/** An event of a ring buffer. */
export type RingRow = { readonly event: NormalizedEvent; readonly sequence: number; readonly occurredAt: number }

type StoredBatch = RingBatch & {
  readonly bytes: Uint32Array
  readonly oldestAt: number
  readonly newestAt: number
  /** The first row that is not evicted. */
  start: number
}

/**
 * Ring buffer of the latest events, stored in the batches in which they arrived. Finds events by sequence number and
 * by time without copying them.
 */
export class EventRingBuffer {
  readonly #eventsMax: number
  readonly #bytesMax: number
  readonly #ageMaxMs: number
  /** Oldest first. Evicted batches stay before `#front` until half of the array is evicted. */
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

  /** Estimated bytes of memory of the events. */
  get byteCount(): number {
    return this.#byteCount
  }

  /** Number of evicted events. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  /** The time of the newest event ever appended; minus infinity before the first. */
  get newestAt(): number {
    return this.#newestAt
  }

  /** The sequence number of the oldest event; undefined when the buffer is empty. */
  get firstSequence(): number | undefined {
    const first = this.#batches[this.#front]
    return first?.sequences[first.start]
  }

  /** Appends events with higher sequence numbers than all before and evicts the oldest. Keeps the arrays of the batch. */
  append(batch: RingBatch): void {
    if (batch.events.length === 0) return
    const last = this.#batches.at(-1)?.sequences.at(-1) ?? -Infinity
    if (batch.sequences[0]! <= last) {
      throw new RangeError(`event ${batch.sequences[0]!} does not follow event ${last}, the last of the ring buffer`)
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

  /** Returns the event with a sequence number, unless it is evicted. */
  get(sequence: number): RingRow | undefined {
    const batches = this.#batches
    const at = lowerBound(this.#front, batches.length, (i) => batches[i]!.sequences.at(-1)! >= sequence)
    const batch = batches[at]
    if (batch === undefined) return undefined
    const row = lowerBound(batch.start, batch.sequences.length, (i) => batch.sequences[i]! >= sequence)
    if (batch.sequences[row] !== sequence) return undefined
    return { event: batch.events[row]!, sequence, occurredAt: batch.occurredAt[row]! }
  }

  /** Yields the events of a range, batch by batch, in arrival order. */
  *slices({ fromSequence = -Infinity, toSequence = Infinity, from = -Infinity, to = Infinity }: RingRange = {}): Generator<RingSlice> {
    // The iteration reads the batches of its start: events that are evicted meanwhile, but none appended later.
    const batches = this.#batches.slice(this.#front)
    for (const batch of batches) {
      const { events, sequences, occurredAt, oldestAt, newestAt, start } = batch
      if (newestAt < from || oldestAt >= to || sequences.at(-1)! < fromSequence || sequences[start]! >= toSequence) continue
      const rows: number[] = []
      for (let row = start; row < events.length; row++) {
        const isInRange = sequences[row]! >= fromSequence && sequences[row]! < toSequence
        if (isInRange && occurredAt[row]! >= from && occurredAt[row]! < to) rows.push(row)
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

/** Binary search: returns the first number from `begin` for which a monotonic condition is true, else `end`. */
function lowerBound(begin: number, end: number, isTrue: (number: number) => boolean): number {
  let [from, to] = [begin, end]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isTrue(middle)) to = middle
    else from = middle + 1
  }
  return from
}

/** Overhead in bytes of an object or list, a slot, a string and a number, measured in V8 and rounded up. */
const objectBytes = 56
const slotBytes = 8
const textBytes = 24
const numberBytes = 12

/**
 * Estimates the memory of the values of an event in bytes: good enough to bound memory, not to report it. Field names
 * are shared between events and not counted. Walks without recursion, at most `limits.eventLeavesMax` values.
 */
export function estimateSize(value: unknown): number {
  let bytes = 0
  let visitedCount = 0
  const open: unknown[] = [value]
  while (open.length > 0 && visitedCount < limits.eventLeavesMax) {
    const next = open.pop()
    visitedCount++
    bytes += slotBytes
    if (typeof next === 'string') bytes += textBytes + next.length
    else if (typeof next === 'number' || typeof next === 'bigint') bytes += numberBytes
    else if (Array.isArray(next)) {
      bytes += objectBytes
      for (const element of next.slice(0, limits.eventLeavesMax)) open.push(element)
    } else if (isObject(next)) {
      bytes += objectBytes
      for (const member of Object.values(next)) open.push(member)
    }
  }
  return bytes
}
