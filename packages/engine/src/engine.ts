import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { BudgetWindows, Quarantine } from './costs/budget.ts'
import type { Budget, QuarantinedRule } from './costs/budget.ts'
import type { CorrelationMatch } from './correlation/correlation-match.ts'
import type { CorrelationCounts, CorrelationHealth } from './correlation/correlation-options.ts'
import type { LoadedState } from './correlation/correlator-state.ts'
import type { IdleCorrelation } from './correlation/plan.ts'
import { checkRuleSet } from './check-options.ts'
import { checkBytesArguments, checkEngineOptions, checkPushArguments, listValidRows } from './engine-options.ts'
import type { EngineCounts, EngineOptions, LinesOutcome, PushOptions } from './engine-options.ts'
import type { EventObject, NormalizedEvent } from './event/event.ts'
import { mapEvent, mapEventLines } from './event/map-events.ts'
import type { EventMapper } from './event/map-events.ts'
import { parseEvent } from './event/parse-event.ts'
import type { EventRingBuffer } from './event/ring-buffer.ts'
import { splitLines } from './event/split-lines.ts'
import { finishSteps } from './finish-steps.ts'
import { limits } from './limits.ts'
import { createMatch, createTextMatch } from './match.ts'
import type { Match } from './match.ts'
import { computeRuleCosts } from './costs/rule-costs.ts'
import type { RuleCost } from './costs/rule-costs.ts'
import { computeRuleHealth } from './costs/rule-health.ts'
import type { RuleHealth } from './costs/rule-health.ts'
import type { RuleSet } from './rule-set.ts'
import { InputRunner } from './run/input-runner.ts'
import { RuleCounters } from './run/rule-counters.ts'
import { Runner } from './run/runner.ts'
import type { RunnerOptions } from './run/runner.ts'
import { StreamState } from './stream-state.ts'
import type { StreamPlace } from './stream-state.ts'
import { normalizeEvent } from './taxonomy/normalize.ts'

/**
 * Matches events against a rule set. Events come in batches; matches are ordered by event and then by rule. The engine
 * reads no clock and performs no I/O. It keeps no event after `push` returns: correlations store only event times,
 * sequence numbers and the values that they group by or count.
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
  readonly #mapping: EventMapper | undefined
  readonly #budget: { readonly windows: BudgetWindows; readonly onQuarantine: Budget['onQuarantine'] } | undefined
  readonly #quarantine = new Quarantine()
  #ruleSet: RuleSet
  #counters: RuleCounters
  #runner: Runner
  readonly #inputRunner: InputRunner
  readonly #counts = { events: 0, unrouted: 0, matches: 0, invalid: 0 }
  readonly #stream: StreamState

  /**
   * Throws a TypeError for an option that does not exist, and a RangeError for a budget without a clock or one that is not
   * a positive time.
   */
  constructor(ruleSet: RuleSet, options: EngineOptions = {}) {
    checkRuleSet('Engine', ruleSet)
    checkEngineOptions(options)
    const { taxonomy = 'auto', lenient = false, mapping, plain = false, now, budget } = options
    this.#options = { taxonomy, isLenient: lenient, isPlain: plain, now }
    this.#mapping = mapping
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

  /** Counts the events routed to a rule by their logsource since it joined the rule set; 0 for an unknown id. */
  countEvaluations(ruleId: string): number {
    const number = this.#ruleSet.numberOf(ruleId)
    return number === undefined ? 0 : this.#runner.countRoutedEvents(number)
  }

  /** Computes the cost of each rule since it joined the rule set, in the order of the rules. */
  ruleCosts(): RuleCost[] {
    return computeRuleCosts(this.#ruleSet, this.#runner.flushCounters())
  }

  /**
   * Computes the health of each detection rule since it joined the rule set: whether events reach it and how far. A plain
   * engine reports no missing fields.
   */
  ruleHealth(): RuleHealth[] {
    return computeRuleHealth(this.#ruleSet, this.#runner.flushCounters())
  }

  /**
   * Replaces the rule set; the next `push` runs the new one. Rules with the same id keep their counts. Rules that both
   * sets share through `RuleSet.applyChange` keep their caches. Quarantined rules stay quarantined unless they changed.
   * Correlations with an unchanged definition keep their state.
   */
  swap(ruleSet: RuleSet): void {
    checkRuleSet('swap', ruleSet)
    const before = this.#runner.flushCounters()
    const tally = new RuleCounters(ruleSet.rules.length, { now: this.#options.now, learnsValues: !this.#options.isPlain })
    tally.copyFrom(before, ruleSet.mapNumbersTo(this.#ruleSet))
    this.#quarantine.retainUnchanged(ruleSet)
    this.#run(ruleSet, tally)
  }

  /** The quarantined rules, in the order in which they exceeded their budget. */
  get quarantined(): readonly QuarantinedRule[] {
    return this.#quarantine.list
  }

  /** Releases a rule from quarantine: it runs from the next `push` on, with a fresh budget. Returns whether it was quarantined. */
  release(ruleId: string): boolean {
    if (!this.#quarantine.release(ruleId)) return false
    const tally = this.#runner.flushCounters()
    this.#budget?.windows.restart(ruleId, this.#ruleSet.numberOf(ruleId)!, tally, this.#counts.events)
    this.#run(this.#ruleSet, tally)
    return true
  }

  /** Switches to a rule set without its quarantined rules; the caller has flushed the counters of the previous runner. */
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
   * Matches events and returns the matches: those of detection rules ordered by row and then by rule, except rules that
   * only feed correlations; then those of correlation rules, in the order in which they became final. An entry that is no
   * event keeps its row and its sequence number, is left out, counted, and reported to `onInvalid`.
   *
   * @throws TypeError for anything but a list, before it matches anything.
   */
  push(events: readonly EventObject[], options: PushOptions = {}): Match[] {
    checkPushArguments(events, options)
    const rows = listValidRows(events, (invalid) => {
      this.#counts.invalid++
      options.onInvalid?.(invalid)
    })
    const matches: Match[] = []
    const { receivedAt, sequence = this.#stream.sequence } = options
    const count = rows?.length ?? events.length
    for (let start = 0; start < count; start += limits.batchRowsMax) {
      const end = Math.min(count, start + limits.batchRowsMax)
      const given = rows === undefined ? events.slice(start, end) : rows.slice(start, end).map((row) => events[row]!)
      const batch = this.#mapping === undefined ? given : given.map((event) => mapEvent(event, this.#mapping))
      const rowOf = rows === undefined ? (i: number) => start + i : (i: number) => rows[start + i]!
      this.#pushBatch(batch, { rowOf, sequence, receivedAt }, matches)
    }
    this.#stream.moveTo(sequence + events.length)
    matches.push(...this.#drainCorrelations())
    this.#enforceBudget()
    return matches
  }

  /**
   * Matches NDJSON: UTF-8 bytes with one event on each line. The buffer contains whole lines; the last one may lack its
   * line feed. Skips blank lines and tolerates a byte order mark and carriage returns. Reports lines that are no event
   * and matches the others. Keeps no reference to the buffer. Every line takes a sequence number of the stream.
   *
   * Gives the same matches as `push` of the parsed events, and is faster for flat Windows events on platforms with
   * WebAssembly.
   */
  pushBytes(given: Uint8Array, options: PushOptions = {}): LinesOutcome {
    checkBytesArguments(given, options)
    const bytes = this.#mapping === undefined ? given : mapEventLines(given, this.#mapping)
    const { hits, malformed, lineCount, eventCount, unroutedCount } = this.#inputRunner.runLines(bytes)
    const { taxonomy } = this.#options
    const { receivedAt, sequence = this.#stream.sequence } = options
    const matches: Match[] = []
    for (const { line, number, text } of hits) {
      const match = createTextMatch(this.#ruleSet.rules[number]!, line, text, taxonomy)
      const place = { sequence: sequence + line, receivedAt }
      if (this.#recordHit(number, place, () => normalizeEvent(match.event, taxonomy))) matches.push(match)
    }
    if (this.#stream.ring !== undefined) this.#keepLines(bytes, { sequence, receivedAt })
    this.#stream.moveTo(sequence + lineCount)
    this.#count({ events: eventCount, unrouted: unroutedCount })
    matches.push(...this.#drainCorrelations())
    this.#enforceBudget()
    return { matches, malformed, lineCount, eventCount }
  }

  /**
   * Advances event time to an instant, in milliseconds since the epoch, without an event, and returns the matches that this
   * makes final. Events older than it minus the allowed lateness are late from now on. Throws a RangeError for NaN.
   */
  advance(to: number): CorrelationMatch[] {
    this.#stream.advance(to)
    return this.#drainCorrelations()
  }

  /** Event time so far, by the newest correlated event or `advance`, in ms since the epoch; minus infinity before both. */
  get newestAt(): number {
    return this.#stream.newestAt
  }

  /** Ends the stream: closes all windows and returns the matches that this makes final. */
  finish(): CorrelationMatch[] {
    return this.advance(Infinity)
  }

  /** Counters and state sizes of correlations; undefined if the engine runs none. */
  get correlation(): CorrelationCounts | undefined {
    return this.#stream.correlation
  }

  /** What each correlation remembers, and whether it lost state that it needs. */
  correlationHealth(): readonly CorrelationHealth[] {
    return this.#stream.correlationHealth
  }

  /** Correlations that cannot run because the rule set lacks rules that they refer to. */
  get idleCorrelations(): readonly IdleCorrelation[] {
    return this.#stream.idleCorrelations
  }

  /** The ring buffer of the last events, if the options ask for one. */
  get ring(): EventRingBuffer | undefined {
    return this.#stream.ring
  }

  /** Serializes the state of correlations and suppressions and the position in the stream: versioned, with a checksum. */
  snapshot(): Uint8Array<ArrayBuffer> {
    return this.#stream.snapshot()
  }

  /**
   * The bytes of a snapshot in chunks, each well below a millisecond of work, for those who share a thread with others. The
   * engine must not be used before the last chunk is taken.
   */
  snapshotChunks(): Generator<Uint8Array<ArrayBuffer>, undefined> {
    return this.#stream.snapshotChunks()
  }

  /** The sequence numbers of the events that correlation matches may show next, in no order and some more than once. */
  shownSequences(): Iterable<number> {
    return this.#stream.shownSequences()
  }

  /**
   * Evicts correlation state until no more than `eventsMax` events, numbers and values are remembered: what was quiet
   * longest goes first, and is counted like all that is evicted. Does a short piece of work and returns whether it is done.
   */
  trimCorrelations(eventsMax: number): boolean {
    return this.#stream.trimCorrelations(eventsMax)
  }

  /**
   * Resumes from a snapshot, as if this engine had seen the same events. Correlations with an unchanged definition get
   * their state back; the result lists those whose state is dropped.
   *
   * @throws SnapshotError for bytes that are no snapshot, have another version or are corrupt; the engine is unchanged.
   */
  restore(bytes: Uint8Array): LoadedState {
    return finishSteps(this.#stream.restore(bytes))
  }

  /** The same in steps, each well below a millisecond of work; the engine must not be used before the last is taken. */
  restoreInSteps(bytes: Uint8Array): Generator<undefined, LoadedState> {
    return this.#stream.restore(bytes)
  }

  #drainCorrelations(): CorrelationMatch[] {
    const matches = this.#stream.settle()
    this.#counts.matches += matches.length
    return matches
  }

  #pushBatch(events: readonly EventObject[], { rowOf, sequence, receivedAt }: BatchPosition, out: Match[]): void {
    const { hits, getNormalized, unroutedCount } = this.#inputRunner.runObjects(events)
    for (const { row, number } of hits) {
      const event = getNormalized(row)
      const place = { sequence: sequence + rowOf(row), receivedAt }
      if (!this.#recordHit(number, place, () => event)) continue
      out.push(createMatch(this.#ruleSet.rules[number]!, rowOf(row), events[row]!, event))
    }
    if (this.#stream.ring !== undefined) {
      const sequences = Float64Array.from(events, (_, row) => sequence + rowOf(row))
      this.#stream.keep(events.map((_, row) => getNormalized(row)), sequences, receivedAt)
    }
    this.#count({ events: events.length, unrouted: unroutedCount })
  }

  /** Records that a rule matched an event and returns whether to report the match: correlations and suppressions may keep it. */
  #recordHit(number: number, place: StreamPlace, eventOf: () => NormalizedEvent): boolean {
    this.#counters.confirmed[number]!++
    const isMatch = this.#stream.take({ number, id: this.#ruleSet.rules[number]!.id }, place, eventOf)
    if (isMatch) this.#counts.matches++
    return isMatch
  }

  /** Parses the events of lines and adds them to the ring buffer. */
  #keepLines(bytes: Uint8Array, { sequence, receivedAt }: StreamPlace): void {
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

  /** Quarantines the rules over their budget, then reports them. */
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

/** The rows of a batch in its push, and the position of the push in the stream. */
type BatchPosition = StreamPlace & { readonly rowOf: (i: number) => number }
