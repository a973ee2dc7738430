import type { EventObject, NormalizedEvent } from '../event/event.ts'
import { limits } from '../limits.ts'
import type { Correlation } from '../sigma/correlation.ts'
import { normalizeEvent } from '../taxonomy/normalize.ts'
import { findEventTime } from '../taxonomy/event-time.ts'
import type { CompiledCorrelation } from './compiled-correlation.ts'
import type { CorrelationCounts, CorrelationOptions } from './correlation-options.ts'
import { correlationMatchOf, groupOf } from './correlation-match.ts'
import type { CorrelationMatch } from './correlation-match.ts'
import type { CorrelatorState, LoadedState } from './correlator-state.ts'
import { EventClock } from './event-clock.ts'
import { Pending } from './pending.ts'
import { planCorrelations } from './plan.ts'
import type { CorrelatedRules, CorrelationPlan, Feed, IdleCorrelation, PlannedCorrelation } from './plan.ts'
import { ContributionReader } from './read-contribution.ts'
import type { Reading, Unread } from './read-contribution.ts'
import { Windows } from './window.ts'
import type { Contribution, Held, Standing } from './window.ts'

/** What befalls a correlation, for who explains it. */
export type CorrelationWatch = {
  readonly onStanding: (rule: CompiledCorrelation, standing: Standing) => void
  readonly onUnread: (rule: CompiledCorrelation, sequence: number, unread: Unread) => void
}

/** Where an event stands in the stream, and when it arrived, in milliseconds since the epoch, if that is known. */
export type EventPlace = { readonly sequence: number; readonly receivedAt?: number | undefined }

/** An event that rules matched. */
export type CorrelatedRow = EventPlace & { readonly event: NormalizedEvent }

/** What an event said of its time, and what that came to: undefined where it is late. */
type Dated = Omit<CorrelatedRow, 'event'> & { readonly statedAt: number | undefined; readonly at: number | undefined }

/** One correlation while it runs. */
type Stage = {
  readonly planned: PlannedCorrelation
  readonly windows: Windows
  readonly pending: Pending
  readonly readers: readonly ContributionReader[]
  /** Whether all that feeds it are detection rules, so that what comes in order need not wait. */
  readonly isDirect: boolean
}

/**
 * Correlates matches of detection rules, in the time of their events (sigma.md section 8). Takes in matches as they
 * come; `settle` answers what they came to. What came late or early, and in which pieces, makes no difference
 * within the allowed lateness: events wait until nothing older can come.
 */
export class Correlator {
  readonly #rules: CorrelatedRules
  readonly #plan: CorrelationPlan
  readonly #options: CorrelationOptions
  readonly #clock: EventClock
  readonly #stages: Stage[]
  readonly #watch: CorrelationWatch | undefined
  readonly #counts = { ungrouped: 0, unmeasured: 0, evicted: 0 }
  readonly #eventsMax: number
  #growthCount = 0
  /** Contributions that wait, of all stages. */
  #pendingCount = 0
  /** What came to hold with an event; mostly nothing, so that it is not made for each. */
  readonly #heldNow: Held[] = []
  #lastDated: Dated | undefined
  #found: CorrelationMatch[] = []

  /** Goes on from where another correlator was: with what it knows of rules that are still defined as they were. */
  constructor(
    rules: CorrelatedRules,
    { options, before, watch }: {
      readonly options: CorrelationOptions; readonly before?: Correlator | undefined; readonly watch?: CorrelationWatch | undefined
    },
  ) {
    this.#rules = rules
    this.#plan = planCorrelations(rules)
    this.#options = options
    this.#watch = watch
    this.#clock = new EventClock(options)
    this.#eventsMax = options.stateMax?.events ?? limits.correlationEventsMax
    const known = new Map((before === undefined ? [] : before.#stages).map((stage) => [stage.planned.rule.id, stage]))
    this.#stages = this.#plan.correlations.map((planned) => this.#stageOf(planned, known.get(planned.rule.id)))
    if (before === undefined) return
    this.#pendingCount = this.#stages.reduce((sum, { pending }) => sum + pending.size, 0)
    this.#clock.takeOver(before.#clock)
    const { ungrouped, unmeasured, evicted } = before.counts
    // What windows that go on have evicted, they count themselves.
    const kept = this.#stages.reduce((sum, { windows }) => sum + windows.evictedCount, 0)
    Object.assign(this.#counts, { ungrouped, unmeasured, evicted: evicted - kept })
  }

  /** Whether it runs the correlations of these rules. */
  isOf(rules: CorrelatedRules): boolean {
    return this.#rules === rules
  }

  /** Correlations that cannot run, because rules that they name are not there. */
  get idle(): readonly IdleCorrelation[] {
    return this.#plan.idle
  }

  /** When the newest of the events happened that rules of correlations matched; minus infinity before the first. */
  get newestAt(): number {
    return this.#clock.newestAt
  }

  get counts(): CorrelationCounts {
    const sum = (of: (stage: Stage) => number): number => this.#stages.reduce((total, stage) => total + of(stage), 0)
    return {
      ...this.#clock.counts,
      ...this.#counts,
      evicted: this.#counts.evicted + sum(({ windows }) => windows.evictedCount),
      groups: sum(({ windows }) => windows.groupCount),
      events: sum(({ windows }) => windows.eventCount),
      pending: sum(({ pending }) => pending.size),
      bytes: sum(({ windows }) => windows.byteLength),
    }
  }

  /** All that it knows, for who goes on from it later; to be read before anything else is taken in. */
  save(): CorrelatorState {
    const correlations = this.#stages.map(({ planned: { rule }, windows, pending }) => {
      return { id: rule.id, definition: rule.definition, groups: windows.save(), pending: [...pending] }
    })
    const { newestAt, watermark } = this.#clock
    return { newestAt, watermark, counts: this.counts, correlations }
  }

  /**
   * Goes on from what was saved, in place of what it knows itself. What was saved of rules that are gone or
   * defined otherwise is dropped, and named.
   */
  load({ newestAt, watermark, counts, correlations }: CorrelatorState): LoadedState {
    const { ungrouped, unmeasured, evicted } = counts
    this.#clock.takeOver({ newestAt, watermark, counts })
    Object.assign(this.#counts, { ungrouped, unmeasured, evicted })
    const kept: string[] = []
    const dropped: { id: string; reason: 'gone' | 'changed' }[] = []
    for (const { id, definition, groups, pending } of correlations) {
      const at = this.#stages.findIndex(({ planned }) => planned.rule.id === id)
      const rule = this.#stages[at]?.planned.rule
      if (rule === undefined) dropped.push({ id, reason: 'gone' })
      else if (rule.definition !== definition) dropped.push({ id, reason: 'changed' })
      else {
        const stage = this.#stageOf(this.#stages[at]!.planned, undefined)
        for (const group of groups) stage.windows.load(group)
        for (const contribution of pending) stage.pending.add(contribution)
        this.#pendingCount += stage.pending.size - this.#stages[at]!.pending.size
        this.#stages[at] = stage
        kept.push(id)
      }
    }
    return { kept, dropped }
  }

  /** Whether matches of a detection rule, by its number, are correlated. */
  isFed(number: number): boolean {
    return this.#plan.feedsOf[number] !== undefined
  }

  /** Whether matches of a detection rule, by its number, are for correlations only. */
  isSilent(number: number): boolean {
    return this.#plan.isSilent[number] === 1
  }

  /** The same as `take`, for an event as users hand it over. */
  takeEvent(number: number, event: EventObject, place: EventPlace): void {
    this.take(number, { ...place, event: normalizeEvent(event, this.#options.taxonomy ?? 'auto') })
  }

  /** Takes in that a detection rule, by its number, matched an event. */
  take(number: number, row: CorrelatedRow): void {
    const feeds = this.#plan.feedsOf[number]
    if (feeds === undefined) return
    const at = this.#occurredAt(row)
    if (at === undefined) return
    if (this.#pendingCount > this.#eventsMax) this.#hurry()
    for (const feed of feeds) {
      const reading = this.#stages[feed.correlation]!.readers[feed.member]!.read(row.event)
      this.#feed(feed, { at, sequence: row.sequence }, reading)
    }
  }

  /** When an event is taken to have happened; asked again for each rule that matched it, answered as before. */
  #occurredAt({ sequence, receivedAt, event }: CorrelatedRow): number | undefined {
    const statedAt = findEventTime(event)
    const last = this.#lastDated
    if (last?.sequence === sequence && last.statedAt === statedAt && last.receivedAt === receivedAt) return last.at
    const at = this.#clock.observe(statedAt, receivedAt)
    this.#lastDated = { sequence, statedAt, receivedAt, at }
    return at
  }

  /** Moves on to a time that was reached without events: what waited for it is decided by the next `settle`. */
  advance(to: number): void {
    this.#clock.advance(to)
  }

  /** Correlates all that need not wait any longer, and hands out what was found since the last time. */
  settle(): CorrelationMatch[] {
    for (const stage of this.#stages) this.#settleStage(stage)
    const found = this.#found
    this.#found = []
    return found.sort((a, b) => a.decidedAt - b.decidedAt)
  }

  #settleStage(stage: Stage): void {
    const until = this.#clock.watermark - stage.planned.delayMs
    for (let due = stage.pending.takeUntil(until); due !== undefined; due = stage.pending.takeUntil(until)) {
      this.#pendingCount--
      this.#add(stage, due)
    }
    const held: Held[] = []
    stage.windows.judge(held)
    stage.windows.closeUntil(until, held)
    this.#hold(stage, held)
  }

  #feed({ correlation, member }: Feed, { at, sequence }: { at: number; sequence: number }, reading: Reading | Unread): void {
    const stage = this.#stages[correlation]!
    if ('missing' in reading) {
      this.#counts[reading.missing === 'group' ? 'ungrouped' : 'unmeasured']++
      this.#watch?.onUnread(stage.planned.rule, sequence, reading)
      return
    }
    const isDue = stage.isDirect && stage.pending.size === 0 && at <= this.#clock.watermark
    for (const key of reading.keys) {
      for (const value of reading.values) {
        const contribution = { at, sequence, member, key, value }
        if (isDue) this.#add(stage, contribution)
        else {
          stage.pending.add(contribution)
          this.#pendingCount++
        }
      }
    }
  }

  #add(stage: Stage, contribution: Contribution): void {
    const held = this.#heldNow
    stage.windows.add(contribution, held)
    if (this.#watch !== undefined) {
      const standing = stage.windows.standing(contribution.key)
      if (standing !== undefined) this.#watch.onStanding(stage.planned.rule, standing)
    }
    if (held.length > 0) this.#hold(stage, held.splice(0))
    this.#bound()
  }

  /** Makes matches of what holds, and events for correlations of correlations (D-48). */
  #hold({ planned }: Stage, held: readonly Held[]): void {
    for (const one of held) {
      if (!planned.isSilent) this.#found.push(correlationMatchOf(planned.rule, one))
      if (planned.feeds.length === 0) continue
      const newest = one.events.at(-1)
      if (newest === undefined) throw new Error('a window without events was found to hold')
      const group = groupOf(planned.rule, one.key)
      for (const feed of planned.feeds) {
        this.#feed(feed, newest, this.#stages[feed.correlation]!.readers[feed.member]!.readGroup(group))
      }
    }
  }

  #stageOf(planned: PlannedCorrelation, before: Stage | undefined): Stage {
    const { rule } = planned
    const goesOn = before !== undefined && before.planned.rule.definition === rule.definition
    const isOfCorrelation = planned.delayMs > 0 || this.#isOuter(planned)
    return {
      planned,
      windows: goesOn ? before.windows : this.#windowsOf(rule),
      pending: goesOn ? before.pending : new Pending(),
      readers: rule.members.map((member) => new ContributionReader(rule, member)),
      isDirect: !isOfCorrelation,
    }
  }

  #isOuter({ rule }: PlannedCorrelation): boolean {
    return this.#plan.correlations.some(({ rule: inner }) => rule.members.some(({ ruleId }) => ruleId === inner.id))
  }

  #windowsOf({ rule, members }: CompiledCorrelation): Windows {
    const { firing = 'on_true', hashSeed = 0x243f6a88, stateMax = {} } = this.#options
    const bounds = {
      groupsMax: stateMax.groups ?? limits.correlationGroupsMax,
      groupEventsMax: Math.max(stateMax.groupEvents ?? limits.groupEventsMax, ...countsAskedBy(rule.correlation)),
    }
    const areEvents = members.map(({ ruleId }) => this.#rules.numberOf(ruleId) !== undefined)
    return new Windows(rule.correlation, { mode: firing, seed: hashSeed, bounds, areEvents })
  }

  /**
   * Waits no longer for events that are late, as far as it takes to have half of what waits decided. Those that come
   * after all are counted as late.
   */
  #hurry(): void {
    const enough = this.#eventsMax / 2
    for (;;) {
      const { newestAt, watermark } = this.#clock
      if (this.#pendingCount <= enough || watermark >= newestAt) return
      this.#clock.raise(watermark + Math.ceil((newestAt - watermark) / 2))
      for (const stage of this.#stages) this.#settleStage(stage)
    }
  }

  /** Now and then looks whether all windows together hold too much, and takes it from the largest. */
  #bound(): void {
    this.#growthCount++
    if (this.#growthCount % boundEvery !== 0) return
    let count = this.#stages.reduce((sum, { windows }) => sum + windows.eventCount, 0)
    while (count > this.#eventsMax) {
      const largest = this.#stages.reduce((most, stage) => (stage.windows.eventCount > most.windows.eventCount ? stage : most))
      const before = largest.windows.eventCount
      // What goes may be the group of the newest event.
      const held: Held[] = []
      largest.windows.judge(held)
      this.#hold(largest, held)
      if (!largest.windows.evictOldest()) return
      count -= before - largest.windows.eventCount
    }
  }
}

/** Events that are taken in between two looks at how much there is. */
const boundEvery = 64

/** How many events a group has to hold for thresholds of counts to be told apart. */
function countsAskedBy({ type, condition }: Correlation): readonly number[] {
  if (condition.kind === 'formula' || (type !== 'event_count' && type !== 'value_count')) return []
  return condition.thresholds.map(({ value }) => Math.ceil(value) + 1)
}
