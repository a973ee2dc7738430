import { copyOf, grown } from '../key-table.ts'
import type { Instant } from '../time/time-scale.ts'

/** Where no cell is: the end of a list. */
export const noCell = -1

/** What stands beside the instant and the first number of each cell. */
type CellShape = 'none' | 'byte' | 'number'

/**
 * Queues of cells, one for each group: singly linked lists over shared columns, with a free list. A cell has an instant,
 * a number, and a byte or another number where the shape says so. What a queue loses first is its oldest cell.
 */
export class CellLists {
  #at = new Float64Array(16)
  #number = new Float64Array(16)
  #extra: Uint8Array<ArrayBuffer> | Float64Array<ArrayBuffer> | undefined
  #next = new Int32Array(16)
  #first = new Int32Array(16).fill(noCell)
  #last = new Int32Array(16).fill(noCell)
  #counts = new Int32Array(16)
  #end = 0
  #firstFree = noCell
  #size = 0

  constructor(shape: CellShape) {
    if (shape !== 'none') this.#extra = shape === 'byte' ? new Uint8Array(16) : new Float64Array(16)
  }

  /** Cells of all groups. */
  get size(): number {
    return this.#size
  }

  get byteLength(): number {
    const cells = this.#at.byteLength + this.#number.byteLength + this.#next.byteLength + (this.#extra?.byteLength ?? 0)
    return cells + this.#first.byteLength + this.#last.byteLength + this.#counts.byteLength
  }

  count(group: number): number {
    return this.#counts[group] ?? 0
  }

  first(group: number): number {
    return this.#first[group] ?? noCell
  }

  last(group: number): number {
    return this.#last[group] ?? noCell
  }

  next(cell: number): number {
    return this.#next[cell]!
  }

  at(cell: number): Instant {
    return this.#at[cell]!
  }

  number(cell: number): number {
    return this.#number[cell]!
  }

  extra(cell: number): number {
    return this.#extra === undefined ? 0 : this.#extra[cell]!
  }

  append(group: number, at: Instant, number: number, extra = 0): number {
    if (group >= this.#first.length) this.#growGroups(group + 1)
    const cell = this.#takeCell()
    this.#at[cell] = at
    this.#number[cell] = number
    if (this.#extra !== undefined) this.#extra[cell] = extra
    this.#next[cell] = noCell
    const last = this.#last[group]!
    if (last === noCell) this.#first[group] = cell
    else this.#next[last] = cell
    this.#last[group] = cell
    this.#counts[group]!++
    this.#size++
    return cell
  }

  /** Changes a cell in its place; its instant must not fall behind that of the cell before. */
  replace(cell: number, at: Instant, number: number, extra: number): void {
    this.#at[cell] = at
    this.#number[cell] = number
    if (this.#extra !== undefined) this.#extra[cell] = extra
  }

  /** Takes the oldest cell out of a queue that has one. */
  dropFirst(group: number): void {
    const cell = this.#first[group]!
    this.#first[group] = this.#next[cell]!
    if (--this.#counts[group]! === 0) this.#last[group] = noCell
    this.#next[cell] = this.#firstFree
    this.#firstFree = cell
    this.#size--
  }

  dropAll(group: number): void {
    while (this.count(group) > 0) this.dropFirst(group)
  }

  /** Whether the oldest cell of a group lies before an instant; at it counts as well where `isInclusive`. */
  isDue(group: number, until: Instant, isInclusive: boolean): boolean {
    const first = this.first(group)
    if (first === noCell) return false
    return isInclusive ? this.#at[first]! <= until : this.#at[first]! < until
  }

  #takeCell(): number {
    const recycled = this.#firstFree
    if (recycled !== noCell) {
      this.#firstFree = this.#next[recycled]!
      return recycled
    }
    if (this.#end === this.#at.length) this.#growCells()
    return this.#end++
  }

  #growCells(): void {
    const capacity = grown(this.#end)
    this.#at = copyOf(this.#at, new Float64Array(capacity))
    this.#number = copyOf(this.#number, new Float64Array(capacity))
    this.#next = copyOf(this.#next, new Int32Array(capacity))
    if (this.#extra instanceof Uint8Array) this.#extra = copyOf(this.#extra, new Uint8Array(capacity))
    else if (this.#extra !== undefined) this.#extra = copyOf(this.#extra, new Float64Array(capacity))
  }

  #growGroups(size: number): void {
    const capacity = Math.max(grown(this.#first.length), size)
    this.#first = copyOf(this.#first, new Int32Array(capacity).fill(noCell))
    this.#last = copyOf(this.#last, new Int32Array(capacity).fill(noCell))
    this.#counts = copyOf(this.#counts, new Int32Array(capacity))
  }
}
