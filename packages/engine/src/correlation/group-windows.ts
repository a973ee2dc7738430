import type { Correlation, FiringMode } from '../sigma/correlation.ts'
import { groupContributions } from './contribution.ts'
import type { Contribution } from './contribution.ts'
import type { FiredGroup, LegacyGroup, SavedGroup } from './fired-group.ts'
import { isFiring } from './firing-mode.ts'
import { isDecidedLater } from './group-condition.ts'
import { GroupMemory } from './group-memory.ts'
import type { WindowContent, WindowOptions } from './group-memory.ts'
import { GroupTable } from './group-table.ts'
import { judgeShares } from './judge-shares.ts'
import { noSlot } from './key-table.ts'
import { uniqueContributions } from './moment.ts'
import { nanosPerMs } from './time/time-scale.ts'
import type { Instant } from './time/time-scale.ts'
import { TimerHeap } from './time/timer-heap.ts'

/**
 * Keyed windows over event time, one for each group of a correlation: sliding windows `(t - timespan, t]` that are
 * looked at when an event comes and, where that can make the condition hold, when one leaves; or tumbling or session
 * windows, which are forgotten whole. Contributions come in the order of their time; all of one event are one moment.
 *
 * Groups stand in an LRU list by their newest event: the first to be forgotten when all of it has left, and the first to
 * be evicted when there are too many. What is due without an event stands in a timer heap.
 */
export class GroupWindows {
  readonly #correlation: Correlation
  readonly #options: WindowOptions
  readonly #span: Instant
  readonly #mode: FiringMode
  readonly #isSliding: boolean
  readonly #memory: GroupMemory
  readonly #groups: GroupTable
  readonly #timers = new TimerHeap()
  /** What the newest event brings, until all of it is there. */
  readonly #moment: Contribution[] = []
  #evictedCount = 0
  /** What the memory had evicted when it was last looked at. */
  #evictedBefore = 0
  #degradedUntil = -Infinity

  constructor(correlation: Correlation, options: WindowOptions) {
    const { mode, seed, bounds, carries } = options
    const { isCaseSensitive } = correlation
    this.#correlation = correlation
    this.#options = options
    this.#span = correlation.timespanMs * nanosPerMs
    this.#mode = correlation.firing ?? mode
    this.#isSliding = correlation.window === 'sliding'
    this.#memory = new GroupMemory(correlation, { mode: this.#mode, seed, bounds, carries })
    this.#groups = new GroupTable({ seed, isCaseSensitive, groupsMax: bounds.groupsMax })
  }

  get groupCount(): number {
    return this.#groups.size
  }

  /** Events and values that are remembered. */
  get eventCount(): number {
    return this.#memory.cellCount
  }

  /** What was forgotten before its time though it may be needed. */
  get evictedCount(): number {
    return this.#evictedCount + this.#memory.evictedCount
  }

  /** Until when matches may lack something that was evicted; minus infinity where nothing was. */
  get degradedUntil(): Instant {
    return this.#degradedUntil
  }

  get byteLength(): number {
    return this.#groups.byteLength + this.#timers.byteLength + this.#memory.byteLength
  }

  /** Takes in what an event brings; it is not older than any before. What came to hold until then is added to `fired`. */
  add(contribution: Contribution, fired: FiredGroup[]): void {
    const first = this.#moment[0] ?? contribution
    if (first.sequence !== contribution.sequence || first.at !== contribution.at) this.flush(fired)
    this.#moment.push(contribution)
  }

  /** Judges the groups of the newest event, which has brought all that it does. */
  flush(fired: FiredGroup[]): void {
    const moment = this.#moment
    if (moment.length === 0) return
    const { at } = moment[0]!
    this.runTimers(at, fired)
    if (this.#isSliding) this.#dropQuiet(at)
    if (moment.length === 1) this.#enter(moment, fired)
    else for (const together of groupContributions(moment, this.#correlation.isCaseSensitive)) this.#enter(together, fired)
    moment.length = 0
  }

  /** Looks at the groups at which something is due by an instant. */
  runTimers(until: Instant, fired: FiredGroup[]): void {
    for (let due = this.#timers.peekDue(until); due !== undefined; due = this.#timers.peekDue(until)) {
      this.#timers.remove(due.group)
      if (this.#isSliding) this.#judgeDue(due.group, due.dueAt, fired)
      else this.#judgeClosing(due.group, due.dueAt, fired)
    }
  }

  /** Evicts the group that was quiet longest, and returns whether there was one. */
  evictOldest(): boolean {
    const group = this.#groups.oldest
    if (group === noSlot) return false
    this.#evictedCount += Math.max(1, this.#memory.count(group))
    this.degrade(this.#memory.newestAt(group) + this.#span)
    this.#forget(group)
    return true
  }

  /** Notes that matches may lack something until an instant. */
  degrade(until: Instant): void {
    this.#degradedUntil = Math.max(this.#degradedUntil, until)
  }

  *save(): Generator<SavedGroup> {
    for (const group of this.#groups) {
      yield {
        key: this.#groups.keyOf(group), firedAt: this.#groups.firedAt(group), firstAt: this.#groups.firstAt(group),
        isHeld: this.#groups.isHeld(group), isJudged: this.#groups.isJudged(group),
        events: this.#memory.eventsOf(group), state: this.#memory.save(group),
      }
    }
  }

  /** The sequence of the newest event of each group. */
  *newestSequences(): Generator<number> {
    for (const group of this.#groups) if (this.#memory.count(group) > 0) yield this.#memory.newestOf(group).sequence
  }

  /** Takes in a group that windows of the same definition held, behind all others; without what it carried unless `carries`. */
  load({ key, firedAt, firstAt, isHeld, isJudged, events, state }: SavedGroup, carries: boolean): void {
    const group = this.#groupOf(key)
    for (const event of events) this.#memory.append(group, event)
    this.#memory.load(group, state, carries)
    this.#groups.use(group)
    this.#groups.setFiredAt(group, firedAt)
    this.#groups.setFirstAt(group, firstAt)
    this.#groups.setHeld(group, isHeld)
    this.#groups.setJudged(group, isJudged)
    this.#schedule(group)
  }

  /** Takes in a group of the first version of snapshots, by adding its events again. */
  loadLegacy({ key, since, held, events }: LegacyGroup): void {
    const [first] = events
    if (first === undefined) return
    const group = this.#groupOf(key)
    for (const event of events) this.#memory.addLegacy(group, { ...event, key, match: 0, carried: undefined })
    this.#groups.setFirstAt(group, first.at)
    if (!isDecidedLater(this.#correlation)) {
      this.#groups.setHeld(group, held)
      this.#groups.setFiredAt(group, since)
    }
    this.#schedule(group)
  }

  #enter(moment: readonly Contribution[], fired: FiredGroup[]): void {
    const { key, at } = moment[0]!
    const group = this.#groupOf(key)
    const isNew = this.#memory.count(group) === 0
    if (isNew) this.#groups.setFirstAt(group, at)
    else if (this.#isSliding) this.#slide(group, at)
    const contributions = uniqueContributions(moment, this.#correlation, this.#options.valueSources)
    const { aggregate } = this.#memory.condition
    for (const contribution of contributions) {
      aggregate?.add(group, contribution)
      if (contribution.isEntry !== false) this.#memory.append(group, contribution)
    }
    this.#memory.carry(group, moment)
    this.#groups.use(group)
    if (this.#memory.evictedCount > this.#evictedBefore) {
      this.#evictedBefore = this.#memory.evictedCount
      this.degrade(at + this.#span)
    }
    this.#options.onStanding?.({ key: this.#groups.keyOf(group), ...this.#memory.standingOf(group) })
    if (this.#judgeArrival(group, contributions, fired)) this.#schedule(group)
  }

  /** Moves a group's window to an instant; just before it, the condition may have ceased to hold. */
  #slide(group: number, at: Instant): void {
    if (this.#memory.condition.kind === 'rising' && this.#groups.isHeld(group)) {
      // What leaves at this instant was still there.
      this.#memory.expire(group, at - this.#span, false)
      this.#groups.setHeld(group, this.#memory.holds(group))
    }
    this.#memory.expire(group, at - this.#span, true)
  }

  /** Looks at a group that an event came to, and returns whether it is still there. */
  #judgeArrival(group: number, contributions: readonly Contribution[], fired: FiredGroup[]): boolean {
    const { kind, absence } = this.#memory.condition
    const { at } = contributions[0]!
    if (kind === 'share') return this.#judgeShares(group, contributions, fired)
    if (absence === undefined) return (kind === 'few' && !this.#groups.isJudged(group)) || this.#look(group, at, true, fired)
    const moment = { at, members: contributions.map(({ member }) => member) }
    if (!absence.cancel(group, moment)) {
      if (this.#isSliding) absence.complete(group, moment, this.#suppressedSince(group))
      return true
    }
    // What is decided with this event is not judged again a timespan later.
    this.#groups.setHeld(group, true)
    return this.#isSuppressed(group, at) || this.#fire(group, at, fired)
  }

  /** Looks whether the condition holds, and returns whether the group is still there. */
  #look(group: number, at: Instant, isArrival: boolean, fired: FiredGroup[], last?: LastOfWindow): boolean {
    const didHold = this.#groups.isHeld(group)
    const holds = this.#memory.holds(group)
    this.#groups.setHeld(group, holds)
    if (!holds) return true
    const sinceMatch = at - this.#groups.firedAt(group)
    const isOfFew = this.#memory.condition.kind === 'few'
    if (!isFiring(this.#mode, { didHold, sinceMatch, timespan: this.#span, isArrival, isOfFew })) return true
    return this.#fire(group, at, fired, last)
  }

  /** Looks at each value of the newest event; each makes matches of its own. */
  #judgeShares(group: number, contributions: readonly Contribution[], fired: FiredGroup[]): boolean {
    const { share } = this.#memory.condition
    const { at } = contributions[0]!
    const shares = judgeShares(group, contributions, { correlation: this.#correlation, share, mode: this.#mode })
    for (const { value, sharedValue } of shares) fired.push(this.#describe(group, at, { value, sharedValue }))
    if (this.#mode !== 'reset' || shares.length === 0) return true
    this.#forget(group)
    return false
  }

  /** Looks at a group of sliding windows at which something is due, and sets its next timer. */
  #judgeDue(group: number, dueAt: Instant, fired: FiredGroup[]): void {
    const { absence, kind } = this.#memory.condition
    if (absence !== undefined) {
      this.#memory.expire(group, dueAt - this.#span, false)
      const isThere = !absence.takeDue(group, dueAt) || this.#isSuppressed(group, dueAt) || this.#fire(group, dueAt, fired)
      if (isThere) this.#schedule(group)
    } else if (kind === 'few' && !this.#groups.isJudged(group)) {
      this.#groups.setJudged(group, true)
      if (this.#look(group, dueAt, false, fired)) this.#schedule(group)
    } else {
      // A window that becomes empty is still about what left it.
      const last = this.#memory.newestAt(group) <= dueAt - this.#span ? this.#memory.lastOf(group) : undefined
      this.#memory.expire(group, dueAt - this.#span, true)
      if (!this.#look(group, dueAt, false, fired, last)) return
      if (last === undefined) this.#schedule(group)
      else this.#forget(group)
    }
  }

  /** Judges a tumbling or session window that closes, and forgets it. */
  #judgeClosing(group: number, dueAt: Instant, fired: FiredGroup[]): void {
    const { absence, kind } = this.#memory.condition
    const isAbsent = absence !== undefined && !this.#groups.isHeld(group) && absence.holdsAtClose(group)
    const holds = kind === 'few' && this.#memory.holds(group)
    if ((isAbsent || holds) && !this.#fire(group, dueAt, fired)) return
    this.#forget(group)
  }

  /** Makes a match, and returns whether the group is still there. */
  #fire(group: number, at: Instant, fired: FiredGroup[], last?: LastOfWindow): boolean {
    fired.push(this.#describe(group, at, { value: this.#memory.valueOf(group), last }))
    if (this.#mode === 'reset') {
      this.#forget(group)
      return false
    }
    this.#groups.setFiredAt(group, at)
    if (this.#mode !== 'every') this.#memory.condition.absence?.suppress(group, at)
    return true
  }

  /** When the last match was that suppresses others for a timespan. */
  #suppressedSince(group: number): Instant {
    return this.#mode === 'on_true' || this.#mode === 'once_per_window' ? this.#groups.firedAt(group) : -Infinity
  }

  #isSuppressed(group: number, at: Instant): boolean {
    return at - this.#suppressedSince(group) < this.#span
  }

  #describe(group: number, at: Instant, { value, sharedValue, last }: Finding): FiredGroup {
    const content = this.#memory.contentOf(group, last)
    return { ...content, key: this.#groups.keyOf(group), decidedAt: at, value, sharedValue, isDegraded: at <= this.#degradedUntil }
  }

  /** Sets when a group is looked at next without an event. */
  #schedule(group: number): void {
    const { kind, absence } = this.#memory.condition
    if (!this.#isSliding) this.#timers.set(group, this.#closesAt(this.#memory.newestAt(group)), false)
    else if (absence !== undefined) {
      const dueAt = absence.dueAt(group)
      if (dueAt === Infinity) this.#timers.remove(group)
      else this.#timers.set(group, dueAt, false)
    } else if (kind === 'few' && !this.#groups.isJudged(group)) this.#timers.set(group, this.#groups.firstAt(group) + this.#span, false)
    else if (kind === 'few' || kind === 'changing') this.#timers.set(group, this.#memory.oldestAt(group) + this.#span, true)
  }

  /** When the window of an event closes, unless others come to its session. */
  #closesAt(at: Instant): Instant {
    if (this.#correlation.window === 'session') return at + this.#span
    const { timespanMs } = this.#correlation
    const { scale } = this.#options
    return scale.fromMs((Math.floor(scale.toMs(at) / timespanMs) + 1) * timespanMs)
  }

  /** Forgets the groups of which nothing is left: their newest event has left the window. */
  #dropQuiet(at: Instant): void {
    for (let group = this.#groups.oldest; group !== noSlot; group = this.#groups.oldest) {
      if (this.#memory.newestAt(group) >= at - this.#span) return
      this.#forget(group)
    }
  }

  #groupOf(key: string): number {
    const knownCount = this.#groups.size
    const group = this.#groups.add(key)
    if (this.#groups.size === knownCount) return group
    // The new group is in no list yet, so that it is not evicted itself.
    while (this.#groups.isOverfull && this.evictOldest());
    this.#groups.append(group)
    return group
  }

  #forget(group: number): void {
    this.#timers.remove(group)
    this.#memory.forget(group)
    this.#groups.remove(group)
  }
}

/** The newest event of a window that became empty, and what its last events carry. */
type LastOfWindow = Pick<WindowContent, 'newest' | 'carried'>

/** What a group makes a match of. */
type Finding = { readonly value: number | undefined; readonly sharedValue?: string; readonly last?: LastOfWindow | undefined }
