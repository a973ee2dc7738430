import type { Contribution } from '../contribution.ts'
import { KeyTable, copyOf, grown } from '../key-table.ts'
import type { Instant } from '../time/time-scale.ts'
import type { Aggregate, StateCell, StateCells } from './aggregate.ts'
import { CellLists } from './cell-lists.ts'

type ShareOptions = { readonly seed: number; readonly isCaseSensitive: boolean; readonly instantsMax: number }

/**
 * How much of each group's window has a value, in percent, and when each value last made a match: rare values have a small
 * share. A group that sees more than `instantsMax` values forgets the oldest, which is counted.
 */
export class ValueShare implements Aggregate {
  readonly #keys: KeyTable
  readonly #instantsMax: number
  /** Each cell has the slot of its value. */
  readonly #cells = new CellLists('none')
  /** By value of a group: how often it is in the window, when it last made a match, and whether its share was met then. */
  #counts = new Int32Array(16)
  #firedAt = new Float64Array(16)
  #isHeld = new Uint8Array(16)
  #evictedCount = 0

  constructor({ seed, isCaseSensitive, instantsMax }: ShareOptions) {
    this.#keys = new KeyTable(seed, isCaseSensitive)
    this.#instantsMax = instantsMax
  }

  add(group: number, { at, value }: Contribution): void {
    this.#enter(group, at, String(value ?? ''))
    if (this.#cells.count(group) <= this.#instantsMax) return
    this.#dropFirst(group)
    this.#evictedCount++
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    while (this.#cells.isDue(group, until, isInclusive)) this.#dropFirst(group)
  }

  oldestAt(group: number): Instant {
    const first = this.#cells.first(group)
    return first < 0 ? Infinity : this.#cells.at(first)
  }

  /** The share of the newest value. */
  valueOf(group: number): number | undefined {
    const last = this.#cells.last(group)
    return last < 0 ? undefined : this.#shareOf(group, this.#cells.number(last))
  }

  /** The share of a value that is in the window, and where to remember what came of it. */
  shareOf(group: number, value: string): { readonly slot: number; readonly share: number } | undefined {
    const slot = this.#keys.find(`${group}:${value}`)
    return slot < 0 ? undefined : { slot, share: this.#shareOf(group, slot) }
  }

  isHeld(slot: number): boolean {
    return this.#isHeld[slot] === 1
  }

  firedAt(slot: number): Instant {
    return this.#firedAt[slot]!
  }

  setHeld(slot: number, isHeld: boolean): void {
    this.#isHeld[slot] = Number(isHeld)
  }

  setFired(slot: number, at: Instant): void {
    this.#firedAt[slot] = at
  }

  forget(group: number): void {
    while (this.#cells.count(group) > 0) this.#dropFirst(group)
  }

  approximationOf(): undefined {
    return undefined
  }

  evictedCount(): number {
    return this.#evictedCount
  }

  cellCount(): number {
    return this.#cells.size
  }

  byteLength(): number {
    return this.#keys.byteLength + this.#cells.byteLength + this.#counts.byteLength + this.#firedAt.byteLength + this.#isHeld.byteLength
  }

  save(group: number, out: StateCell[]): void {
    out.push(this.#cells.count(group))
    for (let cell = this.#cells.first(group); cell >= 0; cell = this.#cells.next(cell)) {
      const slot = this.#cells.number(cell)
      const key = this.#keys.keyOf(slot)
      out.push(key.slice(key.indexOf(':') + 1), this.#cells.at(cell), this.#firedAt[slot]!, this.#isHeld[slot]!)
    }
  }

  load(group: number, cells: StateCells): void {
    for (let count = cells.number(); count > 0; count--) {
      const value = cells.text()
      const slot = this.#enter(group, cells.number(), value)
      this.#firedAt[slot] = cells.number()
      this.#isHeld[slot] = cells.number()
    }
  }

  #enter(group: number, at: Instant, value: string): number {
    const knownCount = this.#keys.size
    const slot = this.#keys.add(`${group}:${value}`)
    if (slot >= this.#counts.length) this.#grow(slot + 1)
    if (this.#keys.size !== knownCount) {
      this.#counts[slot] = 0
      this.#firedAt[slot] = -Infinity
      this.#isHeld[slot] = 0
    }
    this.#counts[slot]!++
    this.#cells.append(group, at, slot)
    return slot
  }

  #shareOf(group: number, slot: number): number {
    return (100 * this.#counts[slot]!) / this.#cells.count(group)
  }

  #dropFirst(group: number): void {
    const slot = this.#cells.number(this.#cells.first(group))
    this.#cells.dropFirst(group)
    if (--this.#counts[slot]! === 0) this.#keys.remove(slot)
  }

  #grow(size: number): void {
    const capacity = Math.max(grown(this.#counts.length), size)
    this.#counts = copyOf(this.#counts, new Int32Array(capacity))
    this.#firedAt = copyOf(this.#firedAt, new Float64Array(capacity))
    this.#isHeld = copyOf(this.#isHeld, new Uint8Array(capacity))
  }
}
