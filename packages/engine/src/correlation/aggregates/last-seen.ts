import type { Contribution, RememberedEvent } from '../contribution.ts'
import { copyOf, grown } from '../key-table.ts'
import type { Instant } from '../time/time-scale.ts'
import { ExactAggregate } from './aggregate.ts'
import type { StateCell, StateCells } from './aggregate.ts'

/** When each group last saw each member, and with which event: all that an unordered temporal condition needs. */
export class LastSeen extends ExactAggregate {
  readonly #memberCount: number
  #lastAt: Float64Array<ArrayBuffer>
  #sequence: Float64Array<ArrayBuffer>

  constructor(memberCount: number) {
    super()
    this.#memberCount = memberCount
    this.#lastAt = new Float64Array(16 * memberCount).fill(-Infinity)
    this.#sequence = new Float64Array(16 * memberCount)
  }

  add(group: number, { member, at, sequence }: Contribution): void {
    const place = group * this.#memberCount + member
    if ((group + 1) * this.#memberCount > this.#lastAt.length) this.#grow(group + 1)
    this.#lastAt[place] = at
    this.#sequence[place] = sequence
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    const start = group * this.#memberCount
    const end = Math.min(start + this.#memberCount, this.#lastAt.length)
    for (let place = start; place < end; place++) {
      const at = this.#lastAt[place]!
      if (isInclusive ? at <= until : at < until) this.#lastAt[place] = -Infinity
    }
  }

  oldestAt(group: number): Instant {
    let oldest = Infinity
    for (let member = 0; member < this.#memberCount; member++) {
      const at = this.lastAt(group, member)
      if (at !== -Infinity && at < oldest) oldest = at
    }
    return oldest
  }

  /** How many different members it has seen. */
  valueOf(group: number): number {
    let count = 0
    for (let member = 0; member < this.#memberCount; member++) if (this.lastAt(group, member) !== -Infinity) count++
    return count
  }

  /** When a group last saw a member; minus infinity where it did not. */
  lastAt(group: number, member: number): Instant {
    return this.#lastAt[group * this.#memberCount + member] ?? -Infinity
  }

  hasSeen(group: number, member: number): boolean {
    return this.lastAt(group, member) !== -Infinity
  }

  /** The last event of each member that was seen, oldest first. */
  eventsOf(group: number): RememberedEvent[] {
    const events: RememberedEvent[] = []
    for (let member = 0; member < this.#memberCount; member++) {
      const at = this.lastAt(group, member)
      if (at !== -Infinity) events.push({ at, sequence: this.#sequence[group * this.#memberCount + member]!, member })
    }
    return events.sort((a, b) => a.at - b.at || a.sequence - b.sequence)
  }

  byteLength(): number {
    return this.#lastAt.byteLength + this.#sequence.byteLength
  }

  save(group: number, out: StateCell[]): void {
    const events = this.eventsOf(group)
    out.push(events.length)
    for (const { at, sequence, member } of events) out.push(at, sequence, member)
  }

  load(group: number, cells: StateCells): void {
    for (let count = cells.number(); count > 0; count--) {
      const [at, sequence, member] = [cells.number(), cells.number(), cells.number()]
      this.add(group, { at, sequence, member, match: 0, key: '', value: undefined, carried: undefined })
    }
  }

  #grow(groupCount: number): void {
    const capacity = Math.max(grown(this.#lastAt.length / this.#memberCount), groupCount) * this.#memberCount
    this.#lastAt = copyOf(this.#lastAt, new Float64Array(capacity).fill(-Infinity))
    this.#sequence = copyOf(this.#sequence, new Float64Array(capacity))
  }
}
