import type { Condition, DetectionItem, DetectionRule, ParsedCondition, SelectionBody } from '@tripline/engine/authoring'
import type { YamlScalar } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { compilePatterns } from './compile-pattern.ts'
import { readText } from './conditions.ts'
import { PipelineError } from './pipeline.ts'
import type { PipelineItem } from './pipeline.ts'
import { readPlaceholderValues, takesPlaceholder } from './placeholder-values.ts'
import { isDetectionState } from './rule-state.ts'
import type { RuleState } from './rule-state.ts'

/** The types of steps, and the parameters that each has. */
export const transformationTypes = {
  field_name_mapping: ['mapping'],
  field_name_prefix_mapping: ['mapping'],
  field_name_prefix: ['prefix'],
  field_name_suffix: ['suffix'],
  drop_detection_item: [],
  add_condition: ['conditions', 'name', 'template', 'negated'],
  change_logsource: ['category', 'product', 'service'],
  add_field: ['field'],
  remove_field: ['field'],
  set_field: ['fields'],
  set_state: ['key', 'val'],
  set_custom_attribute: ['attribute', 'value'],
  replace_string: ['regex', 'replacement', 'skip_special'],
  map_string: ['mapping'],
  set_value: ['value', 'force_type'],
  convert_type: ['target_type'],
  value_placeholders: ['include', 'exclude'],
  wildcard_placeholders: ['include', 'exclude'],
  rule_failure: ['message'],
  detection_item_failure: ['message'],
  nest: ['items'],
} as const satisfies { readonly [type: string]: readonly string[] }
type TransformationType = keyof typeof transformationTypes

/** What a step makes of a detection item: itself, another one, several of which any may match, or nothing. */
type ChangedItem = DetectionItem | SelectionBody | undefined

type ItemChange = (item: DetectionItem, step: PipelineItem, state: RuleState) => ChangedItem

/** Names that a field gets; undefined where it keeps its own. */
type FieldChange = (field: string, parameters: PipelineItem['parameters']) => readonly string[] | undefined

/** Steps that rename fields. */
export const fieldChanges: { readonly [T in TransformationType]?: FieldChange } = {
  field_name_mapping: (field, { mapping }) => {
    const names = readMapping(mapping)
    return Object.hasOwn(names, field) ? readNames(names[field]) : undefined
  },
  field_name_prefix_mapping: (field, { mapping }) => {
    const [prefix, names] = Object.entries(readMapping(mapping)).find(([start]) => field.startsWith(start)) ?? []
    return prefix === undefined ? undefined : readNames(names).map((name) => name + field.slice(prefix.length))
  },
  field_name_prefix: (field, { prefix }) => [readText(prefix) + field],
  field_name_suffix: (field, { suffix }) => [field + readText(suffix)],
}

/** Steps that change detection items; those that rename fields are above. */
export const itemChanges: { readonly [T in TransformationType]?: ItemChange } = {
  drop_detection_item: () => undefined,
  detection_item_failure: (item, { parameters }, state) => {
    state.failure ??= readText(parameters['message'])
    return item
  },
  replace_string: (item, { parameters }, state) => {
    const [expression] = compilePatterns(parameters, [readText(parameters['regex'])])
    const replacement = readText(parameters['replacement']).replaceAll('$', '\\$').replaceAll(/\\(\d)/g, '$$$1')
    return changeTexts(item, state, (text) => {
      checkGrowth(text, replacement)
      return [expression!.matcher(text).replaceAll(replacement)]
    })
  },
  map_string: (item, { parameters }, state) => {
    const mapping = readMapping(parameters['mapping'])
    return changeTexts(item, state, (text) => Object.hasOwn(mapping, text) ? readNames(mapping[text]) : [text])
  },
  set_value: (item, { parameters: { value, force_type: type } }) => {
    return { ...item, values: [createScalar(type === undefined || type === null ? value : convertType(value, type), item.offset)] }
  },
  convert_type: (item, { parameters: { target_type: type } }) => {
    const convert = (scalar: YamlScalar): YamlScalar => {
      if (typeof scalar.value !== (type === 'str' ? 'number' : 'string')) return scalar
      // A number keeps the digits that the rule has.
      return createScalar(convertType(scalar.text, type), scalar.offset)
    }
    return { ...item, values: item.values.map(convert) }
  },
  value_placeholders: (item, step, state) => expandPlaceholders(item, step, state, (name) => {
    const values = readPlaceholderValues(state.variables, name)
    if (values === undefined) throw new PipelineError(`the placeholder '${name}' has no value in 'vars'`)
    return values
  }),
  wildcard_placeholders: (item, step, state) => expandPlaceholders(item, step, state, () => ['*']),
}

/** Steps that change a rule as a whole; a correlation has neither conditions on events nor a log source. */
export const ruleChanges: { readonly [T in TransformationType]?: (step: PipelineItem, state: RuleState) => void } = {
  add_condition: (step, state) => {
    if (isDetectionState(state)) addCondition(step, state)
  },
  change_logsource: ({ parameters }, state) => {
    if (!isDetectionState(state)) return
    const logsource: { category?: string; product?: string; service?: string } = {}
    for (const key of ['category', 'product', 'service'] as const) {
      const value = parameters[key]
      if (value !== undefined && value !== null) logsource[key] = readText(value)
    }
    state.rule = { ...state.rule, logsource }
  },
  add_field: ({ parameters }, state) => setFields(state, [...state.rule.fields, ...readNames(parameters['field'])]),
  remove_field: ({ parameters }, state) => {
    const removed = readNames(parameters['field'])
    setFields(state, state.rule.fields.filter((field) => !removed.includes(field)))
  },
  set_field: ({ parameters }, state) => setFields(state, readNames(parameters['fields'])),
  set_state: ({ parameters }, state) => void state.values.set(readText(parameters['key']), parameters['val']),
  set_custom_attribute: ({ parameters: { attribute, value } }, state) => {
    state.rule = { ...state.rule, custom: { ...state.rule.custom, [readText(attribute)]: readText(value) } }
  },
  rule_failure: ({ parameters }, state) => { state.failure ??= readText(parameters['message']) },
}

function setFields(state: RuleState, fields: readonly string[]): void {
  state.rule = { ...state.rule, fields }
}

function readMapping(mapping: unknown): { readonly [name: string]: unknown } {
  if (typeof mapping === 'object' && mapping !== null && !Array.isArray(mapping)) return mapping as { readonly [name: string]: unknown }
  throw new PipelineError("a step lacks its 'mapping'")
}

function readNames(value: unknown): string[] {
  return Array.isArray(value) ? value.map(readText) : [readText(value)]
}

/** A value as if it stood in the rule. */
function createScalar(value: unknown, offset: number): YamlScalar {
  if (value !== null && typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new PipelineError('a value of a step is neither a text nor a number, boolean or null')
  }
  return { kind: 'scalar', value, text: value === null ? '' : String(value), textOffset: undefined, isPlain: false, offset, size: 1 }
}

/** A text as a number, or a number as a text. */
function convertType(value: unknown, type: unknown): string | number {
  if (type !== 'str' && type !== 'num') throw new PipelineError(`the type '${readText(type)}' is neither 'str' nor 'num'`)
  const text = readText(value)
  if (type === 'str') return text
  if (text.trim() === '' || !Number.isFinite(Number(text))) throw new PipelineError(`the value '${text}' is no number`)
  return Number(text)
}

/** Characters of a value that take one work unit. */
const charactersOfUnit = 8

/** Refuses a replacement that may make a text huge: each character of the text may be replaced. */
function checkGrowth(text: string, replacement: string): void {
  const { pipelineValueCharactersMax: max } = limits
  if ((text.length + 1) * (replacement.length + 1) > max * 16) throw createLengthError(max)
}

function createLengthError(max: number): PipelineError {
  return new PipelineError(`a step makes a value of more than ${max} characters`)
}

function changeTexts(item: DetectionItem, { spend }: RuleState, change: (text: string) => readonly string[]): DetectionItem {
  const { pipelineValueCharactersMax: max } = limits
  const values = item.values.flatMap((scalar) => {
    if (typeof scalar.value !== 'string') return [scalar]
    const texts = change(scalar.text)
    if (texts.some((text) => text.length > max)) throw createLengthError(max)
    spend(texts.reduce((sum, text) => sum + 1 + text.length / charactersOfUnit, 0))
    return texts.length === 1 && texts[0] === scalar.text ? [scalar] : texts.map((text) => createScalar(text, scalar.offset))
  })
  return { ...item, values }
}

const placeholder = /%(\w+)%/

/** Replaces placeholders of an item with `expand`: each combination of their values is a value of its own. */
function expandPlaceholders(
  item: DetectionItem, step: PipelineItem, state: RuleState, expand: (name: string) => readonly string[],
): DetectionItem {
  if (!item.modifiers.includes('expand')) return item
  const changed = changeTexts(item, state, (text) => {
    const parts = text.split(/(%\w+%)/)
    const texts = parts.reduce<readonly string[]>((before, part) => {
      const name = placeholder.exec(part)?.[1]
      const values = name === undefined || !takesPlaceholder(step, name) ? [part] : expand(name)
      if (before.length * values.length > 10_000) throw new PipelineError('placeholders make more than 10,000 values')
      return before.flatMap((one) => values.map((value) => one + value))
    }, [''])
    return texts
  })
  const hasRest = changed.values.some(({ text }) => placeholder.test(text))
  return hasRest ? changed : { ...changed, modifiers: changed.modifiers.filter((name) => name !== 'expand') }
}

/** Adds `fields` to the rule's conditions: `added and (condition)`. */
function addCondition({ parameters }: PipelineItem, state: RuleState<DetectionRule>): void {
  const { conditions, name, template = false, negated = false } = parameters
  const { rule } = state
  const selection = typeof name === 'string' ? name : `_condition_${state.addedCount}`
  // Each is a level of the condition.
  const { pipelineConditionsMax: max } = limits
  if (++state.addedCount > max) throw new PipelineError(`the pipelines add more than ${max} conditions to the rule`)
  const print = (value: unknown): unknown => template === true && typeof value === 'string'
    ? value.replaceAll(/\$\{?(category|product|service)\}?/g, (_, key: 'category' | 'product' | 'service') => rule.logsource[key] ?? '')
    : value
  const offset = rule.detection.conditions[0]?.offset ?? 0
  const added = Object.entries(readMapping(conditions))
  state.spend(added.length + rule.detection.selections.size)
  const of = added.map(([key, value]): DetectionItem => {
    const [field = '', ...modifiers] = key.split('|')
    const values = (Array.isArray(value) ? value : [value]).map((one: unknown) => createScalar(print(one), offset))
    return { kind: 'item', field, modifiers, values, offset }
  })
  const selections = new Map([...rule.detection.selections, [selection, { name: selection, body: { kind: 'all' as const, of }, offset }]])
  const conditionsThen = rule.detection.conditions.map((condition): ParsedCondition => {
    const own = { kind: 'selection' as const, name: selection }
    const first = negated === true ? { kind: 'not' as const, of: own } : own
    const text = `${negated === true ? 'not ' : ''}${selection} and (${condition.text})`
    return { ...condition, text, tree: { kind: 'and', of: [first, condition.tree] } }
  })
  state.rule = { ...rule, detection: { selections, conditions: conditionsThen } }
}

/** Leaves out selections that lost all of their items, and what conditions say of them; undefined where no condition is left. */
export function withoutEmptySelections(rule: DetectionRule): DetectionRule | undefined {
  const { selections, conditions } = rule.detection
  const kept = new Map([...selections].filter(([, { body }]) => !isEmpty(body)))
  if (kept.size === selections.size) return rule
  const pruned = conditions.flatMap((condition): ParsedCondition[] => {
    const tree = pruneCondition(condition.tree, kept)
    return tree === undefined ? [] : [{ ...condition, tree }]
  })
  return pruned.length === 0 && conditions.length > 0 ? undefined : { ...rule, detection: { selections: kept, conditions: pruned } }
}

function pruneCondition(tree: Condition, kept: ReadonlyMap<string, unknown>): Condition | undefined {
  switch (tree.kind) {
    case 'selection': return kept.has(tree.name) ? tree : undefined
    case 'quantifier': {
      const names = tree.names.filter((name) => kept.has(name))
      return names.length === 0 ? undefined : { ...tree, names }
    }
    case 'not': {
      const of = pruneCondition(tree.of, kept)
      return of && { ...tree, of }
    }
    default: {
      const of = tree.of.map((part) => pruneCondition(part, kept)).filter((part) => part !== undefined)
      return of.length > 1 ? { ...tree, of } : of[0]
    }
  }
}

function isEmpty(body: SelectionBody): boolean {
  return (body.kind === 'all' || body.kind === 'any') && body.of.length === 0
}
