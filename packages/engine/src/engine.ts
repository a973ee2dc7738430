import { Batch } from './event/batch.ts'
import type { EventObject, Logsource, NormalizedEvent } from './event/event.ts'
import { linesOf } from './event/lines.ts'
import { parseEvent } from './event/parse-event.ts'
import type { MalformedLine } from './event/parse-event.ts'
import { decodeUtf8 } from './event/utf8.ts'
import { limits } from './limits.ts'
import { matchOf } from './match.ts'
import type { EventOptions, Match } from './match.ts'
import type { RuleGroup, RuleSet } from './rule-set.ts'
import { normalizeEvent } from './taxonomy/normalize.ts'

/** What an engine has seen since it was made. */
export type EngineCounts = {
  readonly events: number
  /** Events of unknown logsource that were tried on no rule. */
  readonly unrouted: number
  readonly matches: number
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
  readonly #taxonomy: 'auto' | 'none'
  readonly #isLenient: boolean
  #ruleSet: RuleSet
  #evaluations: Float64Array
  readonly #counts = { events: 0, unrouted: 0, matches: 0 }

  constructor(ruleSet: RuleSet, options: EventOptions = {}) {
    this.#taxonomy = options.taxonomy ?? 'auto'
    this.#isLenient = options.lenient ?? false
    this.#ruleSet = ruleSet
    this.#evaluations = new Float64Array(ruleSet.rules.length)
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
    return number === undefined ? 0 : (this.#evaluations[number] ?? 0)
  }

  /** Replaces the rule set; the next `push` runs the new one. Rules with the same id keep their evaluations. */
  swap(ruleSet: RuleSet): void {
    this.#evaluations = Float64Array.from(ruleSet.rules, (rule) => this.evaluationsOf(rule.id))
    this.#ruleSet = ruleSet
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
    this.#counts.events += events.length
    this.#counts.matches += matches.length
    return matches
  }

  /**
   * Matches the events of NDJSON, one on each line, as bytes of UTF-8. The buffer holds whole lines; the last
   * one may lack its line feed. Blank lines are passed over, a byte order mark and carriage returns are
   * tolerated. Lines that hold no event are reported, and the others matched. Keeps nothing of the buffer.
   */
  pushBytes(bytes: Uint8Array): LinesOutcome {
    const events: EventObject[] = []
    const lines: { readonly number: number; readonly text: string }[] = []
    const malformed: MalformedLine[] = []
    let lineCount = 0
    for (const { start, end } of linesOf(bytes)) {
      const number = lineCount++
      // Trimming takes carriage returns and a byte order mark as well.
      const text = decodeUtf8(bytes.subarray(start, end)).trim()
      if (text === '') continue
      const parsed = parseEvent(text)
      if ('event' in parsed) {
        events.push(parsed.event)
        lines.push({ number, text })
      } else malformed.push({ line: number, reason: parsed.reason })
    }
    const matches = this.push(events).map((match) => {
      const { number, text } = lines[match.row]!
      return { rule: match.rule, row: number, event: match.event, text, get conditions() { return match.conditions } }
    })
    return { matches, malformed, lineCount, eventCount: events.length }
  }

  #pushBatch(events: readonly EventObject[], start: number, end: number, out: Match[]): void {
    const normalized = events.slice(start, end).map((event) => normalizeEvent(event, this.#taxonomy))
    const hits: Hit[] = []
    for (const [logsources, rows] of rowsByLogsources(normalized)) {
      if (logsources.length === 0 && !this.#isLenient) this.#counts.unrouted += rows.length
      // A batch of one kind of events only: they have the same fields, and its columns are full.
      const batch = new Batch(rows.map((row) => normalized[row]!), this.#ruleSet.fields)
      for (const group of this.#ruleSet.groupsOf(logsources, this.#isLenient)) {
        this.#matchBatch(batch, group, (row, number) => hits.push({ row: rows[row]!, number }))
      }
    }
    hits.sort((a, b) => a.row - b.row || a.number - b.number)
    for (const { row, number } of hits) {
      out.push(matchOf(this.#ruleSet.rules[number]!, start + row, events[start + row]!, normalized[row]!))
    }
  }

  #matchBatch(batch: Batch, group: RuleGroup, found: (row: number, number: number) => void): void {
    const rowCount = batch.events.length
    for (const number of group.rules) this.#evaluations[number]! += rowCount
    const kept = new Uint32Array(rowCount)
    group.index.visit(batch, (number, candidates, candidateCount) => {
      const count = this.#ruleSet.matcher(number)(batch, candidates, candidateCount, kept)
      for (let i = 0; i < count; i++) found(kept[i]!, number)
    })
  }
}

/** A rule held on an event of the batch. */
type Hit = { readonly row: number; readonly number: number }

/** The rows of each list of logsources; the lists are interned, so equal ones are the same. */
function rowsByLogsources(events: readonly NormalizedEvent[]): Map<readonly Logsource[], number[]> {
  const groups = new Map<readonly Logsource[], number[]>()
  for (const [row, { logsources }] of events.entries()) {
    const rows = groups.get(logsources)
    if (rows === undefined) groups.set(logsources, [row])
    else rows.push(row)
  }
  return groups
}
