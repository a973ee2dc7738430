import type { CorrelationType, ThresholdOperator } from './correlation.ts'
import { parseTimespan } from './timespan.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlEntry, YamlList, YamlMap, YamlNode, YamlScalar } from './yaml-document.ts'

/** A rule with an aggregation as two equivalent rules: a detection rule, and a correlation rule over its matches. */
export type TranslatedAggregation = {
  /** A detection rule without the aggregation. */
  readonly base: YamlMap
  /** The correlation rule, with the metadata of the original rule. */
  readonly correlation: YamlMap
  /** The offset of the aggregation. */
  readonly offset: number
  /** The correlation section on one line. */
  readonly equivalent: string
}

/**
 * Translates the aggregation syntax of Sigma 1, `selection | count(user) by host > 5` with a `timeframe`, to a
 * correlation rule that matches exactly the same. Undefined when the rule has no aggregation, or one without an
 * equivalent; then `getAggregationHint` tells the author what to do.
 */
export function translateAggregation(rule: YamlMap, baseName: string): TranslatedAggregation | undefined {
  const detection = findEntry(rule, 'detection')?.value
  const condition = detection?.kind === 'map' ? findEntry(detection, 'condition')?.value : undefined
  const timeframe = detection?.kind === 'map' ? findEntry(detection, 'timeframe')?.value : undefined
  if (detection?.kind !== 'map' || condition?.kind !== 'scalar' || timeframe?.kind !== 'scalar') return undefined
  const { selected, aggregation, offset } = splitCondition(condition)
  const terms = parseAggregation(aggregation)
  const type = terms && toCorrelationType(terms)
  const isComplete = selected.trim() !== '' && parseTimespan(timeframe.text) !== undefined
  if (terms === undefined || type === undefined || !isComplete) return undefined

  const at = new YamlNodeBuilder(offset)
  const threshold = [at.entry(terms.operator, at.scalar(terms.bound))]
  if (terms.field !== '') threshold.push(at.entry('field', at.scalar(terms.field)))
  const section = at.map([
    at.entry('type', at.scalar(type)),
    at.entry('rules', at.list([baseName])),
    ...(terms.groupBy.length === 0 ? [] : [at.entry('group-by', at.list(terms.groupBy))]),
    { key: 'timespan', keyOffset: timeframe.offset, value: timeframe },
    at.entry('condition', at.map(threshold)),
  ])
  // A text in `correlation` is a note of the author's.
  const kept = rule.entries.filter(({ key }) => !['logsource', 'detection', 'correlation'].includes(key))
  return {
    base: { ...rule, entries: buildBaseEntries(rule, detection, { ...condition, text: selected, value: selected }, at) },
    correlation: { ...rule, entries: [...kept, at.entry('correlation', section)] },
    offset,
    equivalent: printCorrelation(type, terms, timeframe.text),
  }
}

/** Returns the hint on how to replace an aggregation; `timeframe` is empty when the rule has none. */
export function getAggregationHint(condition: string, timeframe: string): string {
  const aggregation = condition.slice(condition.indexOf('|') + 1)
  if (/^\s*near\b/i.test(aggregation)) {
    return "write a rule for each side of 'near' and a temporal correlation rule over them"
  }
  const terms = parseAggregation(aggregation)
  if (terms === undefined) return 'write a correlation rule over this one'
  const type = toCorrelationType(terms)
  if (type !== undefined) {
    return `write a correlation rule over this one: ${printCorrelation(type, terms, timeframe || '<how long>')}`
  }
  const { name, field, operator, bound } = terms
  // A maximum exceeds a bound as soon as one value does.
  const isOfOne = (name === 'max' && operator.startsWith('gt')) || (name === 'min' && operator.startsWith('lt'))
  if (isOfOne) return `a single event decides it: write '${field}|${operator}: ${bound}' in a selection`
  return `no correlation type computes '${name}'; consider value_percentile, value_sum or value_avg`
}

type ConditionParts = {
  readonly selected: string
  /** Empty when there is none. */
  readonly aggregation: string
  readonly offset: number
}

/** Splits a condition at the `|`. */
function splitCondition({ text, offset, textOffset }: YamlScalar): ConditionParts {
  const bar = text.indexOf('|')
  if (bar === -1) return { selected: text, aggregation: '', offset }
  const place = textOffset === undefined ? offset : textOffset + bar
  return { selected: text.slice(0, bar), aggregation: text.slice(bar + 1), offset: place }
}

/** A parsed aggregation such as `count(user) by host > 5`. */
type Aggregation = {
  readonly name: string
  /** Empty for `count()`. */
  readonly field: string
  readonly groupBy: readonly string[]
  readonly operator: ThresholdOperator
  readonly bound: number
}

const operatorsBySign: { readonly [sign: string]: ThresholdOperator } = {
  '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '=': 'eq', '==': 'eq',
}

/** Parses `name(field) by group, group > bound`; undefined for anything else. */
function parseAggregation(text: string): Aggregation | undefined {
  const tokens = Array.from(text.matchAll(/[^\s(),<>=|]+|[<>=]+|[(),|]/g), ([token]) => token)
  const [name = '', open] = tokens.splice(0, 2)
  const close = tokens.indexOf(')')
  if (open !== '(' || close === -1 || close > 1) return undefined
  const [field = ''] = tokens.splice(0, close + 1).slice(0, close)
  const bound = Number(tokens.pop() ?? Number.NaN)
  const sign = tokens.pop() ?? ''
  const operator = Object.hasOwn(operatorsBySign, sign) ? operatorsBySign[sign] : undefined
  if (operator === undefined || !Number.isFinite(bound)) return undefined
  const [by, ...groups] = tokens
  if (by !== undefined && by.toLowerCase() !== 'by') return undefined
  const groupBy = groups.filter((_, i) => i % 2 === 0)
  const isListed = groups.every((token, i) => (token === ',') === (i % 2 === 1)) && (by === undefined) === (groupBy.length === 0)
  return isListed && groups.at(-1) !== ',' ? { name: name.toLowerCase(), field, groupBy, operator, bound } : undefined
}

/** Returns the equivalent correlation type. `count(field)` counts distinct values, despite its name. */
function toCorrelationType({ name, field }: Aggregation): CorrelationType | undefined {
  if (name === 'count') return field === '' ? 'event_count' : 'value_count'
  if (field === '') return undefined
  return name === 'sum' ? 'value_sum' : name === 'avg' ? 'value_avg' : undefined
}

function printCorrelation(type: CorrelationType, { field, groupBy, operator, bound }: Aggregation, timespan: string): string {
  const group = groupBy.length === 0 ? '' : `group-by: [${groupBy.join(', ')}], `
  const condition = `condition: { ${operator}: ${bound}${field === '' ? '' : `, field: ${field}`} }`
  return `{ type: ${type}, ${group}timespan: ${timespan}, ${condition} }`
}

/** Builds the entries of the base rule: the selections, and only the metadata that affects how they run. */
function buildBaseEntries(rule: YamlMap, detection: YamlMap, condition: YamlScalar, at: YamlNodeBuilder): YamlEntry[] {
  const entries = detection.entries.flatMap((entry) => {
    if (entry.key === 'timeframe') return []
    return entry.key === 'condition' ? [{ ...entry, value: condition }] : [entry]
  })
  return [at.entry('title', at.scalar('events')), ...rule.entries.flatMap((entry) => {
    if (['logsource', 'sigma-version', 'status'].includes(entry.key)) return [entry]
    return entry.key === 'detection' ? [{ ...entry, value: { ...detection, entries } }] : []
  })]
}

/** Builds nodes that all have the offset of the text they are translated from. */
class YamlNodeBuilder {
  readonly #offset: number

  constructor(offset: number) {
    this.#offset = offset
  }

  scalar(value: string | number): YamlScalar {
    return { kind: 'scalar', value, text: String(value), textOffset: undefined, isPlain: false, offset: this.#offset, size: 1 }
  }

  list(values: readonly string[]): YamlList {
    return { kind: 'list', items: values.map((value) => this.scalar(value)), offset: this.#offset, size: values.length + 1 }
  }

  map(entries: readonly YamlEntry[]): YamlMap {
    return { kind: 'map', entries, offset: this.#offset, size: entries.length + 1 }
  }

  entry(key: string, value: YamlNode): YamlEntry {
    return { key, keyOffset: this.#offset, value }
  }
}
