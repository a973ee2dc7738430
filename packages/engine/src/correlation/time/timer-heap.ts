import { copyOf, grown } from '../key-table.ts'
import type { Instant } from './time-scale.ts'

const noPlace = -1

/**
 * At most one timer for each group: an indexed binary heap, earliest first. A timer is due at an instant, or once the
 * instant is over: events of the same instant may still change what the second kind is about.
 */
export class TimerHeap {
  /** Groups in the order of a heap. */
  #heap = new Int32Array(16)
  #size = 0
  #places = new Int32Array(16).fill(noPlace)
  #dueAt = new Float64Array(16)
  #isAfter = new Uint8Array(16)

  get byteLength(): number {
    return this.#heap.byteLength + this.#places.byteLength + this.#dueAt.byteLength + this.#isAfter.byteLength
  }

  /** The group whose timer is due by an instant and next; undefined where none is. */
  peekDue(until: Instant): { readonly group: number; readonly dueAt: Instant } | undefined {
    if (this.#size === 0) return undefined
    const group = this.#heap[0]!
    const dueAt = this.#dueAt[group]!
    const isDue = this.#isAfter[group] === 1 ? dueAt < until : dueAt <= until
    return isDue ? { group, dueAt } : undefined
  }

  set(group: number, dueAt: Instant, isAfter: boolean): void {
    if (group >= this.#places.length) this.#grow(group + 1)
    this.#dueAt[group] = dueAt
    this.#isAfter[group] = Number(isAfter)
    if (this.#places[group] === noPlace) {
      if (this.#size === this.#heap.length) this.#heap = copyOf(this.#heap, new Int32Array(grown(this.#size)))
      this.#put(this.#size++, group)
    }
    this.#siftDown(this.#siftUp(this.#places[group]!))
  }

  remove(group: number): void {
    const place = this.#places[group] ?? noPlace
    if (place === noPlace) return
    this.#places[group] = noPlace
    const last = this.#heap[--this.#size]!
    if (last === group) return
    this.#put(place, last)
    this.#siftDown(this.#siftUp(place))
  }

  #siftUp(from: number): number {
    let place = from
    const group = this.#heap[place]!
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(group, this.#heap[parent]!)) break
      this.#put(place, this.#heap[parent]!)
      place = parent
    }
    this.#put(place, group)
    return place
  }

  #siftDown(from: number): void {
    let place = from
    const group = this.#heap[place]!
    for (;;) {
      let child = 2 * place + 1
      if (child >= this.#size) break
      if (child + 1 < this.#size && this.#isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child++
      if (!this.#isBefore(this.#heap[child]!, group)) break
      this.#put(place, this.#heap[child]!)
      place = child
    }
    this.#put(place, group)
  }

  #put(place: number, group: number): void {
    this.#heap[place] = group
    this.#places[group] = place
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#dueAt[a]! - this.#dueAt[b]!
    return difference === 0 ? this.#isAfter[a]! < this.#isAfter[b]! : difference < 0
  }

  #grow(size: number): void {
    const capacity = Math.max(grown(this.#places.length), size)
    this.#places = copyOf(this.#places, new Int32Array(capacity).fill(noPlace))
    this.#dueAt = copyOf(this.#dueAt, new Float64Array(capacity))
    this.#isAfter = copyOf(this.#isAfter, new Uint8Array(capacity))
  }
}
