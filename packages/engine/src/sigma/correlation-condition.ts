import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import { limits } from '../limits.ts'
import { parseCondition } from './condition.ts'
import type { Condition } from './condition.ts'
import { thresholdOperators } from './correlation.ts'
import type { CorrelationCondition, CorrelationType, RuleFormula, RuleReference, Threshold } from './correlation.ts'
import { hasNegation, toDisjunctiveForm } from './disjunctive-form.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlMap, YamlNode, YamlScalar } from './yaml-document.ts'

/** The parts of a correlation that its condition depends on. */
type ConditionContext = { readonly type: CorrelationType; readonly references: readonly RuleReference[] }

/** Parses the condition of a correlation and reports every problem; undefined when it is missing or invalid. */
export function parseCorrelationCondition(
  section: YamlMap, context: ConditionContext, collector: DiagnosticCollector,
): CorrelationCondition | undefined {
  const entry = findEntry(section, 'condition')
  const isTemporal = context.type === 'temporal' || context.type === 'temporal_ordered'
  if (entry === undefined) {
    if (isTemporal) return requireAllRules(context.references)
    const message = `a correlation of type ${context.type} needs a 'condition'`
    collector.error({ code: 'MISSING_ATTRIBUTE', message, offset: section.offset })
    return undefined
  }
  const { value } = entry
  if (value.kind === 'map') return parseThresholds(value, context, collector)
  if (value.kind === 'scalar' && typeof value.value === 'string') {
    if (isTemporal) return parseFormula(value, context, collector)
    const message = `a correlation of type ${context.type} needs a map such as 'gte: 10' as its condition, not text`
    collector.error({ code: 'INVALID_ATTRIBUTE', message, offset: value.offset })
    return undefined
  }
  return reportInvalid(value, `'correlation.condition' must be a map such as 'gte: 10'${isTemporal ? ', or text' : ''}`, collector)
}

/** The default condition of a temporal correlation: every rule must match. */
function requireAllRules(references: readonly RuleReference[]): CorrelationCondition {
  const thresholds = [{ operator: 'gte', value: references.length }] as const
  return { kind: 'thresholds', thresholds, fields: [], percentile: undefined }
}

function parseThresholds(
  map: YamlMap, { type }: ConditionContext, collector: DiagnosticCollector,
): CorrelationCondition | undefined {
  const thresholds: Threshold[] = []
  let fields: readonly string[] = []
  let percentile: number | undefined
  for (const { key, keyOffset, value } of map.entries) {
    const operator = thresholdOperators.find((candidate) => candidate === key)
    if (operator !== undefined) {
      const number = readNumber(value)
      if (number === undefined) reportInvalid(value, `'condition.${key}' must be a number`, collector)
      else if (type.endsWith('_count') && number > limits.correlationThresholdMax) {
        const message = `'condition.${key}' is ${number}; the limit is ${limits.correlationThresholdMax}`
        collector.error({ code: 'LIMIT_EXCEEDED', message, offset: value.offset })
      }
      else thresholds.push({ operator, value: number })
    } else if (key === 'field') fields = parseFields(value, collector)
    else if (key === 'percentile') {
      percentile = readNumber(value)
      const isPercentile = percentile !== undefined && 0 <= percentile && percentile <= 100
      if (!isPercentile) reportInvalid(value, "'condition.percentile' must be a number from 0 to 100", collector)
    } else {
      const known = [...thresholdOperators, 'field', 'percentile']
      const message = `'condition.${key}' is not one of ${known.join(', ')}`
      collector.error({ code: 'INVALID_ATTRIBUTE', message, offset: keyOffset, hint: suggestName(key, known) })
    }
  }
  if (thresholds.length === 0) {
    const isMisspelt = map.entries.some(({ key }) => key !== 'field' && key !== 'percentile')
    return isMisspelt ? undefined : reportInvalid(map, `'correlation.condition' needs one of ${thresholdOperators.join(', ')}`, collector)
  }
  const needsField = type.startsWith('value_')
  if (needsField && fields.length === 0) {
    const message = `a correlation of type ${type} needs 'condition.field'`
    collector.error({ code: 'MISSING_ATTRIBUTE', message, offset: map.offset })
    return undefined
  }
  if (fields.length > 1 && type !== 'value_count') {
    return reportInvalid(map, `a correlation of type ${type} accepts one field; only value_count accepts several`, collector)
  }
  const useless = findUselessKey(map, type)
  if (useless !== undefined) {
    const message = `'condition.${useless.key}' has no effect on a correlation of type ${type}`
    collector.lint({ code: 'UNKNOWN_ATTRIBUTE', message, offset: useless.keyOffset })
  }
  if (type !== 'value_percentile') percentile = undefined
  return { kind: 'thresholds', thresholds, fields: needsField ? fields : [], percentile }
}

/** Finds a key that the type of the correlation does not use. */
function findUselessKey(map: YamlMap, type: CorrelationType): { readonly key: string; readonly keyOffset: number } | undefined {
  if (type !== 'value_percentile' && findEntry(map, 'percentile') !== undefined) return findEntry(map, 'percentile')
  return type.startsWith('value_') ? undefined : findEntry(map, 'field')
}

function parseFields(node: YamlNode, collector: DiagnosticCollector): readonly string[] {
  const items = node.kind === 'list' ? node.items : [node]
  return items.flatMap((item) => {
    if (item.kind === 'scalar' && item.value !== null && item.text !== '') return [item.text]
    reportInvalid(item, "'condition.field' must be a field or a list of fields", collector)
    return []
  })
}

function parseFormula(
  node: YamlScalar, { type, references }: ConditionContext, collector: DiagnosticCollector,
): CorrelationCondition | undefined {
  const names = references.map(({ name }) => name)
  const { tree, problems } = parseCondition(node.text, names)
  for (const { kind, message, offset, unknownName } of problems) {
    const place = node.textOffset === undefined ? node.offset : node.textOffset + offset
    if (kind === 'capitals') collector.lint({ code: 'CONDITION_KEYWORD_CASE', message, offset: place })
    else if (kind === 'limit') collector.error({ code: 'LIMIT_EXCEEDED', message, offset: place })
    else if (kind === 'unknown') {
      const text = `the condition names '${unknownName ?? ''}', but 'correlation.rules' does not`
      collector.error({ code: 'UNKNOWN_RULE', message: text, offset: place, hint: suggestName(unknownName ?? '', names) })
    } else collector.error({ code: 'CONDITION_SYNTAX', message, offset: place })
  }
  if (tree === undefined) return undefined
  const formula = toFormula(tree, names)
  if (formula === undefined) {
    return reportInvalid(node, 'the condition of a correlation must name each rule; quantifiers are not supported', collector)
  }
  if ((type === 'temporal_ordered' || hasNegation(formula)) && toDisjunctiveForm(formula) === undefined) {
    const message = `the condition has more than ${limits.correlationTermsMax} alternatives; simplify it`
    collector.error({ code: 'LIMIT_EXCEEDED', message, offset: node.offset })
    return undefined
  }
  const seen = new Set(listRuleIndexes(formula))
  for (const [rule, { name, offset }] of references.entries()) {
    if (!seen.has(rule)) {
      const message = `'correlation.rules' names '${name}', but the condition does not`
      collector.error({ code: 'UNKNOWN_RULE', message, offset })
    }
  }
  return { kind: 'formula', formula, text: node.text }
}

function toFormula(condition: Condition, names: readonly string[]): RuleFormula | undefined {
  switch (condition.kind) {
    case 'quantifier':
      return undefined
    case 'selection':
      return { kind: 'rule', rule: names.indexOf(condition.name) }
    case 'not': {
      const of = toFormula(condition.of, names)
      return of && { kind: 'not', of }
    }
    default: {
      const of = condition.of.map((part) => toFormula(part, names)).filter((part) => part !== undefined)
      return of.length === condition.of.length ? { kind: condition.kind, of } : undefined
    }
  }
}

/** Lists the rules that a formula reads, with repetitions. */
function* listRuleIndexes(formula: RuleFormula): Generator<number> {
  if (formula.kind === 'rule') yield formula.rule
  else if (formula.kind === 'not') yield* listRuleIndexes(formula.of)
  else for (const part of formula.of) yield* listRuleIndexes(part)
}

function readNumber(node: YamlNode): number | undefined {
  return node.kind === 'scalar' && typeof node.value === 'number' && Number.isFinite(node.value) ? node.value : undefined
}

function reportInvalid(node: YamlNode, message: string, collector: DiagnosticCollector): undefined {
  collector.error({ code: 'INVALID_ATTRIBUTE', message, offset: node.offset })
}
