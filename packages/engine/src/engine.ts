import { BudgetWindows } from './budget.ts'
import type { Budget } from './budget.ts'
import type { EventObject } from './event/event.ts'
import type { MalformedLine } from './event/parse-event.ts'
import { limits } from './limits.ts'
import { matchOf, matchOfText } from './match.ts'
import type { EventOptions, Match } from './match.ts'
import { Quarantine } from './quarantine.ts'
import type { Quarantined } from './quarantine.ts'
import { ruleCostsOf } from './rule-costs.ts'
import type { RuleCost } from './rule-costs.ts'
import type { RuleSet } from './rule-set.ts'
import { LineRunner } from './run/line-runner.ts'
import { RuleTally } from './run/rule-tally.ts'
import { Runner } from './run/runner.ts'
import type { RunnerOptions } from './run/runner.ts'
import { normalizeEvent } from './taxonomy/normalize.ts'

/** What an engine has seen since it was made. */
export type EngineCounts = {
  readonly events: number
  /** Events of unknown logsource that were tried on no rule. */
  readonly unrouted: number
  readonly matches: number
}

/** How events are read and matched. */
export type EngineOptions = EventOptions & {
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

/** What came of lines that were pushed. */
export type LinesOutcome = {
  /** As `push` returns them; `row` is the line of the buffer, counted from 0, and `text` the line. */
  readonly matches: readonly Match[]
  readonly malformed: readonly MalformedLine[]
  /** Lines in all, blank ones too. */
  readonly lineCount: number
  readonly eventCount: number
}

/**
 * Matches events against a rule set. Events come in batches; matches go out in the order of the events and,
 * for one event, of the rules. Holds no event after `push` returns, reads no clock and waits for nothing.
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
  #tally: RuleTally
  #runner: Runner
  /** Made when the first bytes come. */
  #lineRunner: LineRunner | undefined
  readonly #counts = { events: 0, unrouted: 0, matches: 0 }

  /** Throws a RangeError for a budget without a clock, or of no length of time. */
  constructor(ruleSet: RuleSet, options: EngineOptions = {}) {
    const { taxonomy = 'auto', lenient = false, plain = false, now, budget } = options
    if (budget !== undefined && now === undefined) {
      throw new RangeError("the option 'budget' needs a clock, the option 'now'")
    }
    this.#options = { taxonomy, isLenient: lenient, isPlain: plain, now }
    this.#budget = budget && { windows: new BudgetWindows(budget), onQuarantine: budget.onQuarantine }
    this.#ruleSet = ruleSet
    this.#tally = new RuleTally(ruleSet.rules.length, now)
    this.#runner = new Runner(ruleSet, this.#options, { tally: this.#tally, leftOut: new Set() })
  }

  get ruleSet(): RuleSet {
    return this.#ruleSet
  }

  get counts(): EngineCounts {
    return { ...this.#counts }
  }

  /** How many events were routed to a rule by their logsource since it is in the rule set; 0 for an unknown id (D-13). */
  evaluationsOf(ruleId: string): number {
    const number = this.#ruleSet.numberOf(ruleId)
    return number === undefined ? 0 : this.#runner.eventsMetBy(number)
  }

  /** What each rule has cost since it is in the rule set, in the order of the rules. */
  ruleCosts(): RuleCost[] {
    return ruleCostsOf(this.#ruleSet, this.#runner.settledTally())
  }

  /**
   * Replaces the rule set; the next `push` runs the new one. Rules with the same id keep their counts.
   * Of rules that both sets share by `RuleSet.changed` the engine forgets nothing. Quarantined ones stay so,
   * unless they have changed.
   */
  swap(ruleSet: RuleSet): void {
    const before = this.#runner.settledTally()
    const tally = new RuleTally(ruleSet.rules.length, this.#options.now)
    tally.takeOver(before, ruleSet.numbersIn(this.#ruleSet))
    this.#quarantine.keepThoseOf(ruleSet)
    this.#run(ruleSet, tally)
  }

  /** The rules that are tried no more because they were over their budget, in the order in which they were. */
  get quarantined(): readonly Quarantined[] {
    return this.#quarantine.list
  }

  /** Tries a quarantined rule again, from the next `push` on; its budget begins anew. Says whether it was one. */
  release(ruleId: string): boolean {
    if (!this.#quarantine.release(ruleId)) return false
    const tally = this.#runner.settledTally()
    this.#budget?.windows.restart(ruleId, this.#ruleSet.numberOf(ruleId)!, tally, this.#counts.events)
    this.#run(this.#ruleSet, tally)
    return true
  }

  /** Runs a rule set from now on, without those in quarantine; the tally of the runner before is settled. */
  #run(ruleSet: RuleSet, tally: RuleTally): void {
    const leftOut = this.#quarantine.numbersIn(ruleSet)
    const runner = new Runner(ruleSet, this.#options, { tally, leftOut, before: this.#runner })
    this.#ruleSet = ruleSet
    this.#tally = tally
    this.#runner = runner
    this.#lineRunner?.use(runner)
  }

  /**
   * Matches events and returns the matches, ordered by row and then by rule. Throws a TypeError, before
   * anything is matched, when one of them is not an object.
   */
  push(events: readonly EventObject[]): Match[] {
    const stranger = events.findIndex((event) => typeof event !== 'object' || event === null || Array.isArray(event))
    if (stranger !== -1) throw new TypeError(`event ${stranger} is not an object`)
    const matches: Match[] = []
    for (let start = 0; start < events.length; start += limits.batchRowsMax) {
      this.#pushBatch(events, start, Math.min(events.length, start + limits.batchRowsMax), matches)
    }
    this.#judge()
    return matches
  }

  /**
   * Matches the events of NDJSON, one on each line, as bytes of UTF-8. The buffer holds whole lines; the last
   * one may lack its line feed. Blank lines are passed over, a byte order mark and carriage returns are
   * tolerated. Lines that hold no event are reported, and the others matched. Keeps nothing of the buffer.
   *
   * Says the same as `push` of the parsed events, faster where they are flat events of Windows and the
   * platform has WebAssembly.
   */
  pushBytes(bytes: Uint8Array): LinesOutcome {
    this.#lineRunner ??= new LineRunner(this.#runner)
    const { hits, malformed, lineCount, eventCount, unroutedCount } = this.#lineRunner.run(bytes)
    const { taxonomy } = this.#options
    const matches = hits.map(({ line, number, text }) => matchOfText(this.#ruleSet.rules[number]!, line, text, taxonomy))
    this.#count(eventCount, unroutedCount, hits)
    this.#judge()
    return { matches, malformed, lineCount, eventCount }
  }

  #pushBatch(events: readonly EventObject[], start: number, end: number, out: Match[]): void {
    const { taxonomy } = this.#options
    const normalized = events.slice(start, end).map((event) => normalizeEvent(event, taxonomy))
    const hits = this.#runner.run(normalized)
    for (const { row, number } of hits) {
      out.push(matchOf(this.#ruleSet.rules[number]!, start + row, events[start + row]!, normalized[row]!))
    }
    this.#count(normalized.length, normalized.filter(({ logsources }) => logsources.length === 0).length, hits)
  }

  /** Quarantines the rules that are over their budget, and says so once all of them are. */
  #judge(): void {
    if (this.#budget === undefined || !this.#budget.windows.isDue(this.#counts.events)) return
    const tally = this.#runner.settledTally()
    const judged = this.#budget.windows.judge(this.#ruleSet, tally, this.#counts.events)
    if (judged.length === 0) return
    for (const { rule, quarantined } of judged) this.#quarantine.add(rule, quarantined)
    this.#run(this.#ruleSet, tally)
    for (const { quarantined } of judged) this.#budget.onQuarantine(quarantined)
  }

  #count(events: number, unrouted: number, hits: readonly { readonly number: number }[]): void {
    this.#counts.events += events
    this.#counts.unrouted += this.#options.isLenient ? 0 : unrouted
    this.#counts.matches += hits.length
    for (const { number } of hits) this.#tally.confirmed[number]!++
  }
}
