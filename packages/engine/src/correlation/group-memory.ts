import type { Correlation, FiringMode } from '../sigma/correlation.ts'
import { StateCells } from './aggregates/aggregate.ts'
import type { Approximation, StateCell } from './aggregates/aggregate.ts'
import { CellLists, noCell } from './aggregates/cell-lists.ts'
import { DistinctValues } from './aggregates/distinct-values.ts'
import type { Contribution, RememberedEvent } from './contribution.ts'
import type { GroupStanding } from './fired-group.ts'
import { countToTell, createGroupCondition } from './group-condition.ts'
import type { GroupCondition } from './group-condition.ts'
import type { Instant, TimeScale } from './time/time-scale.ts'

/** How much the groups of one correlation may hold. */
type MemoryBounds = {
  /** Events of a group that a match shows. */
  readonly eventsMax: number
  /** Numbers of a group that are kept apart. */
  readonly instantsMax: number
  /** Distinct values of a group that are counted, where its condition needs fewer. */
  readonly valuesMin: number
  /** Distinct values that a match carries for other correlations. */
  readonly carriedMax: number
}

/** How the windows of one correlation are run. */
export type WindowOptions = {
  readonly mode: FiringMode
  readonly seed: number
  readonly bounds: MemoryBounds & { readonly groupsMax: number }
  readonly scale: TimeScale
  /** By member: which members bring their values out of the same fields; an event brings those once. */
  readonly valueSources: readonly number[]
  /** Whether events carry values for other correlations. */
  readonly carries: boolean
  readonly onStanding?: ((standing: GroupStanding) => void) | undefined
}

type MemoryOptions = {
  readonly mode: FiringMode
  readonly seed: number
  readonly bounds: MemoryBounds
  /** Whether events carry values for other correlations. */
  readonly carries: boolean
}

/** What is in the window of a group, as a match tells it. */
export type WindowContent = {
  readonly events: readonly RememberedEvent[]
  readonly eventCount: number
  readonly newest: RememberedEvent
  readonly carried: readonly string[]
  readonly approximation: Approximation | undefined
}

/** Events of a window that a match names; there may be many thousands. */
const shownEventsMax = 100

/**
 * What is remembered of the events in the windows of groups: what the condition needs, the newest events to show, and the
 * distinct values that they carry for other correlations.
 */
export class GroupMemory {
  readonly condition: GroupCondition
  readonly #eventsMax: number
  /** The newest events of each group: their sequence, and which rule they matched. */
  readonly #events: CellLists
  readonly #carried: DistinctValues | undefined

  constructor(correlation: Correlation, { mode, seed, bounds, carries }: MemoryOptions) {
    const { isCaseSensitive, condition, type, references } = correlation
    this.#eventsMax = type === 'event_count' ? Math.max(bounds.eventsMax, countToTell(condition)) : bounds.eventsMax
    this.condition = createGroupCondition(correlation, { mode, seed, instantsMax: bounds.instantsMax, valuesMin: bounds.valuesMin })
    this.#events = new CellLists(references.length > 1 ? 'byte' : 'none')
    this.#carried = carries ? new DistinctValues({ seed, isCaseSensitive, countMax: bounds.carriedMax }) : undefined
  }

  /** Events and values that are remembered, of all groups. */
  get cellCount(): number {
    return this.#events.size + (this.condition.aggregate?.cellCount() ?? 0)
  }

  /** What was forgotten before its time though it may be needed. */
  get evictedCount(): number {
    return (this.condition.aggregate?.evictedCount() ?? 0) + (this.#carried?.evictedCount ?? 0)
  }

  get byteLength(): number {
    return this.#events.byteLength + (this.#carried?.byteLength ?? 0) + (this.condition.aggregate?.byteLength() ?? 0)
  }

  /** Events of a group, as far as they are counted. */
  count(group: number): number {
    return this.#events.count(group)
  }

  newestAt(group: number): Instant {
    return this.#events.at(this.#events.last(group))
  }

  newestOf(group: number): RememberedEvent {
    return this.#eventIn(this.#events.last(group))
  }

  /** When the oldest of what the condition looks at happened. */
  oldestAt(group: number): Instant {
    const { aggregate } = this.condition
    return aggregate === undefined ? this.#events.at(this.#events.first(group)) : aggregate.oldestAt(group)
  }

  holds(group: number): boolean {
    return this.condition.holds(group, this.#events.count(group))
  }

  valueOf(group: number): number | undefined {
    return this.condition.valueOf(group, this.#events.count(group))
  }

  /** Takes in an event, to be counted and shown. */
  append(group: number, { at, sequence, member }: RememberedEvent): void {
    this.#events.append(group, at, sequence, member)
    if (this.#events.count(group) > this.#eventsMax) this.#events.dropFirst(group)
  }

  /** Takes in an event of the first version of snapshots: all that it brings, without judging it. */
  addLegacy(group: number, contribution: Contribution): void {
    const { aggregate, absence } = this.condition
    aggregate?.add(group, contribution)
    const moment = { at: contribution.at, members: [contribution.member] }
    if (absence?.cancel(group, moment) === false) absence.complete(group, moment, -Infinity)
    this.append(group, contribution)
  }

  carry(group: number, moment: readonly Contribution[]): void {
    if (this.#carried === undefined) return
    for (const { carried, at } of moment) if (carried !== undefined) this.#carried.see(group, carried, at)
  }

  expire(group: number, until: Instant, isInclusive: boolean): void {
    while (this.#events.isDue(group, until, isInclusive)) this.#events.dropFirst(group)
    this.condition.aggregate?.expire(group, until, isInclusive)
    this.#carried?.expire(group, until, isInclusive)
  }

  forget(group: number): void {
    this.#events.dropAll(group)
    this.condition.aggregate?.forget(group)
    this.#carried?.forget(group)
  }

  /** What the last events of a group bring, which leave an empty window behind. */
  lastOf(group: number): Pick<WindowContent, 'newest' | 'carried'> {
    const newest = this.newestOf(group)
    this.#carried?.expire(group, newest.at, false)
    return { newest, carried: this.#carriedOf(group) }
  }

  contentOf(group: number, last?: Pick<WindowContent, 'newest' | 'carried'>): WindowContent {
    const events = this.eventsOf(group)
    const { newest, carried } = last ?? { newest: this.newestOf(group), carried: this.#carriedOf(group) }
    const approximation = this.condition.aggregate?.approximationOf(group)
    return { events: this.#shownOf(group, events), eventCount: events.length, newest, carried, approximation }
  }

  eventsOf(group: number): RememberedEvent[] {
    const events: RememberedEvent[] = []
    for (let cell = this.#events.first(group); cell !== noCell; cell = this.#events.next(cell)) events.push(this.#eventIn(cell))
    return events
  }

  standingOf(group: number): Omit<GroupStanding, 'key'> {
    const seen = this.condition.lastSeen?.eventsOf(group) ?? []
    const members = [...new Set([...this.eventsOf(group), ...seen].map(({ member }) => member))]
    return { at: this.newestAt(group), value: this.valueOf(group), holds: this.holds(group), members }
  }

  save(group: number): StateCell[] {
    const state: StateCell[] = []
    this.condition.aggregate?.save(group, state)
    this.#carried?.save(group, state)
    return state
  }

  /** Takes in what was saved of a group; without what it carried unless `carries`. */
  load(group: number, state: readonly StateCell[], carries: boolean): void {
    const cells = new StateCells(state)
    this.condition.aggregate?.load(group, cells)
    if (carries) this.#carried?.load(group, cells)
  }

  /** The newest events of a group, and the last of each rule where a flood of others came since. */
  #shownOf(group: number, events: readonly RememberedEvent[]): readonly RememberedEvent[] {
    const shown = events.slice(-shownEventsMax)
    const { lastSeen } = this.condition
    const [oldest] = shown
    if (lastSeen === undefined || oldest === undefined || events.length < this.#eventsMax) return shown
    const isOlder = ({ at, sequence }: RememberedEvent): boolean => at < oldest.at || (at === oldest.at && sequence < oldest.sequence)
    return [...lastSeen.eventsOf(group).filter(isOlder), ...shown]
  }

  #carriedOf(group: number): string[] {
    return Array.from(this.#carried?.valuesOf(group) ?? [], ({ value }) => value)
  }

  #eventIn(cell: number): RememberedEvent {
    return { at: this.#events.at(cell), sequence: this.#events.number(cell), member: this.#events.extra(cell) }
  }
}
