import { eventSeverities } from '@tripline/formats/event/event-severity'
import type { EventSeverity } from '@tripline/formats/event/event-severity'
import { limits } from '../../limits.ts'
import type { Histogram, HistogramBucket } from '../event-store.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The allowed bucket lengths (docs/reference/console-api.md#search). */
const bucketLengths = [second, 5 * second, 10 * second, 30 * second, minute, 5 * minute, 15 * minute, hour, 3 * hour, 12 * hour, day]

/** Counts events by time and severity. */
export class HistogramBuilder {
  readonly #bucketMs: number
  readonly #startsAt: number
  readonly #counts: Uint32Array
  #total = 0

  /**
   * Chooses the shortest buckets whose number is low enough for the range; they start at multiples of their length.
   *
   * @throws RangeError for a range of more days than `limits.events.bucketsMax`.
   */
  constructor(from: number, to: number, bucketsWanted: number = limits.events.bucketsWanted) {
    const { bucketsMax } = limits.events
    this.#bucketMs = bucketLengths.find((length) => (to - from) / length <= bucketsWanted) ?? day
    this.#startsAt = Math.floor(from / this.#bucketMs) * this.#bucketMs
    const bucketCount = Math.max(0, Math.ceil((to - this.#startsAt) / this.#bucketMs))
    if (!(bucketCount <= bucketsMax)) {
      throw new RangeError(`the histogram spans ${bucketCount} days; the limit is ${bucketsMax}`)
    }
    this.#counts = new Uint32Array(bucketCount * eventSeverities.length)
  }

  /** Counts an event of the range; `severity` is an index of `eventSeverities`. */
  add(occurredAt: number, severity: number): void {
    this.#counts[Math.floor((occurredAt - this.#startsAt) / this.#bucketMs) * eventSeverities.length + severity]!++
    this.#total++
  }

  build(isExact: boolean): Histogram {
    const bucketCount = this.#counts.length / eventSeverities.length
    const buckets = Array.from({ length: bucketCount }, (_, i) => this.#bucket(i))
    return { bucketMs: this.#bucketMs, buckets, total: this.#total, isExact }
  }

  #bucket(index: number): HistogramBucket {
    const counts = this.#counts.subarray(index * eventSeverities.length, (index + 1) * eventSeverities.length)
    const bySeverity: { [severity in EventSeverity]?: number } = {}
    for (const [i, severity] of eventSeverities.entries()) if (counts[i]! > 0) bySeverity[severity] = counts[i]!
    const count = counts.reduce((sum, some) => sum + some, 0)
    return { startsAt: this.#startsAt + index * this.#bucketMs, count, bySeverity }
  }
}
