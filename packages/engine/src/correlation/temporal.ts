import type { Formula } from '../sigma/correlation.ts'
import { noEvent } from './event-pool.ts'
import type { EventPool } from './event-pool.ts'
import { copyOf, grown } from './key-table.ts'
import type { GroupView, Measure } from './measure.ts'

/** Counts which of its members a group has seen: the number is how many different ones. */
export class MembersSeen implements Measure {
  readonly #events: EventPool
  readonly #memberCount: number
  #counts: Int32Array
  #distinct = new Int32Array(16)

  constructor(events: EventPool, memberCount: number) {
    this.#events = events
    this.#memberCount = memberCount
    this.#counts = new Int32Array(16 * memberCount)
  }

  add(group: number, event: number): void {
    if (group >= this.#distinct.length) {
      const capacity = Math.max(grown(this.#distinct.length), group + 1)
      this.#distinct = copyOf(this.#distinct, new Int32Array(capacity))
      this.#counts = copyOf(this.#counts, new Int32Array(capacity * this.#memberCount))
    }
    const place = group * this.#memberCount + this.#events.member(event)
    if (this.#counts[place]!++ === 0) this.#distinct[group]!++
  }

  remove(group: number, event: number): void {
    const place = group * this.#memberCount + this.#events.member(event)
    if (--this.#counts[place]! === 0) this.#distinct[group]!--
  }

  forget(): void {
    // Every member was counted out.
  }

  valueOf(group: number): number {
    return this.#distinct[group] ?? 0
  }

  /** Whether a group has seen a member. */
  hasSeen(group: number, member: number): boolean {
    return this.#counts[group * this.#memberCount + member]! > 0
  }

  broughtBy(): undefined {
    return undefined
  }

  byteLength(): number {
    return this.#counts.byteLength + this.#distinct.byteLength
  }
}

/** Whether a formula holds of the members that a group has seen. */
export function formulaHolds(formula: Formula, hasSeen: (member: number) => boolean): boolean {
  switch (formula.kind) {
    case 'rule':
      return hasSeen(formula.rule)
    case 'not':
      return !formulaHolds(formula.of, hasSeen)
    case 'and':
      return formula.of.every((part) => formulaHolds(part, hasSeen))
    case 'or':
      return formula.of.some((part) => formulaHolds(part, hasSeen))
  }
}

/**
 * Whether a formula is decided while more members may yet be seen: true when it holds whatever comes, false
 * when it cannot hold any more, undefined when that is open.
 */
export function decidedFormula(formula: Formula, hasSeen: (member: number) => boolean): boolean | undefined {
  switch (formula.kind) {
    case 'rule':
      return hasSeen(formula.rule) ? true : undefined
    case 'not': {
      const of = decidedFormula(formula.of, hasSeen)
      return of === undefined ? undefined : !of
    }
    case 'and':
    case 'or': {
      const decisive = formula.kind === 'or'
      const parts = formula.of.map((part) => decidedFormula(part, hasSeen))
      if (parts.includes(decisive)) return decisive
      return parts.includes(undefined) ? undefined : !decisive
    }
  }
}

/** Whether a formula has a negation anywhere, so that more that is seen may make it fail. */
export function hasNegation(formula: Formula): boolean {
  if (formula.kind === 'rule') return false
  return formula.kind === 'not' || formula.of.some(hasNegation)
}

/** How many members, of those that are named in order, a group saw one after the other at most. */
export function longestChain(memberCount: number, view: GroupView): number {
  // The longest chain that ends with each member so far.
  const lengths = Array.from({ length: memberCount }, () => 0)
  for (const members of membersByEvent(view)) {
    for (const member of members) {
      let before = 0
      for (let other = 0; other < member; other++) before = Math.max(before, lengths[other]!)
      lengths[member] = Math.max(lengths[member]!, before + 1)
    }
  }
  return Math.max(...lengths)
}

/** Whether a group saw members, which are in ascending order, one after the other. */
export function hasChain(members: readonly number[], view: GroupView): boolean {
  let found = 0
  for (const seen of membersByEvent(view)) {
    for (const member of seen) if (member === members[found]) found++
    if (found === members.length) return true
  }
  return found === members.length
}

/**
 * The members that each event of a group is of, in ascending order: an event that several rules match comes after
 * none of them, so that every order of theirs is seen in it.
 */
function* membersByEvent({ first, events }: GroupView): Generator<readonly number[]> {
  for (let event = first; event !== noEvent;) {
    const sequence = events.sequence(event)
    const members: number[] = []
    for (; event !== noEvent && events.sequence(event) === sequence; event = events.next(event)) members.push(events.member(event))
    yield members.length === 1 ? members : members.sort((a, b) => a - b)
  }
}
