import type { CorrelationRule, ReferencedRules } from '@tripline/engine'
import type { DetectionItem, DetectionRule } from '@tripline/engine/authoring'

/** A rewritten rule, or why it is refused. */
export type TransformedRule<Rule = DetectionRule> = { readonly rule: Rule } | { readonly problem: string }

/** What pipelines remember of a rule while they rewrite it. */
export type RuleState<Rule extends DetectionRule | CorrelationRule = DetectionRule | CorrelationRule> = {
  rule: Rule
  /** What is known of the rules that a correlation names; nothing for a rule that finds events. */
  readonly referenced: ReferencedRules
  readonly variables: { readonly [name: string]: unknown }
  /** The ids of steps that were applied to the rule. */
  readonly appliedSteps: Set<string>
  /** The ids of steps that renamed a field, by its name afterwards. */
  readonly stepsOfFields: Map<string, ReadonlySet<string>>
  /** The ids of steps that were applied to a detection item. */
  readonly stepsOfItems: WeakMap<DetectionItem, ReadonlySet<string>>
  /** Values that `set_state` set. */
  readonly values: Map<string, unknown>
  /** Accounts for work units before they are spent. @throws PipelineError where the rule takes too many. */
  readonly spend: (units: number) => void
  /** Why the rule is refused. */
  failure: string | undefined
  /** Number of conditions that were added, for their names. */
  addedCount: number
}

/** Whether the rule that is rewritten is a correlation. */
export function isCorrelationState(state: RuleState): state is RuleState<CorrelationRule> {
  return 'correlation' in state.rule
}

/** Whether the rule that is rewritten finds events. */
export function isDetectionState(state: RuleState): state is RuleState<DetectionRule> {
  return 'detection' in state.rule
}
