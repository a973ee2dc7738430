import type { Contribution } from '../contribution.ts'
import { KeyTable, copyOf, grown, noSlot } from '../key-table.ts'
import type { Instant } from '../time/time-scale.ts'
import type { Aggregate, StateCell, StateCells } from './aggregate.ts'

/** How values are compared, and how many of a group are remembered. */
type DistinctOptions = { readonly seed: number; readonly isCaseSensitive: boolean; readonly countMax: number }

/**
 * The distinct values of each group with the time at which each was last seen: an LRU cache per group over one hash
 * table. Of more values than `countMax` the one that was seen longest ago is forgotten, so that counts are exact up
 * to `countMax`, whatever comes.
 */
export class DistinctValues {
  readonly #keys: KeyTable
  readonly #countMax: number
  /** By value: when it was last seen, and its neighbours, from the one seen longest ago to the newest. */
  #lastAt = new Float64Array(16)
  #before = new Int32Array(16)
  #after = new Int32Array(16)
  /** By group: the ends of its list, and how long it is. */
  #head = new Int32Array(16).fill(noSlot)
  #tail = new Int32Array(16).fill(noSlot)
  #counts = new Int32Array(16)
  #evictedCount = 0

  constructor({ seed, isCaseSensitive, countMax }: DistinctOptions) {
    this.#keys = new KeyTable(seed, isCaseSensitive)
    this.#countMax = countMax
  }

  /** Values that were forgotten because a group had more than it may. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  get size(): number {
    return this.#keys.size
  }

  get byteLength(): number {
    const values = this.#lastAt.byteLength + this.#before.byteLength + this.#after.byteLength
    return this.#keys.byteLength + values + this.#head.byteLength + this.#tail.byteLength + this.#counts.byteLength
  }

  count(group: number): number {
    return this.#counts[group] ?? 0
  }

  /** Notes that a group has seen a value. */
  see(group: number, value: string, at: Instant): void {
    if (group >= this.#head.length) this.#growGroups(group + 1)
    const knownCount = this.#keys.size
    const slot = this.#keys.add(`${group}:${value}`)
    if (slot >= this.#lastAt.length) this.#growValues(slot + 1)
    if (this.#keys.size === knownCount) {
      if (this.#tail[group] !== slot) {
        this.#unlink(group, slot)
        this.#link(group, slot)
      }
    } else {
      this.#link(group, slot)
      this.#counts[group]!++
    }
    this.#lastAt[slot] = at
    if (this.#counts[group]! <= this.#countMax) return
    this.#drop(group, this.#head[group]!)
    this.#evictedCount++
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    if (this.count(group) === 0) return
    for (let slot = this.#head[group]!; slot !== noSlot; slot = this.#head[group]!) {
      const at = this.#lastAt[slot]!
      if (isInclusive ? at > until : at >= until) return
      this.#drop(group, slot)
    }
  }

  oldestAt(group: number): Instant {
    return this.count(group) === 0 ? Infinity : this.#lastAt[this.#head[group]!]!
  }

  forget(group: number): void {
    while (this.count(group) > 0) this.#drop(group, this.#head[group]!)
  }

  /** The values of a group, from the one seen longest ago to the newest. */
  *valuesOf(group: number): Generator<{ readonly value: string; readonly at: Instant }> {
    if (this.count(group) === 0) return
    for (let slot = this.#head[group]!; slot !== noSlot; slot = this.#after[slot]!) {
      const key = this.#keys.keyOf(slot)
      yield { value: key.slice(key.indexOf(':') + 1), at: this.#lastAt[slot]! }
    }
  }

  save(group: number, out: StateCell[]): void {
    out.push(this.count(group))
    for (const { value, at } of this.valuesOf(group)) out.push(value, at)
  }

  load(group: number, cells: StateCells): void {
    for (let count = cells.number(); count > 0; count--) {
      const value = cells.text()
      this.see(group, value, cells.number())
    }
  }

  #drop(group: number, slot: number): void {
    this.#unlink(group, slot)
    this.#counts[group]!--
    this.#keys.remove(slot)
  }

  #link(group: number, slot: number): void {
    const tail = this.#tail[group]!
    this.#before[slot] = tail
    this.#after[slot] = noSlot
    if (tail === noSlot) this.#head[group] = slot
    else this.#after[tail] = slot
    this.#tail[group] = slot
  }

  #unlink(group: number, slot: number): void {
    const [before, after] = [this.#before[slot]!, this.#after[slot]!]
    if (before === noSlot) this.#head[group] = after
    else this.#after[before] = after
    if (after === noSlot) this.#tail[group] = before
    else this.#before[after] = before
  }

  #growValues(size: number): void {
    const capacity = Math.max(grown(this.#lastAt.length), size)
    this.#lastAt = copyOf(this.#lastAt, new Float64Array(capacity))
    this.#before = copyOf(this.#before, new Int32Array(capacity))
    this.#after = copyOf(this.#after, new Int32Array(capacity))
  }

  #growGroups(size: number): void {
    const capacity = Math.max(grown(this.#head.length), size)
    this.#head = copyOf(this.#head, new Int32Array(capacity).fill(noSlot))
    this.#tail = copyOf(this.#tail, new Int32Array(capacity).fill(noSlot))
    this.#counts = copyOf(this.#counts, new Int32Array(capacity))
  }
}

/** Counts the distinct values of each group's window, exactly up to as many as the condition tells apart. */
export class ValueCount implements Aggregate {
  readonly #values: DistinctValues

  constructor(options: DistinctOptions) {
    this.#values = new DistinctValues(options)
  }

  add(group: number, { value, at }: Contribution): void {
    this.#values.see(group, String(value ?? ''), at)
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    this.#values.expire(group, until, isInclusive)
  }

  oldestAt(group: number): Instant {
    return this.#values.oldestAt(group)
  }

  valueOf(group: number): number {
    return this.#values.count(group)
  }

  forget(group: number): void {
    this.#values.forget(group)
  }

  approximationOf(): undefined {
    return undefined
  }

  /** What it forgets early is not needed to answer. */
  evictedCount(): number {
    return 0
  }

  cellCount(): number {
    return this.#values.size
  }

  byteLength(): number {
    return this.#values.byteLength
  }

  save(group: number, out: StateCell[]): void {
    this.#values.save(group, out)
  }

  load(group: number, cells: StateCells): void {
    this.#values.load(group, cells)
  }
}
