import type { EventPool } from './event-pool.ts'
import { copyOf, grown } from './key-table.ts'
import type { GroupView, Measure, MeasuredValue } from './measure.ts'

/**
 * Sums the numbers of a group as they come and go, or averages them. What rounding takes away is kept beside
 * the sum (Neumaier), so that a window does not drift from what its numbers come to.
 */
export class ValueSum implements Measure {
  readonly #events: EventPool
  readonly #isAverage: boolean
  #sums = new Float64Array(16)
  #lost = new Float64Array(16)

  constructor(events: EventPool, { isAverage }: { readonly isAverage: boolean }) {
    this.#events = events
    this.#isAverage = isAverage
  }

  add(group: number, event: number, value: MeasuredValue): void {
    // A sum that left the range of numbers would stay lost when its numbers go.
    const number = Math.max(-summedMax, Math.min(Number(value), summedMax))
    if (group >= this.#sums.length) {
      const capacity = Math.max(grown(this.#sums.length), group + 1)
      this.#sums = copyOf(this.#sums, new Float64Array(capacity))
      this.#lost = copyOf(this.#lost, new Float64Array(capacity))
    }
    this.#events.setData(event, number)
    this.#put(group, number)
  }

  remove(group: number, event: number): void {
    this.#put(group, -this.#events.data(event))
  }

  /** A sum that nothing is left of is exactly nothing, whatever was rounded on the way. */
  forget(group: number): void {
    this.#sums[group] = 0
    this.#lost[group] = 0
  }

  valueOf(group: number, { count }: GroupView): number | undefined {
    if (count === 0) return undefined
    const sum = this.#sums[group]! + this.#lost[group]!
    return this.#isAverage ? sum / count : sum
  }

  broughtBy(event: number): number {
    return this.#events.data(event)
  }

  byteLength(): number {
    return this.#sums.byteLength + this.#lost.byteLength
  }

  #put(group: number, number: number): void {
    const sum = this.#sums[group]!
    const next = sum + number
    const isSumLarger = Math.abs(sum) >= Math.abs(number)
    this.#lost[group]! += isSumLarger ? sum - next + number : number - next + sum
    this.#sums[group] = next
  }
}

/** Numbers beyond it count as this: a million of them still add up to a number. */
const summedMax = 1e300

/** Finds the number below or at which a given percentage of a group's numbers lie, by nearest rank (D-41). */
export class ValuePercentile implements Measure {
  readonly #events: EventPool
  readonly #percentile: number
  /** The numbers of each group in ascending order. */
  readonly #sorted: number[][] = []

  constructor(events: EventPool, percentile: number) {
    this.#events = events
    this.#percentile = percentile
  }

  add(group: number, event: number, value: MeasuredValue): void {
    const number = Number(value)
    this.#events.setData(event, number)
    const sorted = (this.#sorted[group] ??= [])
    sorted.splice(placeIn(sorted, number), 0, number)
  }

  remove(group: number, event: number): void {
    const sorted = this.#sorted[group]!
    sorted.splice(placeIn(sorted, this.#events.data(event)), 1)
  }

  forget(group: number): void {
    this.#sorted[group] = []
  }

  valueOf(group: number): number | undefined {
    const sorted = this.#sorted[group] ?? []
    // Multiplied before it is divided: 7 / 100 * 100 is a little more than 7.
    return sorted[Math.max(1, Math.ceil((this.#percentile * sorted.length) / 100)) - 1]
  }

  broughtBy(event: number): number {
    return this.#events.data(event)
  }

  byteLength(): number {
    return this.#sorted.reduce((sum, { length }) => sum + length * 8, this.#sorted.length * 8)
  }
}

/** The first place at which a number does not come before those of a sorted list. */
function placeIn(sorted: readonly number[], number: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < number) from = middle + 1
    else to = middle
  }
  return from
}
