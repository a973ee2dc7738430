/** A condition of a pipeline: what it looks at, and its parameters as they are written. */
export type PipelineCondition = { readonly type: string; readonly parameters: { readonly [name: string]: unknown } }

/** Conditions and how they are combined: all or any of them, or an expression over their names; perhaps negated. */
export type ConditionSet = {
  readonly conditions: ReadonlyMap<string, PipelineCondition>
  readonly expression: ConditionExpression
}

export type ConditionExpression =
  | { readonly kind: 'all' | 'any'; readonly of: readonly ConditionExpression[] }
  | { readonly kind: 'not'; readonly of: ConditionExpression }
  | { readonly kind: 'name'; readonly name: string }

/** One step of a pipeline. */
export type PipelineItem = {
  readonly id: string | undefined
  readonly type: string
  readonly parameters: { readonly [name: string]: unknown }
  readonly ruleConditions: ConditionSet
  readonly itemConditions: ConditionSet
  readonly fieldConditions: ConditionSet
  /** The steps of the type `nest`. */
  readonly nested: readonly PipelineItem[]
}

/** A processing pipeline: steps that rewrite rules, in their order. */
export type RulePipeline = {
  readonly name: string
  /** Pipelines run in the order of their priorities, the lowest first. */
  readonly priority: number
  readonly items: readonly PipelineItem[]
  readonly variables: { readonly [name: string]: unknown }
}

/** Where something stands in the text of a pipeline, from 1. */
type PipelinePosition = { readonly line: number; readonly column: number }

/** A text that is no pipeline, or one with a step that Tripline does not have. */
export class PipelineError extends Error {
  override readonly name = 'PipelineError'
  /** What is wrong, such as `transformations[0].mapping`; undefined where that is the whole text, or a rule. */
  readonly path: string | undefined
  /** Where that is; undefined while only the path is known, and of a rule that a pipeline refuses. */
  readonly position: PipelinePosition | undefined

  constructor(message: string, path?: string, position?: PipelinePosition) {
    super(position === undefined ? message : `line ${position.line}, column ${position.column}: ${message}`)
    this.path = path
    this.position = position
  }
}
