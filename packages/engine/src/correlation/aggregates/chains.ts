import { copyOf, grown } from '../key-table.ts'
import type { Instant } from '../time/time-scale.ts'
import type { StateCell, StateCells } from './aggregate.ts'

/**
 * By group, when the latest chain of members in order began: dynamic programming over prefixes, so that a group needs
 * one instant for each, however many events come. A group's are cleared by `expire`.
 */
export abstract class Chains {
  readonly width: number
  #starts: Float64Array<ArrayBuffer>

  constructor(width: number) {
    this.width = width
    this.#starts = new Float64Array(16 * width).fill(-Infinity)
  }

  /** Takes in a member; those of one event in ascending order, so that each may come after the one before. */
  abstract add(group: number, member: number, at: Instant): void

  get byteLength(): number {
    return this.#starts.byteLength
  }

  get(group: number, place: number): Instant {
    return this.#starts[group * this.width + place] ?? -Infinity
  }

  raise(group: number, place: number, at: Instant): void {
    if ((group + 1) * this.width > this.#starts.length) {
      const capacity = Math.max(grown(this.#starts.length / this.width), group + 1) * this.width
      this.#starts = copyOf(this.#starts, new Float64Array(capacity).fill(-Infinity))
    }
    const index = group * this.width + place
    if (at > this.#starts[index]!) this.#starts[index] = at
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    const start = group * this.width
    const end = Math.min(start + this.width, this.#starts.length)
    for (let index = start; index < end; index++) {
      const at = this.#starts[index]!
      if (isInclusive ? at <= until : at < until) this.#starts[index] = -Infinity
    }
  }

  oldestAt(group: number): Instant {
    let oldest = Infinity
    for (let place = 0; place < this.width; place++) {
      const at = this.get(group, place)
      if (at !== -Infinity && at < oldest) oldest = at
    }
    return oldest
  }

  save(group: number, out: StateCell[]): void {
    for (let place = 0; place < this.width; place++) out.push(this.get(group, place))
  }

  load(group: number, cells: StateCells): void {
    for (let place = 0; place < this.width; place++) this.raise(group, place, cells.number())
  }
}

/** The latest chains of each length, over any of the members in the order in which a rule names them. */
export class ChainLengths extends Chains {
  readonly #memberCount: number

  /** At the place of a member and a length is when the latest chain of this length began that ends with the member. */
  constructor(memberCount: number) {
    super(memberCount * memberCount)
    this.#memberCount = memberCount
  }

  add(group: number, member: number, at: Instant): void {
    const count = this.#memberCount
    this.raise(group, member * count, at)
    for (let before = 0; before < member; before++) {
      for (let length = 0; length <= before; length++) {
        const start = this.get(group, before * count + length)
        if (start !== -Infinity) this.raise(group, member * count + length + 1, start)
      }
    }
  }

  /** How many members the longest chain has. */
  longest(group: number): number {
    for (let length = this.#memberCount - 1; length >= 0; length--) {
      for (let member = length; member < this.#memberCount; member++) {
        if (this.get(group, member * this.#memberCount + length) !== -Infinity) return length + 1
      }
    }
    return 0
  }
}

/** The latest chain of each of some lists of members, which are in ascending order: one instant for each prefix. */
export class TermChains extends Chains {
  readonly #terms: readonly (readonly number[])[]
  /** Where the prefixes of each list begin. */
  readonly #offsets: readonly number[]

  constructor(terms: readonly (readonly number[])[]) {
    super(terms.reduce((width, { length }) => width + length, 0))
    this.#terms = terms
    let end = 0
    this.#offsets = terms.map(({ length }) => (end += length) - length)
  }

  add(group: number, member: number, at: Instant): void {
    for (const [term, members] of this.#terms.entries()) {
      const place = members.indexOf(member)
      if (place === -1) continue
      const start = place === 0 ? at : this.get(group, this.#offsets[term]! + place - 1)
      if (start !== -Infinity) this.raise(group, this.#offsets[term]! + place, start)
    }
  }

  /** Whether some list has a whole chain. */
  hasChain(group: number): boolean {
    for (let term = 0; term < this.#terms.length; term++) if (this.startOf(group, term) !== -Infinity) return true
    return false
  }

  /** When the latest whole chain of a list began; minus infinity where there is none, or the list is empty. */
  startOf(group: number, term: number): Instant {
    const { length } = this.#terms[term]!
    return length === 0 ? -Infinity : this.get(group, this.#offsets[term]! + length - 1)
  }
}
