import type { Contribution, RememberedEvent } from '../contribution.ts'
import type { FormulaTerm } from '../../sigma/disjunctive-form.ts'
import type { Instant } from '../time/time-scale.ts'
import type { Aggregate, StateCell, StateCells } from './aggregate.ts'
import { TermChains } from './chains.ts'
import { LastSeen } from './last-seen.ts'

type AbsenceOptions = {
  readonly terms: readonly FormulaTerm[]
  readonly memberCount: number
  readonly isOrdered: boolean
  readonly span: Instant
  /** Whether every completion is judged, not only the oldest that is pending of each term. */
  readonly isEach: boolean
  /** Completions of a group and term that may be pending where each is judged. */
  readonly pendingMax: number
}

/** When an event came, and which of the rules matched it. */
type Moment = { readonly at: Instant; readonly members: readonly number[] }

/**
 * Conditions with `not`, by group, as alternatives (terms) of members that have to be seen and members that must not. An
 * event completes a term when the others were seen within a timespan before; the completion begins at the oldest of their
 * newest events, or where the latest chain does if they have to come in order. It is pending until a timespan after it
 * began, when it is judged, and cancelled by what must not be seen.
 *
 * The oldest pending completion of each term is enough where matches are a timespan apart: what cancels it cancels all
 * that came since, and what comes to a match before it suppresses them.
 */
export class Absence implements Aggregate {
  readonly lastSeen: LastSeen
  readonly #terms: readonly FormulaTerm[]
  readonly #chains: TermChains | undefined
  readonly #span: Instant
  readonly #isEach: boolean
  readonly #pendingMax: number
  /** By group: for each term when its pending completions began, ascending. */
  readonly #pending = new Map<number, Instant[][]>()
  #evictedCount = 0

  constructor({ terms, memberCount, isOrdered, span, isEach, pendingMax }: AbsenceOptions) {
    this.#terms = terms
    this.#span = span
    this.#isEach = isEach
    this.#pendingMax = pendingMax
    this.lastSeen = new LastSeen(memberCount)
    this.#chains = isOrdered ? new TermChains(terms.map(({ seen }) => seen)) : undefined
  }

  add(group: number, contribution: Contribution): void {
    this.lastSeen.add(group, contribution)
    this.#chains?.add(group, contribution.member, contribution.at)
  }

  /**
   * Cancels what a moment cancels, once all of it was added, and returns whether it completes a term without members that
   * must not be seen: that holds at once.
   */
  cancel(group: number, moment: Moment): boolean {
    const { members } = moment
    let isImmediate = false
    for (const [place, term] of this.#terms.entries()) {
      if (term.unseen.some((member) => members.includes(member))) this.#cancel(group, place)
      if (term.unseen.length === 0 && this.#beginningOf(group, place, moment) !== -Infinity) isImmediate = true
    }
    return isImmediate
  }

  /** Makes pending what a moment completes, unless it began before an instant. */
  complete(group: number, moment: Moment, notBefore: Instant): void {
    for (const [place, term] of this.#terms.entries()) {
      if (term.unseen.length === 0) continue
      const beganAt = this.#beginningOf(group, place, moment)
      if (beganAt === -Infinity || beganAt < notBefore) continue
      if (!this.#isCancelled(group, term, beganAt)) this.#addPending(group, place, beganAt)
    }
  }

  /** When the next pending completion of a group is judged; infinite where none is. */
  dueAt(group: number): Instant {
    const pending = this.#pending.get(group)
    if (pending === undefined) return Infinity
    return Math.min(...pending.map(([first = Infinity]) => first)) + this.#span
  }

  /** Takes out what is judged at an instant, and says whether there was anything. */
  takeDue(group: number, at: Instant): boolean {
    const pending = this.#pending.get(group) ?? []
    let isDue = false
    for (const starts of pending) {
      while (starts.length > 0 && starts[0]! + this.#span <= at) {
        starts.shift()
        isDue = true
      }
    }
    this.#dropEmpty(group)
    return isDue
  }

  /** Takes out pending completions that a match suppresses: those that began before it. */
  suppress(group: number, firedAt: Instant): void {
    for (const starts of this.#pending.get(group) ?? []) {
      const staying = starts.filter((at) => at >= firedAt)
      starts.splice(0, starts.length, ...staying)
    }
    this.#dropEmpty(group)
  }

  /** Whether a window that closes as a whole fulfils the condition. */
  holdsAtClose(group: number): boolean {
    return this.#terms.some((term, place) => {
      if (term.unseen.length === 0 || !term.seen.every((member) => this.lastSeen.hasSeen(group, member))) return false
      if (this.#chains === undefined) return !term.unseen.some((member) => this.lastSeen.hasSeen(group, member))
      const startAt = term.seen.length === 0 ? this.#newestAt(group) : this.#chains.startOf(group, place)
      return startAt !== -Infinity && !term.unseen.some((member) => this.lastSeen.lastAt(group, member) >= startAt)
    })
  }

  eventsOf(group: number): RememberedEvent[] {
    return this.lastSeen.eventsOf(group)
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    this.lastSeen.expire(group, until, isInclusive)
    this.#chains?.expire(group, until, isInclusive)
  }

  oldestAt(group: number): Instant {
    return this.lastSeen.oldestAt(group)
  }

  valueOf(group: number): number {
    return this.lastSeen.valueOf(group)
  }

  forget(group: number): void {
    this.lastSeen.forget(group)
    this.#chains?.expire(group, Infinity, true)
    this.#pending.delete(group)
  }

  approximationOf(): undefined {
    return undefined
  }

  evictedCount(): number {
    return this.#evictedCount
  }

  cellCount(): number {
    return 0
  }

  byteLength(): number {
    let bytes = this.lastSeen.byteLength() + (this.#chains?.byteLength ?? 0)
    for (const pending of this.#pending.values()) bytes += pending.reduce((sum, { length }) => sum + 16 + 8 * length, 64)
    return bytes
  }

  save(group: number, out: StateCell[]): void {
    this.lastSeen.save(group, out)
    this.#chains?.save(group, out)
    const pending = this.#pending.get(group) ?? this.#terms.map(() => [])
    for (const starts of pending) out.push(starts.length, ...starts)
  }

  load(group: number, cells: StateCells): void {
    this.lastSeen.load(group, cells)
    this.#chains?.load(group, cells)
    const pending = this.#terms.map(() => Array.from({ length: cells.number() }, () => cells.number()))
    this.#pending.set(group, pending)
    this.#dropEmpty(group)
  }

  /** When what a term needs began that a moment completes; minus infinity where it completes nothing. */
  #beginningOf(group: number, place: number, { at, members }: Moment): Instant {
    const { seen } = this.#terms[place]!
    if (seen.length === 0) return at
    if (this.#chains !== undefined) return members.includes(seen.at(-1)!) ? this.#chains.startOf(group, place) : -Infinity
    if (!seen.some((member) => members.includes(member))) return -Infinity
    return Math.min(...seen.map((member) => this.lastSeen.lastAt(group, member)))
  }

  /** Whether what must not be seen was: in the window, or in order since the beginning. */
  #isCancelled(group: number, { unseen }: FormulaTerm, beganAt: Instant): boolean {
    const since = this.#chains === undefined ? -Infinity : beganAt
    return unseen.some((member) => this.lastSeen.hasSeen(group, member) && this.lastSeen.lastAt(group, member) >= since)
  }

  #addPending(group: number, place: number, beganAt: Instant): void {
    let pending = this.#pending.get(group)
    if (pending === undefined) this.#pending.set(group, (pending = this.#terms.map(() => [])))
    const starts = pending[place]!
    if (starts.at(-1) === beganAt || (starts.length > 0 && !this.#isEach)) return
    if (starts.length < this.#pendingMax) starts.push(beganAt)
    else this.#evictedCount++
  }

  #cancel(group: number, place: number): void {
    const starts = this.#pending.get(group)?.[place]
    if (starts === undefined) return
    starts.length = 0
    this.#dropEmpty(group)
  }

  #dropEmpty(group: number): void {
    if (this.#pending.get(group)?.every(({ length }) => length === 0) === true) this.#pending.delete(group)
  }

  #newestAt(group: number): Instant {
    return this.lastSeen.eventsOf(group).at(-1)?.at ?? -Infinity
  }
}
