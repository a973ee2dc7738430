import type { EventObject } from '../../src/index.ts'

/** A correlation, as far as it matters; rules and fields by name. */
export type ReferenceCorrelation = {
  readonly name: string
  readonly type:
    | 'event_count' | 'value_count' | 'value_sum' | 'value_avg' | 'value_median' | 'value_percentile' | 'temporal' | 'temporal_ordered'
  readonly rules: readonly string[]
  readonly groupBy: readonly string[]
  /** By alias, by rule: a field. */
  readonly aliases: { readonly [alias: string]: { readonly [rule: string]: string } }
  readonly spanMs: number
  /** Operators with their bounds, or a formula over rules. */
  readonly thresholds: { readonly [operator: string]: number } | undefined
  readonly formula: ReferenceFormula | undefined
  readonly fields: readonly string[]
  readonly percentile: number | undefined
  readonly firing: 'on_true' | 'every' | 'once_per_window' | 'reset'
  /** Whether values that differ only in case are different; they are not without it. */
  readonly isCaseSensitive?: boolean
  /** How windows are cut; `sliding` without it. */
  readonly window?: 'sliding' | 'tumbling' | 'session'
}

export type ReferenceFormula =
  | string
  | { readonly not: ReferenceFormula }
  | { readonly and: readonly ReferenceFormula[] }
  | { readonly or: readonly ReferenceFormula[] }

/** What one occurrence, or one event that several rules match, is to a group. */
export type ReferenceEntry = {
  readonly at: number
  readonly place: number
  readonly rules: readonly string[]
  /** Its values: texts, without regard to case unless it matters, or numbers. */
  readonly values: readonly (string | number)[]
  /** The fields by which it came into the group, with those of the group. */
  readonly records: readonly EventObject[]
}

/** All that happened to a group with the same event: it is decided on together. */
export type ReferenceMoment = { readonly at: number; readonly entries: readonly ReferenceEntry[] }

/** A window that holds, when that was certain, and the newest moment of its group until then. */
export type ReferenceDecision = {
  readonly decidedAt: number
  readonly window: readonly ReferenceEntry[]
  readonly newest: ReferenceMoment
  /** The number that was compared, where it is not that of the window as a whole. */
  readonly value?: number | undefined
}
