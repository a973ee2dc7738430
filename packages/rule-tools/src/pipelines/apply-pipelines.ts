import type { DetectionItem, DetectionRule, SelectionBody } from '@tripline/engine/authoring'
import { evaluateConditions, fieldConditionTypes, itemConditionTypes, ruleConditionTypes } from './conditions.ts'
import { PipelineError } from './pipeline.ts'
import { transformForEachLogsource } from './listed-logsources.ts'
import type { RulePipeline, PipelineItem } from './pipeline.ts'
import type { RuleState, TransformedRule } from './rule-state.ts'
import { fieldChanges, itemChanges, ruleChanges, withoutEmptySelections } from './transformations.ts'

/** Makes the function that rewrites rules by pipelines, in the order of their priorities, for the option `transform` of `compileRules`. */
export function createRuleTransform(pipelines: readonly RulePipeline[]): (rule: DetectionRule) => TransformedRule {
  const ordered = pipelines.toSorted((a, b) => a.priority - b.priority)
  const steps = ordered.flatMap(({ items }) => items)
  const variables = Object.assign({}, ...ordered.map((pipeline) => pipeline.variables)) as { readonly [name: string]: unknown }
  const transformOne = (rule: DetectionRule): TransformedRule => {
    const state: RuleState = {
      rule, variables, appliedSteps: new Set(), stepsOfFields: new Map(), stepsOfItems: new WeakMap(), values: new Map(),
      failure: undefined, addedCount: 0,
    }
    try {
      for (const step of steps) applyStep(step, state)
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error
      return { problem: error.message }
    }
    return state.failure === undefined ? { rule: withoutEmptySelections(state.rule) } : { problem: state.failure }
  }
  return (rule) => rule.logsource.anyOf === undefined ? transformOne(rule) : transformForEachLogsource(rule, transformOne)
}

function applyStep(step: PipelineItem, state: RuleState): void {
  const holds = evaluateConditions(step.ruleConditions, ({ type, parameters }) => ruleConditionTypes[type]!(parameters, state))
  if (!holds) return
  if (step.id !== undefined) state.appliedSteps.add(step.id)
  const type = step.type as keyof typeof ruleChanges
  ruleChanges[type]?.(step, state)
  for (const nested of step.nested) applyStep(nested, state)
  const changeFields = fieldChanges[type]
  if (changeFields !== undefined) renameFields(step, state)
  if (changeFields === undefined && itemChanges[type] === undefined) return
  const selections = [...state.rule.detection.selections].map(([name, selection]) => {
    return [name, { ...selection, body: changeBody(selection.body, step, state) ?? { kind: 'all' as const, of: [] } }] as const
  })
  state.rule = { ...state.rule, detection: { ...state.rule.detection, selections: new Map(selections) } }
}

/** Renames the fields that the rule lists for analysts. */
function renameFields(step: PipelineItem, state: RuleState): void {
  const fields = state.rule.fields.flatMap((field) => matchesField(step, state, field) ? rename(field, step, state) : [field])
  state.rule = { ...state.rule, fields }
}

/** Changes the items of a selection; undefined where nothing of it is left. */
function changeBody(body: SelectionBody, step: PipelineItem, state: RuleState): SelectionBody | undefined {
  switch (body.kind) {
    case 'item': return changeItem(body, step, state)
    case 'elements': {
      const of = changeBody(body.of, step, state)
      return of === undefined ? undefined : { ...body, of }
    }
    // Names within elements of a list are those of the element.
    case 'nested': return body
    default: {
      const of = body.of.map((one) => changeBody(one, step, state)).filter((one) => one !== undefined)
      return of.length === 0 && body.of.length > 0 ? undefined : { ...body, of }
    }
  }
}

function changeItem(item: DetectionItem, step: PipelineItem, state: RuleState): SelectionBody | undefined {
  const holds = evaluateConditions(step.itemConditions, ({ type, parameters }) => itemConditionTypes[type]!(parameters, state, item))
  if (!holds) return item
  const changeFields = fieldChanges[step.type as keyof typeof fieldChanges]
  if (changeFields !== undefined) return renameItem(item, step, state)
  if (!matchesField(step, state, item.field)) return item
  const changed = itemChanges[step.type as keyof typeof itemChanges]!(item, step, state)
  if (changed?.kind === 'item') track(changed, item, step, state)
  return changed
}

function renameItem(item: DetectionItem, step: PipelineItem, state: RuleState): SelectionBody {
  // A field reference names a field in its values.
  const referring = item.modifiers.includes('fieldref') ? renameReferences(item, step, state) : item
  const { field } = referring
  if (field === undefined || !matchesField(step, state, field)) return referring
  const names = rename(field, step, state)
  if (names.length === 1 && names[0] === field) return referring
  const items = names.map((name): DetectionItem => ({ ...referring, field: name }))
  for (const one of items) track(one, item, step, state)
  return items.length === 1 ? items[0]! : { kind: 'any', of: items }
}

function renameReferences(item: DetectionItem, step: PipelineItem, state: RuleState): DetectionItem {
  const values = item.values.flatMap((scalar) => {
    if (!matchesField(step, state, scalar.text)) return [scalar]
    return rename(scalar.text, step, state).map((text) => {
      return text === scalar.text ? scalar : { ...scalar, value: text, text, textOffset: undefined }
    })
  })
  return { ...item, values }
}

/** The names that a field gets, and remembers which step gave them. */
function rename(field: string, step: PipelineItem, state: RuleState): readonly string[] {
  const names = fieldChanges[step.type as keyof typeof fieldChanges]!(field, step.parameters)
  if (names === undefined) return [field]
  const before = state.stepsOfFields.get(field) ?? []
  for (const name of names) state.stepsOfFields.set(name, new Set([...before, ...(step.id === undefined ? [] : [step.id])]))
  return names
}

function matchesField(step: PipelineItem, state: RuleState, field: string | undefined): boolean {
  return evaluateConditions(step.fieldConditions, ({ type, parameters }) => fieldConditionTypes[type]!(parameters, state, field))
}

function track(changed: DetectionItem, before: DetectionItem, { id }: PipelineItem, { stepsOfItems }: RuleState): void {
  stepsOfItems.set(changed, new Set([...(stepsOfItems.get(before) ?? []), ...(id === undefined ? [] : [id])]))
}
