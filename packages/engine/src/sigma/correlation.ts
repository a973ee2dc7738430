import type { RuleAttributes } from './rule.ts'

/** What is asked of the events of a group (sigma.md section 8). */
export const correlationTypes = [
  'event_count', 'value_count', 'value_sum', 'value_avg', 'value_median', 'value_percentile', 'temporal', 'temporal_ordered',
] as const
export type CorrelationType = (typeof correlationTypes)[number]

/**
 * When a condition that holds makes a match (D-45). `on_true`: when it begins to hold, and again after it did
 * not, or when the timespan has passed since. `every`: with every event. `once_per_window`: once in a timespan.
 * `reset`: every time, and the events that made it hold are forgotten.
 */
export const firingModes = ['on_true', 'every', 'once_per_window', 'reset'] as const
export type FiringMode = (typeof firingModes)[number]

/** A rule that another one names, by id or name. */
export type RuleReference = { readonly name: string; readonly offset: number }

/** A correlation rule as written: typed, its references not resolved. */
export type CorrelationRule = RuleAttributes & { readonly correlation: Correlation }

/** The `correlation` section. */
export type Correlation = {
  readonly type: CorrelationType
  readonly references: readonly RuleReference[]
  /** Fields or aliases; without any, all events are one group (D-34). */
  readonly groupBy: readonly string[]
  readonly timespanMs: number
  readonly condition: CorrelationCondition
  /** By alias, then by the name of a rule as written: the field that the alias means in its events. */
  readonly aliases: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Whether the rules it names make matches of their own beside it; on the top level or in the section (D-37). */
  readonly generates: boolean
  /** As the attribute `firing` says, which is ours; undefined leaves it to the engine. */
  readonly firing: FiringMode | undefined
}

export const thresholdOperators = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq'] as const
export type ThresholdOperator = (typeof thresholdOperators)[number]

/** One bound on a number. */
export type Threshold = { readonly operator: ThresholdOperator; readonly value: number }

/** What a group has to come to (sigma.md section 8, D-38, D-41). */
export type CorrelationCondition =
  | {
    readonly kind: 'thresholds'
    /** All of them have to hold. */
    readonly thresholds: readonly Threshold[]
    /** The fields whose values are counted or reckoned with; several make one value together. */
    readonly fields: readonly string[]
    /** Which percentile, from 0 to 100; without it `value_percentile` is the share of a value. */
    readonly percentile: number | undefined
  }
  /** Which rules have to be seen. */
  | { readonly kind: 'formula'; readonly formula: Formula; readonly text: string }

/** A condition over rules, by their place among those that the correlation names. */
export type Formula =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Formula[] }
  | { readonly kind: 'not'; readonly of: Formula }
  | { readonly kind: 'rule'; readonly rule: number }
