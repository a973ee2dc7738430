import { limits } from '../limits.ts'
import { evaluateConditions, fieldConditionTypes } from './conditions.ts'
import { PipelineError } from './pipeline.ts'
import type { PipelineItem } from './pipeline.ts'
import type { RuleState } from './rule-state.ts'
import { fieldChanges } from './transformations.ts'

/** Renames the fields that the rule lists for analysts. */
export function renameListedFields(step: PipelineItem, state: RuleState): void {
  state.rule = { ...state.rule, fields: state.rule.fields.flatMap((field) => renameWhereMatched(field, step, state)) }
}

/** The names that a field gets where the step's conditions on fields hold; itself elsewhere. */
export function renameWhereMatched(field: string, step: PipelineItem, state: RuleState): readonly string[] {
  return matchesField(step, state, field) ? rename(field, step, state) : [field]
}

/** The names that a field gets, and remembers which step gave them. */
export function rename(field: string, step: PipelineItem, state: RuleState): readonly string[] {
  const names = fieldChanges[step.type as keyof typeof fieldChanges]!(field, step.parameters)
  if (names === undefined) return [field]
  const { pipelineFieldCharactersMax: max } = limits
  if (names.some((name) => name.length > max)) throw new PipelineError(`a step makes a field name of more than ${max} characters`)
  const before: ReadonlySet<string> = state.stepsOfFields.get(field) ?? new Set()
  state.spend(names.length * (1 + before.size))
  for (const name of names) state.stepsOfFields.set(name, new Set([...before, ...(step.id === undefined ? [] : [step.id])]))
  return names
}

export function matchesField(step: PipelineItem, state: RuleState, field: string | undefined): boolean {
  return evaluateConditions(step.fieldConditions, ({ type, parameters }) => fieldConditionTypes[type]!(parameters, state, field))
}
