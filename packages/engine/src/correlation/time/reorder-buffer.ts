import type { Contribution } from '../contribution.ts'
import type { Instant } from './time-scale.ts'

/**
 * Reorder buffer: contributions that wait until nothing older can come, in a binary heap on event time. Of equally old
 * ones the first in the stream comes first, and of one event what the first of the named rules makes of it.
 */
export class ReorderBuffer {
  readonly #heap: Contribution[] = []

  get size(): number {
    return this.#heap.length
  }

  /** When the oldest one happened; infinity where none waits. */
  get oldestAt(): Instant {
    return this.#heap[0]?.at ?? Infinity
  }

  add(contribution: Contribution): void {
    const heap = this.#heap
    let place = heap.push(contribution) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!isBefore(contribution, heap[parent]!)) break
      heap[place] = heap[parent]!
      place = parent
    }
    heap[place] = contribution
  }

  /** Takes out the oldest one, if it happened before an instant; at it as well where `isInclusive`. */
  takeDue(until: Instant, isInclusive: boolean): Contribution | undefined {
    const heap = this.#heap
    const oldest = heap[0]
    if (oldest === undefined || (isInclusive ? oldest.at > until : oldest.at >= until)) return undefined
    const last = heap.pop()!
    if (heap.length === 0) return oldest
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, last)) break
      heap[place] = heap[child]!
      place = child
    }
    heap[place] = last
    return oldest
  }

  /** All of them, in no particular order. */
  [Symbol.iterator](): Iterator<Contribution> {
    return this.#heap[Symbol.iterator]()
  }
}

function isBefore(a: Contribution, b: Contribution): boolean {
  if (a.at !== b.at) return a.at < b.at
  return a.sequence === b.sequence ? a.member < b.member : a.sequence < b.sequence
}
