import type { Contribution } from '../contribution.ts'
import { copyOf, grown } from '../key-table.ts'
import { nanosPerMs } from '../time/time-scale.ts'
import type { Instant } from '../time/time-scale.ts'
import type { Aggregate, Approximation, StateCell, StateCells } from './aggregate.ts'
import { CellLists } from './cell-lists.ts'

type SumOptions = {
  readonly isAverage: boolean
  /** When numbers leave the window after they came; infinite where they leave it all together. */
  readonly span: Instant
  /** Instants of a group that are kept apart; what comes beyond goes into buckets of the timespan. */
  readonly instantsMax: number
}

/** Buckets of a timespan, once a group has more instants than it keeps apart. */
const bucketCount = 1_024

/** Numbers beyond it count as this: a million of them still add up to a number. */
const summedMax = 1e300

/**
 * Sums the numbers of each group's window, or averages them. Exact up to a stated number of instants a group; beyond,
 * numbers of one bucket of the timespan are kept as one, and leave together. What rounding takes away is kept beside
 * the sum (Neumaier's summation), so that a window does not drift from what its numbers come to.
 */
export class ValueSum implements Aggregate {
  readonly #isAverage: boolean
  readonly #bucket: Instant
  readonly #instantsMax: number
  /** Each cell has what its numbers come to, and how many they are. */
  readonly #cells = new CellLists('number')
  #sums = new Float64Array(16)
  #lost = new Float64Array(16)
  #counts = new Float64Array(16)
  /** When the newest number came that went into a bucket. */
  #mergedAt = new Float64Array(16).fill(-Infinity)

  constructor({ isAverage, span, instantsMax }: SumOptions) {
    this.#isAverage = isAverage
    this.#bucket = span / bucketCount
    this.#instantsMax = span === Infinity ? 1 : instantsMax
  }

  add(group: number, { at, value }: Contribution): void {
    // A sum that left the range of numbers would stay lost when its numbers go.
    this.#enter(group, at, Math.max(-summedMax, Math.min(Number(value), summedMax)), 1)
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    while (this.#cells.isDue(group, until, isInclusive)) {
      const cell = this.#cells.first(group)
      this.#accumulate(group, -this.#cells.number(cell), -this.#cells.extra(cell))
      this.#cells.dropFirst(group)
    }
    // A sum that nothing is left of is exactly nothing, whatever was rounded on the way.
    if (this.#cells.count(group) === 0) this.#clear(group)
  }

  oldestAt(group: number): Instant {
    const first = this.#cells.first(group)
    return first < 0 ? Infinity : this.#cells.at(first)
  }

  valueOf(group: number): number | undefined {
    const count = this.#counts[group] ?? 0
    if (count === 0) return undefined
    const sum = this.#sums[group]! + this.#lost[group]!
    return this.#isAverage ? sum / count : sum
  }

  forget(group: number): void {
    this.#cells.dropAll(group)
    this.#clear(group)
  }

  approximationOf(group: number): Approximation | undefined {
    if (this.#bucket === Infinity) return undefined
    const isMerged = this.#cells.count(group) > 0 && this.#mergedAt[group]! >= this.oldestAt(group)
    return isMerged ? { relativeError: 0, windowErrorMs: this.#bucket / nanosPerMs } : undefined
  }

  evictedCount(): number {
    return 0
  }

  cellCount(): number {
    return this.#cells.size
  }

  byteLength(): number {
    const sums = this.#sums.byteLength + this.#lost.byteLength + this.#counts.byteLength + this.#mergedAt.byteLength
    return this.#cells.byteLength + sums
  }

  save(group: number, out: StateCell[]): void {
    out.push(this.#cells.count(group), this.#mergedAt[group] ?? -Infinity)
    for (let cell = this.#cells.first(group); cell >= 0; cell = this.#cells.next(cell)) {
      out.push(this.#cells.at(cell), this.#cells.number(cell), this.#cells.extra(cell))
    }
  }

  load(group: number, cells: StateCells): void {
    const [count, mergedAt] = [cells.number(), cells.number()]
    for (let i = 0; i < count; i++) {
      const [at, number, numberCount] = [cells.number(), cells.number(), cells.number()]
      this.#growTo(group)
      this.#cells.append(group, at, number, numberCount)
      this.#accumulate(group, number, numberCount)
    }
    if (count > 0) this.#mergedAt[group] = mergedAt
  }

  #enter(group: number, at: Instant, number: number, count: number): void {
    this.#growTo(group)
    this.#accumulate(group, number, count)
    const last = this.#cells.last(group)
    const isFull = this.#cells.count(group) >= this.#instantsMax
    if (isFull && Math.floor(this.#cells.at(last) / this.#bucket) === Math.floor(at / this.#bucket)) {
      this.#cells.replace(last, at, this.#cells.number(last) + number, this.#cells.extra(last) + count)
      this.#mergedAt[group] = at
    } else this.#cells.append(group, at, number, count)
  }

  #accumulate(group: number, number: number, count: number): void {
    const sum = this.#sums[group]!
    const next = sum + number
    const isSumLarger = Math.abs(sum) >= Math.abs(number)
    this.#lost[group]! += isSumLarger ? sum - next + number : number - next + sum
    this.#sums[group] = next
    this.#counts[group]! += count
  }

  #clear(group: number): void {
    if (group >= this.#sums.length) return
    this.#sums[group] = 0
    this.#lost[group] = 0
    this.#counts[group] = 0
    this.#mergedAt[group] = -Infinity
  }

  #growTo(group: number): void {
    if (group < this.#sums.length) return
    const capacity = Math.max(grown(this.#sums.length), group + 1)
    this.#sums = copyOf(this.#sums, new Float64Array(capacity))
    this.#lost = copyOf(this.#lost, new Float64Array(capacity))
    this.#counts = copyOf(this.#counts, new Float64Array(capacity))
    this.#mergedAt = copyOf(this.#mergedAt, new Float64Array(capacity).fill(-Infinity))
  }
}
