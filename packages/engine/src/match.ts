import type { CorrelationMatch } from './correlation/correlation-match.ts'
import { logsourceContains } from './event/contains-logsource.ts'
import type { EventObject, Logsource, RuleLogsource, NormalizedEvent } from './event/event.ts'
import { mapEvent } from './event/map-events.ts'
import type { EventMapper } from './event/map-events.ts'
import { parseEvent } from './event/parse-event.ts'
import { explainPredicate } from './predicate/explain.ts'
import type { Explanation } from './predicate/explain.ts'
import { listMatchedConditions } from './predicate/matched-conditions.ts'
import { checkOptions } from './check-options.ts'
import type { OptionNames } from './check-options.ts'
import type { CompiledRule } from './compiled-rule.ts'
import { normalizeEvent } from './taxonomy/normalize.ts'

/** A match of a detection rule on an event, or of a correlation rule on several events. */
export type Match = DetectionMatch | CorrelationMatch

/** A match of a detection rule on an event. */
export type DetectionMatch = {
  readonly kind: 'detection'
  readonly rule: CompiledRule
  /** The event's place in the push, from 0. */
  readonly row: number
  /** The event as it was pushed, or what the option `mapping` made of it. */
  readonly event: EventObject
  /** The JSON text of the event, if it was pushed as bytes. */
  readonly text?: string
  /** The comparisons that made the rule match, as `selection: field|modifiers=pattern`; computed on first access. */
  readonly conditions: readonly string[]
}

/** Options for reading events. */
export type EventOptions = {
  /**
   * `auto` recognises the format of an event, its logsource and its field names; `none` takes fields as they are and
   * knows only a logsource that the event declares in `_logsource`. Default `auto`.
   */
  readonly taxonomy?: 'auto' | 'none'
  /** Whether every rule is tried on an event of unknown logsource, instead of none. Default false. */
  readonly lenient?: boolean
  /**
   * Makes of each event what rules read, before its log source and field names are recognised: renames, constants, types.
   * `createEventMapper` of `@tripline/formats` makes one of a mapping file.
   */
  readonly mapping?: EventMapper
}

/** Why a rule matches an event, or does not. */
export type RuleExplanation = {
  readonly matched: boolean
  /** Whether the rule applies to events of this logsource at all. */
  readonly logsourceMatched: boolean
  /** Empty if the rule did not match. */
  readonly matchedConditions: readonly string[]
  readonly tree: Explanation
}

const eventOptionNames: OptionNames<EventOptions> = { taxonomy: true, lenient: true, mapping: true }

/**
 * Explains a rule on one event: the whole tree of its detection with the result of every part. `matched` agrees with an
 * engine that has the same options.
 */
export function explain(rule: CompiledRule, event: EventObject, options: EventOptions = {}): RuleExplanation {
  checkOptions('explain', options, eventOptionNames)
  if (!isObject(rule) || !('predicate' in rule)) throw new TypeError('explain takes a compiled rule, such as one of ruleSet.rules')
  if (!isObject(event)) throw new TypeError('explain takes an event as an object')
  const normalized = normalizeEvent(mapEvent(event, options.mapping), options.taxonomy ?? 'auto')
  const logsourceMatched = isApplicable(rule.logsource, normalized.logsources, options.lenient ?? false)
  const tree = explainPredicate(rule.predicate, normalized)
  const matched = logsourceMatched && tree.result
  const matchedConditions = (matched ? listMatchedConditions(rule.predicate, normalized) : undefined) ?? []
  return { matched, logsourceMatched, matchedConditions, tree }
}

/** Callers without types pass anything. */
function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Creates a match that computes its conditions on first access: most matches are only counted. */
export function createMatch(rule: CompiledRule, row: number, event: EventObject, normalized: NormalizedEvent): DetectionMatch {
  return new ObjectMatch(rule, row, event, normalized)
}

/** Creates a match that parses its event, the JSON in `text`, on first access. */
export function createTextMatch(rule: CompiledRule, row: number, text: string, taxonomy: 'auto' | 'none'): DetectionMatch {
  return new TextMatch(rule, row, text, taxonomy)
}

class ObjectMatch implements DetectionMatch {
  readonly kind = 'detection'
  readonly rule: CompiledRule
  readonly row: number
  readonly event: EventObject
  readonly #normalized: NormalizedEvent
  #conditions: readonly string[] | undefined

  constructor(rule: CompiledRule, row: number, event: EventObject, normalized: NormalizedEvent) {
    this.rule = rule
    this.row = row
    this.event = event
    this.#normalized = normalized
  }

  get conditions(): readonly string[] {
    return (this.#conditions ??= listMatchedConditions(this.rule.predicate, this.#normalized) ?? [])
  }

  toJSON(): object {
    return toLogEntry(this)
  }
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

  toJSON(): object {
    return toLogEntry(this)
  }

  #parse(): DetectionMatch {
    if (this.#parsed !== undefined) return this.#parsed
    const line = parseEvent(this.text)
    if ('reason' in line) throw new Error(`a line that matched is no event: ${line.reason}`)
    return (this.#parsed = createMatch(this.rule, this.row, line.event, normalizeEvent(line.event, this.#taxonomy)))
  }
}

/** What a log shows of a match: the rule without its predicate, the event, and the conditions. */
function toLogEntry({ kind, rule, row, conditions, event }: DetectionMatch): object {
  return { kind, rule, row, conditions, event }
}

function isApplicable(rule: RuleLogsource, events: readonly Logsource[], isLenient: boolean): boolean {
  return events.length === 0 ? isLenient : events.some((event) => logsourceContains(rule, event))
}
