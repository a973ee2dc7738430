import type { Contribution } from '../contribution.ts'
import type { Instant } from '../time/time-scale.ts'

/**
 * What a correlation remembers of the events in each group's window: no more than its condition needs. Groups are
 * numbers. The memory of a group is bounded, however many events come.
 */
export type Aggregate = {
  readonly add: (group: number, contribution: Contribution) => void
  /** Forgets what happened before an instant; at it as well where `isInclusive`. */
  readonly expire: (group: number, until: Instant, isInclusive: boolean) => void
  /** The oldest instant of which something is left; infinite where nothing is. */
  readonly oldestAt: (group: number) => Instant
  /** The number that thresholds compare; undefined where there is none to speak of. */
  readonly valueOf: (group: number) => number | undefined
  /** Makes the number free for another group. */
  readonly forget: (group: number) => void
  /** How far the value may be off; undefined where it is exact. */
  readonly approximationOf: (group: number) => Approximation | undefined
  /** Things that were forgotten before their time, of all groups. */
  readonly evictedCount: () => number
  /** Things that are remembered, of all groups. */
  readonly cellCount: () => number
  readonly byteLength: () => number
  readonly save: (group: number, out: StateCell[]) => void
  readonly load: (group: number, cells: StateCells) => void
}

/** Remembers instants of members, all of them: nothing is approximated, evicted, or counted in cells. */
export abstract class ExactAggregate implements Aggregate {
  abstract add(group: number, contribution: Contribution): void
  abstract expire(group: number, until: Instant, isInclusive: boolean): void
  abstract oldestAt(group: number): Instant
  abstract valueOf(group: number): number | undefined
  abstract byteLength(): number
  abstract save(group: number, out: StateCell[]): void
  abstract load(group: number, cells: StateCells): void

  forget(group: number): void {
    this.expire(group, Infinity, true)
  }

  approximationOf(): undefined {
    return undefined
  }

  evictedCount(): number {
    return 0
  }

  cellCount(): number {
    return 0
  }
}

/** How far a value may be off. */
export type Approximation = {
  /** The value is at most this fraction of itself off. */
  readonly relativeError: number
  /** Events up to this many milliseconds older than the window may count. */
  readonly windowErrorMs: number
}

/** Saved state: numbers and texts in the order in which they were written. */
export type StateCell = number | string

/** Reads saved state in that order. */
export class StateCells {
  readonly #cells: readonly StateCell[]
  #at = 0

  constructor(cells: readonly StateCell[]) {
    this.#cells = cells
  }

  number(): number {
    return Number(this.#cells[this.#at++] ?? 0)
  }

  text(): string {
    return String(this.#cells[this.#at++] ?? '')
  }
}
