import { BudgetWindows } from './budget.ts'
import type { Budget } from './budget.ts'
import type { CorrelationMatch } from './correlation/correlation-match.ts'
import type { CorrelationCounts } from './correlation/correlation-options.ts'
import type { LoadedState } from './correlation/correlator-state.ts'
import type { IdleCorrelation } from './correlation/plan.ts'
import type { EventObject, NormalizedEvent } from './event/event.ts'
import { parseEvent } from './event/parse-event.ts'
import type { MalformedLine } from './event/parse-event.ts'
import type { EventRingBuffer } from './event/ring-buffer.ts'
import { splitLines } from './event/split-lines.ts'
import { decodeUtf8 } from './event/utf8.ts'
import { limits } from './limits.ts'
import { createMatch, createTextMatch } from './match.ts'
import type { EventOptions, Match } from './match.ts'
import { Quarantine } from './quarantine.ts'
import type { QuarantinedRule } from './quarantine.ts'
import { computeRuleCosts } from './rule-costs.ts'
import type { RuleCost } from './rule-costs.ts'
import { computeRuleHealth } from './rule-health.ts'
import type { RuleHealth } from './rule-health.ts'
import type { RuleSet } from './rule-set.ts'
import { InputRunner } from './run/input-runner.ts'
import { RuleCounters } from './run/rule-counters.ts'
import { Runner } from './run/runner.ts'
import type { RunnerOptions } from './run/runner.ts'
import { StreamState } from './stream-state.ts'
import type { StreamOptions, StreamPlace } from './stream-state.ts'
import { normalizeEvent } from './taxonomy/normalize.ts'

/** What an engine has seen since it was made. */
export type EngineCounts = {
  readonly events: number
  /** Events of unknown logsource that were tried on no rule. */
  readonly unrouted: number
  readonly matches: number
  /** Matches that suppressions held back. */
  readonly suppressed: number
}

/** How events are read and matched. */
export type EngineOptions = EventOptions & StreamOptions & {
  /**
   * Whether every rule is asked for every event of its logsource, by its matcher alone. Slow, and what the
   * engine's own way is compared with. Default false.
   */
  readonly plain?: boolean
  /**
   * A clock in nanoseconds of its own beginning. With it the engine samples how long rules take; without it
   * there are only counts.
   */
  readonly now?: () => number
  /**
   * A rule that costs more is quarantined: tried no more, until it is released or changed. Needs `now`. Without
   * it every rule is tried forever.
   */
  readonly budget?: Budget
}

/** What is known of events besides what they say. */
export type PushOptions = {
  /** When they arrived, in milliseconds since the epoch: what an event without a credible time is taken to have happened at. */
  readonly receivedAt?: number
  /** The number in the stream of the first one; without it, numbers go on from the last `push`. */
  readonly sequence?: number
}

/** What came of lines that were pushed. */
export type LinesOutcome = {
  /** As `push` returns them; a `row` is the line of the buffer, counted from 0, and a `text` the line. */
  readonly matches: readonly Match[]
  readonly malformed: readonly MalformedLine[]
  /** Lines in all, blank ones too. */
  readonly lineCount: number
  readonly eventCount: number
}

/**
 * Matches events against a rule set. Events come in batches; matches go out in the order of the events and,
 * for one event, of the rules. Reads no clock and waits for nothing. Holds no event after `push` returned: what
 * correlations remember of events is when they happened, their number in the stream and the values asked for.
 *
 * ```ts
 * import { Engine, compileRules } from '@tripline/engine'
 *
 * const rule = `
 * title: Whoami
 * logsource: { product: windows, category: process_creation }
 * detection:
 *   selection: { Image|endswith: '\\whoami.exe' }
 *   condition: selection`
 * const engine = new Engine(compileRules([{ text: rule }]).ruleSet)
 * const event = { Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1, Image: 'C:\\Windows\\whoami.exe' }
 * for (const match of engine.push([event])) console.log(match.rule.title, match.conditions)
 * ```
 */
export class Engine {
  readonly #options: RunnerOptions
  readonly #budget: { readonly windows: BudgetWindows; readonly onQuarantine: Budget['onQuarantine'] } | undefined
  readonly #quarantine = new Quarantine()
  #ruleSet: RuleSet
  #counters: RuleCounters
  #runner: Runner
  readonly #inputRunner: InputRunner
  readonly #counts = { events: 0, unrouted: 0, matches: 0 }
  readonly #stream: StreamState

  /** Throws a RangeError for a budget without a clock, or of no length of time. */
  constructor(ruleSet: RuleSet, options: EngineOptions = {}) {
    const { taxonomy = 'auto', lenient = false, plain = false, now, budget } = options
    if (budget !== undefined && now === undefined) {
      throw new RangeError("the option 'budget' needs a clock, the option 'now'")
    }
    this.#options = { taxonomy, isLenient: lenient, isPlain: plain, now }
    this.#budget = budget && { windows: new BudgetWindows(budget), onQuarantine: budget.onQuarantine }
    this.#ruleSet = ruleSet
    this.#counters = new RuleCounters(ruleSet.rules.length, { now, learnsValues: !plain })
    this.#runner = new Runner(ruleSet, this.#options, { counters: this.#counters, excluded: new Set() })
    this.#inputRunner = new InputRunner(this.#runner)
    this.#stream = new StreamState(ruleSet, options)
  }

  get ruleSet(): RuleSet {
    return this.#ruleSet
  }

  get counts(): EngineCounts {
    return { ...this.#counts, suppressed: this.#stream.suppressedCount }
  }

  /** How many events were routed to a rule by their logsource since it is in the rule set; 0 for an unknown id (D-13). */
  countEvaluations(ruleId: string): number {
    const number = this.#ruleSet.numberOf(ruleId)
    return number === undefined ? 0 : this.#runner.countRoutedEvents(number)
  }

  /** What each rule has cost since it is in the rule set, in the order of the rules. */
  ruleCosts(): RuleCost[] {
    return computeRuleCosts(this.#ruleSet, this.#runner.flushCounters())
  }

  /** How far events have come with each detection rule since it is in the rule set; a plain engine misses no field. */
  ruleHealth(): RuleHealth[] {
    return computeRuleHealth(this.#ruleSet, this.#runner.flushCounters())
  }

  /**
   * Replaces the rule set; the next `push` runs the new one. Rules with the same id keep their counts.
   * Of rules that both sets share by `RuleSet.changed` the engine forgets nothing. Quarantined ones stay so,
   * unless they have changed. Correlations that are defined as they were keep what they know.
   */
  swap(ruleSet: RuleSet): void {
    const before = this.#runner.flushCounters()
    const tally = new RuleCounters(ruleSet.rules.length, { now: this.#options.now, learnsValues: !this.#options.isPlain })
    tally.copyFrom(before, ruleSet.mapNumbersTo(this.#ruleSet))
    this.#quarantine.retainUnchanged(ruleSet)
    this.#run(ruleSet, tally)
  }

  /** The rules that are tried no more because they were over their budget, in the order in which they were. */
  get quarantined(): readonly QuarantinedRule[] {
    return this.#quarantine.list
  }

  /** Tries a quarantined rule again, from the next `push` on; its budget begins anew. Says whether it was one. */
  release(ruleId: string): boolean {
    if (!this.#quarantine.release(ruleId)) return false
    const tally = this.#runner.flushCounters()
    this.#budget?.windows.restart(ruleId, this.#ruleSet.numberOf(ruleId)!, tally, this.#counts.events)
    this.#run(this.#ruleSet, tally)
    return true
  }

  /** Runs a rule set from now on, without those in quarantine; the tally of the runner before is settled. */
  #run(ruleSet: RuleSet, tally: RuleCounters): void {
    const leftOut = this.#quarantine.numbersIn(ruleSet)
    const runner = new Runner(ruleSet, this.#options, { counters: tally, excluded: leftOut, previous: this.#runner })
    this.#ruleSet = ruleSet
    this.#counters = tally
    this.#runner = runner
    this.#inputRunner.use(runner)
    this.#stream.use(ruleSet)
  }

  /**
   * Matches events and returns the matches: those of detection rules, ordered by row and then by rule, without
   * those that are for correlations only; then those of correlation rules, ordered by when they were certain.
   * Throws a TypeError, before anything is matched, when an event is not an object.
   */
  push(events: readonly EventObject[], options: PushOptions = {}): Match[] {
    const stranger = events.findIndex((event) => typeof event !== 'object' || event === null || Array.isArray(event))
    if (stranger !== -1) throw new TypeError(`event ${stranger} is not an object`)
    const matches: Match[] = []
    const { receivedAt, sequence = this.#stream.sequence } = options
    for (let start = 0; start < events.length; start += limits.batchRowsMax) {
      const end = Math.min(events.length, start + limits.batchRowsMax)
      this.#pushBatch(events.slice(start, end), { start, sequence, receivedAt }, matches)
    }
    this.#stream.moveTo(sequence + events.length)
    matches.push(...this.#drainCorrelations())
    this.#enforceBudget()
    return matches
  }

  /**
   * Matches the events of NDJSON, one on each line, as bytes of UTF-8. The buffer holds whole lines; the last
   * one may lack its line feed. Blank lines are passed over, a byte order mark and carriage returns are
   * tolerated. Lines that hold no event are reported, and the others matched. Keeps nothing of the buffer. In the
   * stream, every line has a number.
   *
   * Says the same as `push` of the parsed events, faster where they are flat events of Windows and the
   * platform has WebAssembly.
   */
  pushBytes(bytes: Uint8Array, options: PushOptions = {}): LinesOutcome {
    const { hits, malformed, lineCount, eventCount, unroutedCount } = this.#inputRunner.runLines(bytes)
    const { taxonomy } = this.#options
    const { receivedAt, sequence = this.#stream.sequence } = options
    const matches: Match[] = []
    for (const { line, number, text } of hits) {
      const match = createTextMatch(this.#ruleSet.rules[number]!, line, text, taxonomy)
      const place = { sequence: sequence + line, receivedAt }
      if (this.#recordHit(number, place, () => normalizeEvent(match.event, taxonomy))) matches.push(match)
    }
    if (this.#stream.ring !== undefined) this.#keepLines(bytes, { start: 0, sequence, receivedAt })
    this.#stream.moveTo(sequence + lineCount)
    this.#count({ events: eventCount, unrouted: unroutedCount })
    matches.push(...this.#drainCorrelations())
    this.#enforceBudget()
    return { matches, malformed, lineCount, eventCount }
  }

  /**
   * Tells the engine that time has come to an instant, in milliseconds since the epoch, without an event that says
   * so, and returns what that decides: windows that end, events that were waited for. What is older than the allowed
   * lateness before it is late from then on. Throws a RangeError for NaN.
   */
  advance(to: number): CorrelationMatch[] {
    this.#stream.advance(to)
    return this.#drainCorrelations()
  }

  /**
   * The time that the stream has come to, in milliseconds since the epoch: when the newest event happened that is
   * correlated, or what `advance` said. Minus infinity before both.
   */
  get newestAt(): number {
    return this.#stream.newestAt
  }

  /** Decides all that is open, as if no event ever came again, and returns what that comes to. */
  finish(): CorrelationMatch[] {
    return this.advance(Infinity)
  }

  /** What correlations have seen and hold; undefined where the engine runs none. */
  get correlation(): CorrelationCounts | undefined {
    return this.#stream.correlation
  }

  /** Correlations that cannot run, because rules that they name are not in the rule set. */
  get idleCorrelations(): readonly IdleCorrelation[] {
    return this.#stream.idleCorrelations
  }

  /** The last events, where the engine was told to keep them. */
  get ring(): EventRingBuffer | undefined {
    return this.#stream.ring
  }

  /** All that correlations and suppressions know and where the stream is, as bytes: versioned, with a checksum (`restore`). */
  snapshot(): Uint8Array<ArrayBuffer> {
    return this.#stream.snapshot()
  }

  /**
   * Goes on from a snapshot, as if this engine had seen what that one saw. Rules that are defined as they were
   * keep what they knew; the state of others is dropped, and said to be.
   *
   * @throws SnapshotError for bytes that are none, or of another version, or damaged; the engine is as it was.
   */
  restore(bytes: Uint8Array): LoadedState {
    return this.#stream.restore(bytes)
  }

  #drainCorrelations(): CorrelationMatch[] {
    const matches = this.#stream.settle()
    this.#counts.matches += matches.length
    return matches
  }

  #pushBatch(events: readonly EventObject[], { start, sequence, receivedAt }: BatchPosition, out: Match[]): void {
    const { hits, getNormalized, unroutedCount } = this.#inputRunner.runObjects(events)
    for (const { row, number } of hits) {
      const event = getNormalized(row)
      const place = { sequence: sequence + start + row, receivedAt }
      if (!this.#recordHit(number, place, () => event)) continue
      out.push(createMatch(this.#ruleSet.rules[number]!, start + row, events[row]!, event))
    }
    if (this.#stream.ring !== undefined) {
      const sequences = Float64Array.from(events, (_, row) => sequence + start + row)
      this.#stream.keep(events.map((_, row) => getNormalized(row)), sequences, receivedAt)
    }
    this.#count({ events: events.length, unrouted: unroutedCount })
  }

  /** Takes in that a rule held on an event, and says whether that is a match to hand out. */
  #recordHit(number: number, place: StreamPlace, eventOf: () => NormalizedEvent): boolean {
    this.#counters.confirmed[number]!++
    const isMatch = this.#stream.take({ number, id: this.#ruleSet.rules[number]!.id }, place, eventOf)
    if (isMatch) this.#counts.matches++
    return isMatch
  }

  /** Puts the events of lines into the ring, for which they have to be parsed. */
  #keepLines(bytes: Uint8Array, { sequence, receivedAt }: BatchPosition): void {
    const events: NormalizedEvent[] = []
    const sequences: number[] = []
    let line = 0
    for (const { start, end } of splitLines(bytes)) {
      const parsed = parseEvent(decodeUtf8(bytes.subarray(start, end)).trim())
      if ('event' in parsed) {
        events.push(normalizeEvent(parsed.event, this.#options.taxonomy))
        sequences.push(sequence + line)
      }
      line++
    }
    this.#stream.keep(events, Float64Array.from(sequences), receivedAt)
  }

  /** Quarantines the rules that are over their budget, and says so once all of them are. */
  #enforceBudget(): void {
    if (this.#budget === undefined || !this.#budget.windows.isDue(this.#counts.events)) return
    const tally = this.#runner.flushCounters()
    const judged = this.#budget.windows.findOverBudget(this.#ruleSet, tally, this.#counts.events)
    if (judged.length === 0) return
    for (const { rule, quarantined } of judged) this.#quarantine.add(rule, quarantined)
    this.#run(this.#ruleSet, tally)
    for (const { quarantined } of judged) this.#budget.onQuarantine(quarantined)
  }

  #count({ events, unrouted }: { readonly events: number; readonly unrouted: number }): void {
    this.#counts.events += events
    this.#counts.unrouted += this.#options.isLenient ? 0 : unrouted
  }
}

/** Where a batch stands in what was pushed, and that in the stream. */
type BatchPosition = StreamPlace & { readonly start: number }
