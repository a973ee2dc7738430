import type { RuleAttributes } from './rule.ts'

/** The types of correlations: what they compute over the events of a group. */
export const correlationTypes = [
  'event_count', 'value_count', 'value_sum', 'value_avg', 'value_median', 'value_percentile', 'temporal', 'temporal_ordered',
] as const
export type CorrelationType = (typeof correlationTypes)[number]

/**
 * When a true condition produces a match. `on_true`: when it becomes true, and again after it was false or after
 * one timespan. `every`: for every event while it is true. `once_per_window`: once per timespan. `reset`: every
 * time, and the window starts again without the events of the match.
 */
export const firingModes = ['on_true', 'every', 'once_per_window', 'reset'] as const
export type FiringMode = (typeof firingModes)[number]

/**
 * How windows are cut. `sliding`: the last timespan before each instant, as Sigma asks. `tumbling`: one timespan after the
 * other, aligned to the epoch. `session`: from a first event on until none came for a timespan.
 */
export const windowKinds = ['sliding', 'tumbling', 'session'] as const
type WindowKind = (typeof windowKinds)[number]

/** The name under which conditions read the number that a rule states as its own attribute of this name. */
export const scoreField = 'x-tripline-score'

/** A reference to a rule by id or name. */
export type RuleReference = { readonly name: string; readonly offset: number }

/** A parsed correlation rule; its references are not resolved. */
export type CorrelationRule = RuleAttributes & { readonly correlation: Correlation }

/** The `correlation` section. */
export type Correlation = {
  readonly type: CorrelationType
  readonly references: readonly RuleReference[]
  /** Fields or aliases; when empty, all events are one group. */
  readonly groupBy: readonly string[]
  readonly timespanMs: number
  readonly condition: CorrelationCondition
  /** The field of each alias, by alias and then by rule reference. */
  readonly aliases: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Whether the rules it names also produce matches of their own; the key is on the top level or in the section. */
  readonly generates: boolean
  /** The attribute `firing`, an extension of Sigma; undefined for the default of the engine. */
  readonly firing: FiringMode | undefined
  /** How windows are cut; our attribute `x-tripline-window`. */
  readonly window: WindowKind
  /** Whether groups and counted values that differ only in case are different; our attribute `x-tripline-case`. */
  readonly isCaseSensitive: boolean
  /** Whether its matches open an incident where there are incidents; our attribute `x-tripline-incident`. */
  readonly opensIncident: boolean
}

export const thresholdOperators = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq'] as const
export type ThresholdOperator = (typeof thresholdOperators)[number]

/** One bound on a number. */
export type Threshold = { readonly operator: ThresholdOperator; readonly value: number }

/** The condition on a group. */
export type CorrelationCondition =
  | {
    readonly kind: 'thresholds'
    /** All of them must be true. */
    readonly thresholds: readonly Threshold[]
    /** The fields whose values are counted or computed; several form one combined value. */
    readonly fields: readonly string[]
    /** The percentile from 0 to 100; without it, `value_percentile` is the share of a value. */
    readonly percentile: number | undefined
  }
  /** Which rules must match. */
  | { readonly kind: 'formula'; readonly formula: RuleFormula; readonly text: string }

/** A Boolean formula over rules, by their index in the correlation. */
export type RuleFormula =
  | { readonly kind: 'and' | 'or'; readonly of: readonly RuleFormula[] }
  | { readonly kind: 'not'; readonly of: RuleFormula }
  | { readonly kind: 'rule'; readonly rule: number }
