import type { CorrelationMatch } from './correlation/correlation-match.ts'
import { logsourceContains } from './event/contains-logsource.ts'
import type { EventObject, Logsource, NormalizedEvent } from './event/event.ts'
import { parseEvent } from './event/parse-event.ts'
import { explainPredicate } from './predicate/explain.ts'
import type { Explanation } from './predicate/explain.ts'
import { listMatchedConditions } from './predicate/matched-conditions.ts'
import type { CompiledRule } from './rule-set.ts'
import { normalizeEvent } from './taxonomy/normalize.ts'

/** What an engine finds: that a detection rule held on an event, or a correlation rule on several. */
export type Match = DetectionMatch | CorrelationMatch

/** A detection rule held on an event. */
export type DetectionMatch = {
  readonly kind: 'detection'
  readonly rule: CompiledRule
  /** Where the event stood among those that were pushed, from 0. */
  readonly row: number
  /** The event as it was pushed. */
  readonly event: EventObject
  /** The JSON text of the event, where it was pushed as bytes. */
  readonly text?: string
  /** The comparisons that made the rule hold, as `selection: field|modifiers=pattern`; found when first asked for. */
  readonly conditions: readonly string[]
}

/** How events are read. */
export type EventOptions = {
  /**
   * `auto` recognises the shape of an event, its logsource and its field names; `none` takes fields as they
   * are and knows only a logsource that the event declares in `_logsource`. Default `auto`.
   */
  readonly taxonomy?: 'auto' | 'none'
  /** Whether an event of unknown logsource is tried on every rule, instead of none (D-3). Default false. */
  readonly lenient?: boolean
}

/** Why a rule holds on an event, or does not. */
export type RuleExplanation = {
  readonly matched: boolean
  /** Whether the rule applies to events of this logsource at all. */
  readonly logsourceMatched: boolean
  /** Empty when the rule did not match. */
  readonly matchedConditions: readonly string[]
  readonly tree: Explanation
}

/**
 * Explains a rule on one event: the whole tree of its detection with the outcome of every part.
 * `matched` is what an engine with the same options says.
 */
export function explain(rule: CompiledRule, event: EventObject, options: EventOptions = {}): RuleExplanation {
  const normalized = normalizeEvent(event, options.taxonomy ?? 'auto')
  const logsourceMatched = isApplicable(rule.logsource, normalized.logsources, options.lenient ?? false)
  const tree = explainPredicate(rule.predicate, normalized)
  const matched = logsourceMatched && tree.result
  const matchedConditions = (matched ? listMatchedConditions(rule.predicate, normalized) : undefined) ?? []
  return { matched, logsourceMatched, matchedConditions, tree }
}

/** Makes a match whose conditions are found when they are first asked for: most are only counted. */
export function createMatch(rule: CompiledRule, row: number, event: EventObject, normalized: NormalizedEvent): DetectionMatch {
  let conditions: readonly string[] | undefined
  return {
    kind: 'detection',
    rule,
    row,
    event,
    get conditions() {
      return (conditions ??= listMatchedConditions(rule.predicate, normalized) ?? [])
    },
  }
}

/** Makes a match of an event that is parsed when it is first asked for; `text` is the JSON of one. */
export function createTextMatch(rule: CompiledRule, row: number, text: string, taxonomy: 'auto' | 'none'): DetectionMatch {
  return new TextMatch(rule, row, text, taxonomy)
}

class TextMatch implements DetectionMatch {
  readonly kind = 'detection'
  readonly rule: CompiledRule
  readonly row: number
  readonly text: string
  readonly #taxonomy: 'auto' | 'none'
  #parsed: DetectionMatch | undefined

  constructor(rule: CompiledRule, row: number, text: string, taxonomy: 'auto' | 'none') {
    this.rule = rule
    this.row = row
    this.text = text
    this.#taxonomy = taxonomy
  }

  get event(): EventObject {
    return this.#parse().event
  }

  get conditions(): readonly string[] {
    return this.#parse().conditions
  }

  #parse(): DetectionMatch {
    if (this.#parsed !== undefined) return this.#parsed
    const line = parseEvent(this.text)
    if ('reason' in line) throw new Error(`a line that matched holds no event: ${line.reason}`)
    return (this.#parsed = createMatch(this.rule, this.row, line.event, normalizeEvent(line.event, this.#taxonomy)))
  }
}

function isApplicable(rule: Logsource, events: readonly Logsource[], isLenient: boolean): boolean {
  return events.length === 0 ? isLenient : events.some((event) => logsourceContains(rule, event))
}
