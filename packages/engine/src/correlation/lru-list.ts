import { copyOf, noSlot } from './key-table.ts'

/** Groups in the order of their last use, the one used longest ago first: a doubly linked list over columns. */
export class LruList {
  #before = new Int32Array(16)
  #after = new Int32Array(16)
  #head = noSlot
  #tail = noSlot

  /** The first group; `noSlot` where there is none. */
  get head(): number {
    return this.#head
  }

  /** Bytes of memory that it takes. */
  get byteLength(): number {
    return this.#before.byteLength + this.#after.byteLength
  }

  /** The group after one; `noSlot` after the last. */
  after(group: number): number {
    return this.#after[group]!
  }

  /** Puts a group that is not in the list at its end. */
  append(group: number): void {
    this.#before[group] = this.#tail
    this.#after[group] = noSlot
    if (this.#tail === noSlot) this.#head = group
    else this.#after[this.#tail] = group
    this.#tail = group
  }

  remove(group: number): void {
    const before = this.#before[group]!
    const after = this.#after[group]!
    if (before === noSlot) this.#head = after
    else this.#after[before] = after
    if (after === noSlot) this.#tail = before
    else this.#before[after] = before
  }

  moveToEnd(group: number): void {
    if (this.#tail === group) return
    this.remove(group)
    this.append(group)
  }

  /** Makes room for groups with numbers below a capacity. */
  grow(capacity: number): void {
    this.#before = copyOf(this.#before, new Int32Array(capacity))
    this.#after = copyOf(this.#after, new Int32Array(capacity))
  }
}
