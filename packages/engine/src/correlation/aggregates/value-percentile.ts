import type { Contribution } from '../contribution.ts'
import { nanosPerMs } from '../time/time-scale.ts'
import type { Instant } from '../time/time-scale.ts'
import type { Aggregate, Approximation, StateCell, StateCells } from './aggregate.ts'
import { CellLists } from './cell-lists.ts'
import { QuantileSketch, joinedKey, placeIn } from './quantile-sketch.ts'

type PercentileOptions = {
  readonly percentile: number
  /** When numbers leave the window after they came; infinite where they leave it all together. */
  readonly span: Instant
  readonly instantsMax: number
}

/** Parts of a timespan whose numbers leave a sketch together. */
const sliceCount = 64

/**
 * Finds the number at or below which a given percentage of each group's numbers lie, by nearest rank. Exact up to a
 * stated number of numbers a group; beyond, a sketch for each slice of the timespan and the sum of them.
 */
export class ValuePercentile implements Aggregate {
  readonly #percentile: number
  readonly #slice: Instant
  readonly #instantsMax: number
  readonly #cells = new CellLists('none')
  /** By group: its numbers in ascending order, while they are kept apart. */
  readonly #sorted: (number[] | undefined)[] = []
  readonly #sketches = new Map<number, SlidingSketch>()

  constructor({ percentile, span, instantsMax }: PercentileOptions) {
    this.#percentile = percentile
    this.#slice = span / sliceCount
    this.#instantsMax = instantsMax
  }

  add(group: number, { at, value }: Contribution): void {
    this.#enter(group, at, Number(value))
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    const sketch = this.#sketches.get(group)
    if (sketch !== undefined) {
      sketch.expire(until, isInclusive)
      if (sketch.isEmpty) this.#sketches.delete(group)
      return
    }
    while (this.#cells.isDue(group, until, isInclusive)) {
      const sorted = this.#sorted[group]!
      sorted.splice(placeIn(sorted, this.#cells.number(this.#cells.first(group))), 1)
      this.#cells.dropFirst(group)
    }
  }

  oldestAt(group: number): Instant {
    const sketch = this.#sketches.get(group)
    if (sketch !== undefined) return sketch.oldestAt
    const first = this.#cells.first(group)
    return first < 0 ? Infinity : this.#cells.at(first)
  }

  valueOf(group: number): number | undefined {
    const sketch = this.#sketches.get(group)
    if (sketch !== undefined) return sketch.percentile(this.#percentile)
    const sorted = this.#sorted[group] ?? []
    // Multiplied before it is divided: 7 / 100 * 100 is a little more than 7.
    return sorted[Math.max(1, Math.ceil((this.#percentile * sorted.length) / 100)) - 1]
  }

  forget(group: number): void {
    this.#cells.dropAll(group)
    this.#sorted[group] = undefined
    this.#sketches.delete(group)
  }

  approximationOf(group: number): Approximation | undefined {
    const sketch = this.#sketches.get(group)
    return sketch && { relativeError: sketch.relativeError, windowErrorMs: this.#slice === Infinity ? 0 : this.#slice / nanosPerMs }
  }

  evictedCount(): number {
    return 0
  }

  cellCount(): number {
    let count = this.#cells.size
    for (const sketch of this.#sketches.values()) count += sketch.binCount
    return count
  }

  byteLength(): number {
    let bytes = this.#cells.byteLength + 8 * (this.#sorted.length + this.#cells.size)
    for (const sketch of this.#sketches.values()) bytes += 40 * sketch.binCount
    return bytes
  }

  save(group: number, out: StateCell[]): void {
    const sketch = this.#sketches.get(group)
    if (sketch !== undefined) {
      out.push(-1)
      sketch.save(out)
      return
    }
    out.push(this.#cells.count(group))
    for (const [at, number] of this.#cellsOf(group)) out.push(at, number)
  }

  load(group: number, cells: StateCells): void {
    const count = cells.number()
    if (count === -1) this.#sketches.set(group, SlidingSketch.load(this.#slice, cells))
    for (let i = 0; i < count; i++) {
      const at = cells.number()
      this.#enter(group, at, cells.number())
    }
  }

  #enter(group: number, at: Instant, number: number): void {
    const sketch = this.#sketches.get(group)
    if (sketch !== undefined) {
      sketch.add(at, number)
      return
    }
    if (this.#cells.count(group) >= this.#instantsMax) {
      const own = new SlidingSketch(this.#slice)
      for (const [earlier, other] of this.#cellsOf(group)) own.add(earlier, other)
      own.add(at, number)
      this.forget(group)
      this.#sketches.set(group, own)
      return
    }
    this.#cells.append(group, at, number)
    const sorted = (this.#sorted[group] ??= [])
    sorted.splice(placeIn(sorted, number), 0, number)
  }

  /** The numbers of a group that are kept apart, oldest first. */
  *#cellsOf(group: number): Generator<readonly [at: Instant, number: number]> {
    for (let cell = this.#cells.first(group); cell >= 0; cell = this.#cells.next(cell)) {
      yield [this.#cells.at(cell), this.#cells.number(cell)]
    }
  }
}

/** A sketch of the numbers of a sliding window: one for each slice of time, oldest first, and the sum of them. */
class SlidingSketch {
  readonly #slice: Instant
  readonly #sum = new QuantileSketch()
  /** Each has when its newest number came, and how many numbers each bin has. */
  #slices: { at: Instant; bins: Map<number, number> }[] = []
  #joinCount = 0

  constructor(slice: Instant) {
    this.#slice = slice
  }

  static load(slice: Instant, cells: StateCells): SlidingSketch {
    const sketch = new SlidingSketch(slice)
    sketch.#joinCount = cells.number()
    sketch.#sum.setJoinCount(sketch.#joinCount)
    for (let count = cells.number(); count > 0; count--) {
      const at = cells.number()
      const bins = new Map<number, number>()
      for (let binCount = cells.number(); binCount > 0; binCount--) {
        const key = cells.number()
        const numberCount = cells.number()
        bins.set(key, numberCount)
        sketch.#sum.change(key, numberCount)
      }
      sketch.#slices.push({ at, bins })
    }
    return sketch
  }

  get isEmpty(): boolean {
    return this.#slices.length === 0
  }

  get oldestAt(): Instant {
    return this.#slices[0]?.at ?? Infinity
  }

  get relativeError(): number {
    return this.#sum.relativeError
  }

  get binCount(): number {
    return this.#slices.reduce((count, { bins }) => count + bins.size, this.#sum.binCount)
  }

  add(at: Instant, number: number): void {
    let last = this.#slices.at(-1)
    if (last === undefined || Math.floor(last.at / this.#slice) !== Math.floor(at / this.#slice)) {
      last = { at, bins: new Map() }
      this.#slices.push(last)
    }
    last.at = at
    const key = this.#sum.keyOf(number)
    last.bins.set(key, (last.bins.get(key) ?? 0) + 1)
    this.#sum.change(key, 1)
    if (this.#sum.isFull) this.#joinNeighbours()
  }

  expire(until: Instant, isInclusive: boolean): void {
    const staying = this.#slices.findIndex(({ at }) => (isInclusive ? at > until : at >= until))
    for (const { bins } of this.#slices.splice(0, staying === -1 ? this.#slices.length : staying)) {
      for (const [key, count] of bins) this.#sum.change(key, -count)
    }
  }

  percentile(percentile: number): number | undefined {
    return this.#sum.percentile(percentile)
  }

  save(out: StateCell[]): void {
    out.push(this.#joinCount, this.#slices.length)
    for (const { at, bins } of this.#slices) {
      out.push(at, bins.size)
      for (const [key, count] of bins) out.push(key, count)
    }
  }

  #joinNeighbours(): void {
    this.#sum.joinNeighbours()
    this.#joinCount++
    for (const slice of this.#slices) {
      const joined = new Map<number, number>()
      for (const [key, count] of slice.bins) joined.set(joinedKey(key), (joined.get(joinedKey(key)) ?? 0) + count)
      slice.bins = joined
    }
  }
}
