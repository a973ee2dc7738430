import { KeyTable, copyOf, grown, noSlot } from './key-table.ts'
import { LruList } from './lru-list.ts'
import type { Instant } from './time/time-scale.ts'

type GroupTableOptions = { readonly seed: number; readonly isCaseSensitive: boolean; readonly groupsMax: number }

/**
 * The groups of a correlation by key: each has a number, a place in an LRU list, and in columns when it last made a match
 * and how it stood when it was last looked at.
 */
export class GroupTable {
  readonly #keys: KeyTable
  readonly #lru = new LruList()
  readonly #groupsMax: number
  #firedAt = new Float64Array(16)
  /** The first event of a group whose condition is judged a timespan later. */
  #firstAt = new Float64Array(16)
  #isHeld = new Uint8Array(16)
  #isJudged = new Uint8Array(16)

  constructor({ seed, isCaseSensitive, groupsMax }: GroupTableOptions) {
    this.#keys = new KeyTable(seed, isCaseSensitive)
    this.#groupsMax = groupsMax
    this.#lru.grow(16)
  }

  get size(): number {
    return this.#keys.size
  }

  get isOverfull(): boolean {
    return this.#keys.size > this.#groupsMax
  }

  get byteLength(): number {
    const columns = this.#firedAt.byteLength + this.#firstAt.byteLength + this.#isHeld.byteLength + this.#isJudged.byteLength
    return columns + this.#keys.byteLength + this.#lru.byteLength
  }

  /** The group that was used longest ago; `noSlot` where there is none. */
  get oldest(): number {
    return this.#lru.head
  }

  /** All groups, the one that was used longest ago first. */
  *[Symbol.iterator](): Generator<number> {
    for (let group = this.#lru.head; group !== noSlot; group = this.#lru.after(group)) yield group
  }

  keyOf(group: number): string {
    return this.#keys.keyOf(group)
  }

  /** The group of a key; a new one is in no list until it is used. */
  add(key: string): number {
    const knownCount = this.#keys.size
    const group = this.#keys.add(key)
    if (this.#keys.size === knownCount) return group
    if (group >= this.#firedAt.length) this.#grow(group + 1)
    this.#firedAt[group] = -Infinity
    this.#firstAt[group] = -Infinity
    this.#isHeld[group] = 0
    this.#isJudged[group] = 0
    return group
  }

  append(group: number): void {
    this.#lru.append(group)
  }

  use(group: number): void {
    this.#lru.moveToEnd(group)
  }

  remove(group: number): void {
    this.#lru.remove(group)
    this.#keys.remove(group)
  }

  /** When a group last made a match; minus infinity where it never did. */
  firedAt(group: number): Instant {
    return this.#firedAt[group]!
  }

  setFiredAt(group: number, at: Instant): void {
    this.#firedAt[group] = at
  }

  firstAt(group: number): Instant {
    return this.#firstAt[group]!
  }

  setFirstAt(group: number, at: Instant): void {
    this.#firstAt[group] = at
  }

  /** Whether the condition held when it was last looked at. */
  isHeld(group: number): boolean {
    return this.#isHeld[group] === 1
  }

  setHeld(group: number, isHeld: boolean): void {
    this.#isHeld[group] = isHeld ? 1 : 0
  }

  /** Whether a timespan has passed since the first event. */
  isJudged(group: number): boolean {
    return this.#isJudged[group] === 1
  }

  setJudged(group: number, isJudged: boolean): void {
    this.#isJudged[group] = isJudged ? 1 : 0
  }

  #grow(size: number): void {
    const capacity = Math.max(size, Math.min(grown(this.#firedAt.length), this.#groupsMax + 1))
    this.#firedAt = copyOf(this.#firedAt, new Float64Array(capacity))
    this.#firstAt = copyOf(this.#firstAt, new Float64Array(capacity))
    this.#lru.grow(capacity)
    this.#isHeld = copyOf(this.#isHeld, new Uint8Array(capacity))
    this.#isJudged = copyOf(this.#isJudged, new Uint8Array(capacity))
  }
}
