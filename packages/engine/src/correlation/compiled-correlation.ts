import type { CorrelationRule, FiringMode } from '../sigma/correlation.ts'
import type { Level, RuleDetails } from '../sigma/rule.ts'

/** A correlation rule that runs: its references resolved, its aliases written out. */
export type CompiledCorrelation = RuleDetails & {
  readonly kind: 'correlation'
  /** The rule's own id in lower case, or one derived from its content where it states none. */
  readonly id: string
  readonly title: string
  readonly level: Level | undefined
  /** The `path` of the source that the rule was read from. */
  readonly path: string
  /** Every attribute, typed. */
  readonly rule: CorrelationRule
  /** The rules whose matches it correlates, in the order in which it names them. */
  readonly members: readonly CorrelationMember[]
  /**
   * A hash of all that decides what it finds; attributes such as its title are not in it. State is kept
   * for a rule as long as this is the same.
   */
  readonly definition: string
}

/** A rule whose matches are correlated, and where in its events the correlation finds what it asks for. */
export type CorrelationMember = {
  readonly ruleId: string
  /** The name by which the correlation calls it. */
  readonly name: string
  /** For each entry of `group-by`, the field of this rule's events. An alias that does not name the rule is read as a field. */
  readonly groupFields: readonly string[]
  /** The fields of the condition, likewise. */
  readonly valueFields: readonly string[]
}

export type { FiringMode }
