import type { EventObject } from './event/event.ts'
import type { MalformedLine } from './event/parse-event.ts'
import { limits } from './limits.ts'
import { matchOf, matchOfText } from './match.ts'
import type { EventOptions, Match } from './match.ts'
import type { RuleSet } from './rule-set.ts'
import { LineRunner } from './run/line-runner.ts'
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
  #ruleSet: RuleSet
  #runner: Runner
  /** Made when the first bytes come. */
  #lineRunner: LineRunner | undefined
  /** Events that rules met in a rule set where they were others, or elsewhere. */
  #evaluationsBefore: ReadonlyMap<string, number> = new Map()
  readonly #counts = { events: 0, unrouted: 0, matches: 0 }

  constructor(ruleSet: RuleSet, { taxonomy = 'auto', lenient = false, plain = false }: EngineOptions = {}) {
    this.#options = { taxonomy, isLenient: lenient, isPlain: plain }
    this.#ruleSet = ruleSet
    this.#runner = new Runner(ruleSet, this.#options)
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
    return number === undefined ? 0 : this.#runner.eventsMetBy(number) + (this.#evaluationsBefore.get(ruleId) ?? 0)
  }

  /**
   * Replaces the rule set; the next `push` runs the new one. Rules with the same id keep their evaluations.
   * Of rules that both sets share by `RuleSet.changed` the engine forgets nothing.
   */
  swap(ruleSet: RuleSet): void {
    const evaluations = new Map(ruleSet.rules.map(({ id }) => [id, this.evaluationsOf(id)]))
    const runner = new Runner(ruleSet, this.#options, this.#runner)
    this.#ruleSet = ruleSet
    this.#runner = runner
    this.#lineRunner?.use(runner)
    this.#evaluationsBefore = new Map([...evaluations].flatMap(([id, count]) => {
      const before = count - runner.eventsMetBy(ruleSet.numberOf(id) ?? 0)
      return before === 0 ? [] : [[id, before]]
    }))
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
    this.#count(eventCount, unroutedCount, matches.length)
    return { matches, malformed, lineCount, eventCount }
  }

  #pushBatch(events: readonly EventObject[], start: number, end: number, out: Match[]): void {
    const { taxonomy } = this.#options
    const normalized = events.slice(start, end).map((event) => normalizeEvent(event, taxonomy))
    const hits = this.#runner.run(normalized)
    for (const { row, number } of hits) {
      out.push(matchOf(this.#ruleSet.rules[number]!, start + row, events[start + row]!, normalized[row]!))
    }
    this.#count(normalized.length, normalized.filter(({ logsources }) => logsources.length === 0).length, hits.length)
  }

  #count(events: number, unrouted: number, matches: number): void {
    this.#counts.events += events
    this.#counts.unrouted += this.#options.isLenient ? 0 : unrouted
    this.#counts.matches += matches
  }
}
