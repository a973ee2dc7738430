import { readText } from './conditions.ts'
import type { PipelineItem, RulePipeline } from './pipeline.ts'

type Variables = RulePipeline['variables']

/** Joins the variables of pipelines in their order: the later of two with one name holds. */
export function joinVariables(pipelines: readonly RulePipeline[]): Variables {
  return Object.assign({}, ...pipelines.map(({ variables }) => variables)) as Variables
}

/** Reads the values of a placeholder; undefined where the variables do not name it. */
export function readPlaceholderValues(variables: Variables, name: string): readonly string[] | undefined {
  const values = Object.hasOwn(variables, name) ? variables[name] : undefined
  return values === undefined ? undefined : (Array.isArray(values) ? values : [values]).map(readText)
}

/** Whether a step that replaces placeholders takes one of this name. */
export function takesPlaceholder({ parameters: { include, exclude } }: PipelineItem, name: string): boolean {
  return (!Array.isArray(include) || include.includes(name)) && (!Array.isArray(exclude) || !exclude.includes(name))
}

/**
 * Lists the values that pipelines, in their order, give to placeholders: those of the variables that a step
 * `value_placeholders` takes, whatever the conditions of the step.
 */
export function listPlaceholderValues(pipelines: readonly RulePipeline[]): { [name: string]: readonly string[] } {
  const steps = pipelines.flatMap(({ items }) => items).flatMap(listSteps).filter(({ type }) => type === 'value_placeholders')
  const variables = joinVariables(pipelines)
  const names = Object.keys(variables).filter((name) => steps.some((step) => takesPlaceholder(step, name)))
  return Object.fromEntries(names.map((name) => [name, readPlaceholderValues(variables, name) ?? []]))
}

/** A step and those within it. */
function listSteps(step: PipelineItem): readonly PipelineItem[] {
  return [step, ...step.nested.flatMap(listSteps)]
}
