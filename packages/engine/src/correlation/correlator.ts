import type { EventObject } from '../event/event.ts'
import { limits } from '../limits.ts'
import { normalizeEvent } from '../taxonomy/normalize.ts'
import { findPreciseTime } from '../taxonomy/event-time.ts'
import type { Contribution } from './contribution.ts'
import { createCorrelationMatch } from './correlation-match.ts'
import type { CorrelationMatch } from './correlation-match.ts'
import type {
  CorrelatedRow, CorrelationCounts, CorrelationHealth, CorrelationOptions, CorrelationWatch, EventPlace,
} from './correlation-options.ts'
import { CorrelationMemoryError } from './correlation-options.ts'
import { listHealth, sumCounts } from './correlation-health.ts'
import { RunningCorrelation, evictLargest } from './running-correlation.ts'
import { skipSaved } from './correlator-state.ts'
import type { CorrelatorState, LoadedState } from './correlator-state.ts'
import { EventClock } from './time/event-clock.ts'
import type { FiredGroup, GroupStanding } from './fired-group.ts'
import { planCorrelations } from './plan.ts'
import type { CorrelatedRules, CorrelationPlan, Feed, IdleCorrelation, PlannedCorrelation } from './plan.ts'
import { scoreField } from '../sigma/correlation.ts'
import type { Reading, Unread } from './read-contribution.ts'
import { TimeScale, nanosPerMs } from './time/time-scale.ts'
import type { Instant } from './time/time-scale.ts'

/** What an event stated as its time, and what that came to: undefined where it is late. */
type DatedRow = Omit<CorrelatedRow, 'event'> & { readonly statedAt: Instant | undefined; readonly at: Instant | undefined }

/** Events that are taken in between two looks at how much there is, and groups that one call of `trim` evicts. */
const boundEvery = 64

const trimGroupsMax = 1_000

/**
 * Correlates matches of detection rules in event time: keyed windows behind a reorder buffer and a watermark, as in Flink
 * and Beam. Takes in matches as they come; `settle` returns what they came to. What came late or early, and in which
 * batches, makes no difference within the allowed lateness: events wait until nothing older can come.
 */
export class Correlator {
  readonly #rules: CorrelatedRules
  readonly #plan: CorrelationPlan
  readonly #options: CorrelationOptions
  readonly #scale: TimeScale
  readonly #clock: EventClock
  readonly #stages: RunningCorrelation[]
  readonly #watch: CorrelationWatch | undefined
  readonly #counts = { ungrouped: 0, unmeasured: 0, evicted: 0 }
  readonly #eventsMax: number
  #growthCount = 0
  /** Contributions that wait, of all stages. */
  #pendingCount = 0
  /** Matches of inner correlations so far: each has a number of its own. */
  #matchCount = 0
  /** What came to hold with an event; mostly nothing, so that it is not made for each. */
  readonly #firedNow: FiredGroup[] = []
  #lastDated: DatedRow | undefined
  #matches: CorrelationMatch[] = []

  /** Goes on from where another correlator was: with what it knows of rules that are still defined as they were. */
  constructor(
    rules: CorrelatedRules,
    { options, before, watch }: {
      readonly options: CorrelationOptions; readonly before?: Correlator | undefined; readonly watch?: CorrelationWatch | undefined
    },
  ) {
    const { allowedLatenessMs = 0, futureToleranceMs = 300_000, clock = () => Infinity, stateMax } = options
    this.#rules = rules
    this.#plan = planCorrelations(rules)
    this.#options = options
    this.#watch = watch
    // Windows that go on have instants on the scale of before.
    this.#scale = before === undefined ? new TimeScale() : before.#scale
    this.#clock = new EventClock({
      lateness: allowedLatenessMs * nanosPerMs, tolerance: futureToleranceMs * nanosPerMs, now: () => this.#scale.fromMs(clock()),
    })
    this.#eventsMax = stateMax?.events ?? limits.correlationEventsMax
    const known = new Map((before === undefined ? [] : before.#stages).map((stage) => [stage.planned.rule.id, stage]))
    this.#stages = this.#plan.correlations.map((planned) => this.#createStage(planned, known.get(planned.rule.id)))
    if (before === undefined) return
    this.#pendingCount = this.#stages.reduce((sum, { buffer }) => sum + buffer.size, 0)
    this.#matchCount = before.#matchCount
    this.#clock.resume(before.#clock)
    const { ungrouped, unmeasured, evicted } = before.counts
    // What windows that go on have evicted, they count themselves.
    const counted = this.#stages.reduce((sum, { windows }) => sum + windows.evictedCount, 0)
    Object.assign(this.#counts, { ungrouped, unmeasured, evicted: evicted - counted })
  }

  /** Whether it runs the correlations of these rules. */
  isOf(rules: CorrelatedRules): boolean {
    return this.#rules === rules
  }

  /** Correlations that cannot run, because rules that they name are not there. */
  get idle(): readonly IdleCorrelation[] {
    return this.#plan.idle
  }

  /**
   * When the newest of the events happened that rules of correlations matched, in milliseconds since the epoch; minus
   * infinity before the first.
   */
  get newestAt(): number {
    return this.#scale.toMs(this.#clock.newestAt)
  }

  get counts(): CorrelationCounts {
    return sumCounts(this.#stages, this.#clock, this.#counts)
  }

  /** What each correlation that runs remembers, and whether it lost some of what it needs. */
  get health(): readonly CorrelationHealth[] {
    return listHealth(this.#stages, this.#clock.newestAt)
  }

  /** All that it knows, for one that goes on from it later; to be read before anything else is taken in. */
  save(): CorrelatorState {
    const { newestAt, watermark } = this.#clock
    const correlations = this.#stages.map((stage) => stage.save())
    return { baseMs: this.#scale.baseMs, newestAt, watermark, counts: this.counts, correlations }
  }

  /** The sequences of the events that the next matches may show: the newest of each group, and those that wait. */
  *shownSequences(): Generator<number> {
    for (const { windows, buffer } of this.#stages) {
      yield* windows.newestSequences()
      for (const { sequence } of buffer) yield sequence
    }
  }

  /**
   * Goes on from what was saved, in place of what it knows itself, in short steps of work. What was saved of rules that are
   * gone or defined otherwise is dropped, and named.
   */
  *load({ baseMs, newestAt, watermark, counts, correlations }: CorrelatorState): Generator<undefined, LoadedState> {
    const { ungrouped, unmeasured, evicted } = counts
    this.#scale.adopt(baseMs)
    this.#clock.resume({ newestAt, watermark, counts })
    Object.assign(this.#counts, { ungrouped, unmeasured, evicted })
    const kept: string[] = []
    const dropped: { id: string; reason: 'gone' | 'changed' }[] = []
    for (const saved of correlations) {
      const { id } = saved
      const place = this.#stages.findIndex(({ planned }) => planned.rule.id === id)
      const planned = this.#stages[place]?.planned
      if (planned === undefined || planned.rule.definition !== saved.definition) {
        dropped.push({ id, reason: planned === undefined ? 'gone' : 'changed' })
        yield* skipSaved(saved)
        continue
      }
      const stage = this.#createStage(planned, undefined)
      yield* stage.load(saved)
      for (const { match } of stage.buffer) this.#matchCount = Math.max(this.#matchCount, match)
      this.#pendingCount += stage.buffer.size - this.#stages[place]!.buffer.size
      this.#stages[place] = stage
      kept.push(id)
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

  /**
   * Takes in that a detection rule, by its number, matched an event.
   *
   * @throws CorrelationMemoryError where more events wait than may, and none of them may be called late.
   */
  take(number: number, row: CorrelatedRow): void {
    const feeds = this.#plan.feedsOf[number]
    if (feeds === undefined) return
    const at = this.#dateRow(row)
    if (at === undefined) return
    this.#options.onTaken?.(row.sequence)
    if (this.#pendingCount > this.#eventsMax) this.#hurry()
    for (const feed of feeds) {
      const reading = this.#stages[feed.correlation]!.readers[feed.member]!.read(row.event)
      if ('missing' in reading) this.#countUnread(feed, row.sequence, reading)
      else this.#feed(feed, { at, sequence: row.sequence, match: 0 }, reading)
    }
  }

  /** Moves on to a time that was reached without events: what waited for it is decided by the next `settle`. */
  advance(toMs: number): void {
    this.#clock.advance(this.#scale.fromMs(toMs))
  }

  /** Correlates all that need not wait any longer, and hands out the matches since the last time. */
  settle(): CorrelationMatch[] {
    for (const stage of this.#stages) this.#settleStage(stage)
    const matches = this.#matches
    this.#matches = []
    return matches.sort((a, b) => a.decidedAt - b.decidedAt)
  }

  /**
   * Takes what is over a bound, for those who share memory with others: decides what waits, and evicts the groups that
   * were quiet longest. Returns whether it is done; if not, it wants to be called again.
   */
  trim(eventsMax: number): boolean {
    const enough = Math.max(eventsMax, this.#pendingCount - trimGroupsMax)
    while (this.#pendingCount > enough) {
      this.#clock.raise(Math.min(...this.#stages.map(({ buffer, delay }) => buffer.oldestAt + delay)) + 1)
      for (const stage of this.#stages) this.#settleStage(stage)
    }
    return this.#pendingCount <= eventsMax && evictLargest(this.#stages, eventsMax - this.#pendingCount, trimGroupsMax)
  }

  /** When an event is taken to have happened; computed once for all rules that matched it. */
  #dateRow({ sequence, receivedAt, event }: CorrelatedRow): Instant | undefined {
    const stated = findPreciseTime(event)
    const statedAt = stated && this.#scale.fromMs(stated.ms, stated.nanos)
    const last = this.#lastDated
    if (last?.sequence === sequence && last.statedAt === statedAt && last.receivedAt === receivedAt) return last.at
    const at = this.#clock.observe(statedAt, receivedAt === undefined ? undefined : this.#scale.fromMs(receivedAt))
    this.#lastDated = { sequence, statedAt, receivedAt, at }
    return at
  }

  #settleStage(stage: RunningCorrelation): void {
    const until = this.#clock.watermark - stage.delay
    // What happens at the same instant in inner correlations may not be decided yet.
    const isInclusive = stage.delay === 0
    const { buffer, windows } = stage
    for (let due = buffer.takeDue(until, isInclusive); due !== undefined; due = buffer.takeDue(until, isInclusive)) {
      this.#pendingCount--
      this.#add(stage, due)
    }
    const fired: FiredGroup[] = []
    windows.flush(fired)
    windows.runTimers(until, fired)
    this.#emit(stage, fired)
  }

  #feed({ correlation, member }: Feed, event: Pick<Contribution, 'at' | 'sequence' | 'match'>, reading: Reading): void {
    const stage = this.#stages[correlation]!
    const { keys, values, carried } = reading
    const isDue = stage.isDirect && stage.buffer.size === 0 && event.at <= this.#clock.watermark
    for (const key of keys) {
      for (const value of values) {
        const contribution: Contribution = { at: event.at, sequence: event.sequence, member, match: event.match, key, value, carried }
        if (isDue) this.#add(stage, contribution)
        else {
          stage.buffer.add(contribution)
          this.#pendingCount++
        }
      }
    }
  }

  #countUnread({ correlation }: Feed, sequence: number, unread: Unread): void {
    this.#counts[unread.missing === 'group' ? 'ungrouped' : 'unmeasured']++
    this.#watch?.onUnread(this.#stages[correlation]!.planned.rule, sequence, unread)
  }

  #add(stage: RunningCorrelation, contribution: Contribution): void {
    const fired = this.#firedNow
    stage.windows.add(contribution, fired)
    if (fired.length > 0) this.#emit(stage, fired.splice(0))
    this.#bound()
  }

  /** Makes matches of groups whose condition holds, and contributions to the correlations that name this one. */
  #emit(stage: RunningCorrelation, fired: readonly FiredGroup[]): void {
    const { planned } = stage
    for (const one of fired) {
      if (!planned.isSilent) this.#matches.push(createCorrelationMatch(planned.rule, one, this.#scale))
      if (planned.feeds.length === 0) continue
      const records = stage.recordsOf(one)
      const { at, sequence } = one.newest
      const event = { at, sequence, match: ++this.#matchCount }
      for (const feed of planned.feeds) {
        const outer = this.#stages[feed.correlation]!
        const reader = outer.readers[feed.member]!
        // What this one may lack, the outer one lacks as well.
        if (one.isDegraded) outer.windows.degrade(at + outer.planned.rule.rule.correlation.timespanMs * nanosPerMs)
        const readings = records.map((record) => reader.readRecord(record))
        const unread = readings.filter((reading) => 'missing' in reading)
        if (unread.length === readings.length) this.#countUnread(feed, sequence, unread[0]!)
        for (const reading of readings) if (!('missing' in reading)) this.#feed(feed, event, reading)
      }
    }
  }

  #createStage(planned: PlannedCorrelation, before: RunningCorrelation | undefined): RunningCorrelation {
    const { rule } = planned
    const isOuter = rule.members.some(({ ruleId }) => this.#plan.correlations.some((inner) => inner.rule.id === ruleId))
    const scores = rule.members.map(({ ruleId }) => this.#scoreOf(ruleId))
    const watch = this.#watch
    const onStanding = watch && ((standing: GroupStanding): void => {
      watch.onStanding(rule, { ...standing, at: this.#scale.toMs(standing.at) })
    })
    return new RunningCorrelation(planned, { options: this.#options, scale: this.#scale, isOuter, scores, onStanding }, before)
  }

  /** The number that a rule states as its score. */
  #scoreOf(ruleId: string): number | undefined {
    const number = this.#rules.numberOf(ruleId)
    const rule = number === undefined ? this.#rules.correlations.find(({ id }) => id === ruleId) : this.#rules.rules[number]
    const score = rule?.rule.custom[scoreField]
    return typeof score === 'number' && Number.isFinite(score) ? score : undefined
  }

  /** Stops waiting for late events, as far as it takes to have half of what waits decided. Those that come are counted. */
  #hurry(): void {
    if (this.#options.allowedLatenessMs === Infinity) throw new CorrelationMemoryError(this.#eventsMax)
    for (;;) {
      const { newestAt, watermark } = this.#clock
      if (this.#pendingCount <= this.#eventsMax / 2 || watermark >= newestAt) return
      this.#clock.raise(watermark + Math.ceil((newestAt - watermark) / 2))
      for (const stage of this.#stages) this.#settleStage(stage)
    }
  }

  /** Now and then looks whether all windows together hold too much. */
  #bound(): void {
    this.#growthCount++
    if (this.#growthCount % boundEvery === 0) evictLargest(this.#stages, this.#eventsMax)
  }
}
