import type { Logsource } from '@tripline/engine'
import { listLogsources } from '@tripline/engine/authoring'
import type { DetectionItem, SelectionBody } from '@tripline/engine/authoring'
import { compilePatterns } from './compile-pattern.ts'
import { PipelineError } from './pipeline.ts'
import type { ConditionExpression, ConditionSet, PipelineCondition } from './pipeline.ts'
import { isCorrelationState, isDetectionState } from './rule-state.ts'
import type { RuleState } from './rule-state.ts'

type Parameters = PipelineCondition['parameters']

/** Whether a condition on a rule holds. */
export const ruleConditionTypes: { readonly [type: string]: (parameters: Parameters, state: RuleState) => boolean } = {
  logsource: (parameters, state) => listRuleLogsources(state).some((logsource) => (['category', 'product', 'service'] as const)
    .every((key) => isUnset(parameters[key]) || readText(parameters[key]) === logsource[key])),
  contains_field: ({ field }, { rule }) => listItems(rule).some((item) => item.field === field),
  contains_detection_item: ({ field, value }, { rule }) => listItems(rule).some((item) => {
    return item.field === (field ?? undefined) && item.values.some((one) => one.value === value || one.text === String(value))
  }),
  processing_item_applied: ({ processing_item_id: id }, { appliedSteps }) => appliedSteps.has(readText(id)),
  processing_state: checkState,
  is_sigma_rule: (_, state) => isDetectionState(state),
  is_sigma_correlation_rule: (_, state) => isCorrelationState(state),
  rule_attribute: checkAttribute,
  tag: ({ tag }, { rule }) => rule.tags.includes(readText(tag)),
}

/** Whether a condition on a detection item holds. */
export const itemConditionTypes: {
  readonly [type: string]: (parameters: Parameters, state: RuleState, item: DetectionItem) => boolean
} = {
  match_string: (parameters, _, item) => {
    const { cond = 'any', pattern, negate = false } = parameters
    const [expression] = compilePatterns(parameters, [`^(?:${readText(pattern)})`])
    return checkValues(cond, item, (text) => expression!.matcher(text).find()) !== (negate === true)
  },
  match_value: ({ cond = 'any', value }, _, item) => {
    const results = item.values.map((one) => (typeof one.value === 'string' ? withWildcards(one.text, item) : one.value) === value)
    return cond === 'all' ? results.every(Boolean) : results.some(Boolean)
  },
  contains_wildcard: ({ cond = 'any' }, _, item) => checkValues(cond, item, (text) => /(?<!\\)(?:\\\\)*[*?]/.test(text)),
  is_null: ({ cond = 'any' }, _, { values }) => {
    return cond === 'all' ? values.every(({ value }) => value === null) : values.some(({ value }) => value === null)
  },
  processing_item_applied: ({ processing_item_id: id }, state, item) => state.stepsOfItems.get(item)?.has(readText(id)) === true,
  processing_state: checkState,
}

/** Whether a condition on a field name holds. */
export const fieldConditionTypes: {
  readonly [type: string]: (parameters: Parameters, state: RuleState, field: string | undefined) => boolean
} = {
  include_fields: (parameters, _, field) => isListed(parameters, field),
  exclude_fields: (parameters, _, field) => !isListed(parameters, field),
  processing_item_applied: ({ processing_item_id: id }, state, field) => {
    return field !== undefined && state.stepsOfFields.get(field)?.has(readText(id)) === true
  },
  processing_state: checkState,
}

/** Evaluates a set of conditions with a function for one of them. */
export function evaluateConditions({ conditions, expression }: ConditionSet, check: (condition: PipelineCondition) => boolean): boolean {
  const evaluate = (node: ConditionExpression): boolean => {
    switch (node.kind) {
      case 'all': return node.of.every(evaluate)
      case 'any': return node.of.some(evaluate)
      case 'not': return !evaluate(node.of)
      case 'name': return check(conditions.get(node.name)!)
    }
  }
  return evaluate(expression)
}

/** The log source of a rule; of a correlation, those of the rules that it names. */
function listRuleLogsources(state: RuleState): readonly Logsource[] {
  if (isDetectionState(state)) return [state.rule.logsource]
  return state.referenced.logsources.flatMap(listLogsources)
}

/** Lists the detection items of a rule; a correlation has none. */
function listItems(rule: RuleState['rule']): DetectionItem[] {
  return 'detection' in rule ? [...rule.detection.selections.values()].flatMap(({ body }) => listItemsOf(body)) : []
}

function listItemsOf(body: SelectionBody): DetectionItem[] {
  if (body.kind === 'item') return [body]
  if (body.kind === 'elements') return listItemsOf(body.of)
  if (body.kind === 'nested') return [...body.detection.selections.values()].flatMap((selection) => listItemsOf(selection.body))
  return body.of.flatMap(listItemsOf)
}

/** The text of a parameter. */
export function readText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null
}

/** A text as a pattern sees it: with the wildcards that modifiers stand for. */
function withWildcards(text: string, { modifiers }: DetectionItem): string {
  const before = modifiers.includes('contains') || modifiers.includes('endswith') ? '*' : ''
  const after = modifiers.includes('contains') || modifiers.includes('startswith') ? '*' : ''
  return `${before}${text}${after}`
}

function checkValues(cond: unknown, item: DetectionItem, check: (text: string) => boolean): boolean {
  const isRegex = item.modifiers.includes('re')
  const results = item.values.map(({ value, text }) => typeof value === 'string' && !isRegex && check(withWildcards(text, item)))
  return cond === 'all' ? results.every(Boolean) : results.some(Boolean)
}

function isListed({ fields, mode = 'plain' }: Parameters, field: string | undefined): boolean {
  if (!Array.isArray(fields)) throw new PipelineError("'fields' of a condition is no list")
  if (field === undefined) return false
  const names = fields.map(readText)
  if (mode !== 're') return names.includes(field)
  return compilePatterns(fields, names.map((pattern) => `^(?:${pattern})`)).some((pattern) => pattern.matcher(field).find())
}

type Comparison = (a: string | number, b: string | number) => boolean

const comparisons: { readonly [operator: string]: Comparison } = {
  eq: (a, b) => a === b, ne: (a, b) => a !== b, gte: (a, b) => a >= b, gt: (a, b) => a > b, lte: (a, b) => a <= b, lt: (a, b) => a < b,
}

function findComparison(operator: unknown): Comparison {
  const compare = comparisons[readText(operator)]
  const names = Object.keys(comparisons).join(', ')
  if (compare === undefined) throw new PipelineError(`the operator '${readText(operator)}' is none of ${names}`)
  return compare
}

function checkState({ key, val, op = 'eq' }: Parameters, { values }: RuleState): boolean {
  const value = values.get(readText(key))
  return value !== undefined && findComparison(op)(readText(value), readText(val))
}

/** Ranks of levels and statuses, in which rules are compared by `gte` and the like. */
const ranks: { readonly [attribute: string]: readonly string[] } = {
  level: ['informational', 'low', 'medium', 'high', 'critical'],
  status: ['unsupported', 'deprecated', 'experimental', 'test', 'stable'],
}

function checkAttribute({ attribute, value, op = 'eq' }: Parameters, { rule }: RuleState): boolean {
  const name = readText(attribute)
  const own = new Map<string, unknown>(Object.entries(rule)).get(name) ?? rule.custom[name]
  if (own === undefined || own === null) return false
  if (op === 'in' || op === 'not_in') return (Array.isArray(own) && own.map(readText).includes(readText(value))) === (op === 'in')
  const order = ranks[name]
  const toOperand = (text: string): string | number => {
    const rank = order?.indexOf(text.toLowerCase()) ?? -1
    if (rank >= 0) return rank
    return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
  }
  return findComparison(op)(toOperand(readText(own)), toOperand(readText(value)))
}
