import type { CorrelationRule, ReferencedRules, RuleTransform, WorkBudget } from '@tripline/engine'
import type { DetectionItem, DetectionRule, SelectionBody } from '@tripline/engine/authoring'
import { limits } from '../limits.ts'
import { evaluateConditions, itemConditionTypes, ruleConditionTypes } from './conditions.ts'
import { PipelineError } from './pipeline.ts'
import { transformForEachLogsource } from './listed-logsources.ts'
import type { RulePipeline, PipelineItem } from './pipeline.ts'
import { joinVariables } from './placeholder-values.ts'
import { renameCorrelation } from './rename-correlation.ts'
import { matchesField, rename, renameListedFields } from './rename-field.ts'
import { isCorrelationState, isDetectionState } from './rule-state.ts'
import type { RuleState, TransformedRule } from './rule-state.ts'
import { fieldChanges, itemChanges, ruleChanges, withoutEmptySelections } from './transformations.ts'

const noRules: ReferencedRules = { logsources: [], aliases: new Set() }

/**
 * Makes what rewrites rules by pipelines, in the order of their priorities, for the option `transform` of
 * `compileRules`. A budget bounds the work for pipelines of others; a rule that exceeds it is refused.
 */
export function createRuleTransform(
  pipelines: readonly RulePipeline[], { budget }: { readonly budget?: WorkBudget | undefined } = {},
): RuleTransform {
  const ordered = pipelines.toSorted((a, b) => a.priority - b.priority)
  const steps = ordered.flatMap(({ items }) => items)
  const variables = joinVariables(ordered)
  const applySteps = <Rule extends DetectionRule | CorrelationRule>(rule: Rule, referenced: ReferencedRules): TransformedRule<Rule> => {
    const state: RuleState<Rule> = {
      rule, referenced, variables, appliedSteps: new Set(), stepsOfFields: new Map(), stepsOfItems: new WeakMap(), values: new Map(),
      spend: createAccount(budget), failure: undefined, addedCount: 0,
    }
    try {
      for (const step of steps) applyStep(step, state)
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error
      return { problem: error.message }
    }
    return state.failure === undefined ? { rule: state.rule } : { problem: state.failure }
  }
  const transformOne = (rule: DetectionRule): TransformedRule => {
    const applied = applySteps(rule, noRules)
    if ('problem' in applied) return applied
    const whole = withoutEmptySelections(applied.rule)
    return whole === undefined ? { problem: "the pipelines leave nothing of the rule's conditions" } : { rule: whole }
  }
  return {
    detection: (rule) => rule.logsource.anyOf === undefined ? transformOne(rule) : transformForEachLogsource(rule, transformOne),
    correlation: applySteps,
  }
}

/** Accounts for the work on one rule, and on all rules that share a budget. */
function createAccount(budget: WorkBudget | undefined): RuleState['spend'] {
  const { pipelineRuleWorkMax: max } = limits
  let spent = 0
  return (units) => {
    spent += units
    if (spent > max) throw new PipelineError(`the pipelines take more than ${max} work units for the rule`)
    if (budget?.spend(units) === false) throw new PipelineError(`the pipelines and rules take more than ${budget.max} work units`)
  }
}

function applyStep(step: PipelineItem, state: RuleState): void {
  state.spend(1)
  const holds = evaluateConditions(step.ruleConditions, ({ type, parameters }) => ruleConditionTypes[type]!(parameters, state))
  if (!holds) return
  const type = step.type as keyof typeof ruleChanges
  // Nothing is added to a correlation.
  const isApplied = type !== 'add_condition' || isDetectionState(state)
  if (step.id !== undefined && isApplied) state.appliedSteps.add(step.id)
  ruleChanges[type]?.(step, state)
  for (const nested of step.nested) applyStep(nested, state)
  const isRenaming = fieldChanges[type] !== undefined
  if (isRenaming) renameListedFields(step, state)
  if (isRenaming && isCorrelationState(state)) renameCorrelation(step, state)
  if (!isDetectionState(state) || (!isRenaming && itemChanges[type] === undefined)) return
  const selections = [...state.rule.detection.selections].map(([name, selection]) => {
    return [name, { ...selection, body: changeBody(selection.body, step, state) ?? { kind: 'all' as const, of: [] } }] as const
  })
  state.rule = { ...state.rule, detection: { ...state.rule.detection, selections: new Map(selections) } }
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
  state.spend(1)
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
  state.spend(names.length * (1 + referring.values.length))
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

function track(changed: DetectionItem, before: DetectionItem, { id }: PipelineItem, { stepsOfItems, spend }: RuleState): void {
  const steps: ReadonlySet<string> = stepsOfItems.get(before) ?? new Set()
  spend(1 + steps.size)
  stepsOfItems.set(changed, new Set([...steps, ...(id === undefined ? [] : [id])]))
}
