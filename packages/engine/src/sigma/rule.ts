import type { Logsource } from '../event/event.ts'
import type { ArrayStep } from './array-path.ts'
import type { Condition } from './condition.ts'
import type { YamlScalar } from './yaml-document.ts'

/** How bad a match is, from least to most (sigma.md section 2). */
export const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const
export type Level = (typeof levels)[number]

/** How mature a rule is. */
export const statuses = ['stable', 'test', 'experimental', 'deprecated', 'unsupported'] as const
export type Status = (typeof statuses)[number]

export const relationTypes = ['correlation', 'derived', 'merged', 'obsolete', 'renamed', 'similar'] as const
export type Relation = { readonly id: string; readonly type: (typeof relationTypes)[number] }

/** A value that a rule states and the engine only keeps: custom attributes. */
export type PlainValue = string | number | boolean | null | readonly PlainValue[] | { readonly [key: string]: PlainValue }

/** The attributes of a detection rule (sigma.md section 2); absent ones are undefined, absent lists empty. */
export type RuleAttributes = {
  readonly title: string
  readonly id: string | undefined
  readonly name: string | undefined
  readonly related: readonly Relation[]
  readonly taxonomy: string | undefined
  readonly status: Status | undefined
  readonly description: string | undefined
  readonly license: string | undefined
  readonly author: string | undefined
  readonly references: readonly string[]
  /** `YYYY-MM-DD`, also where the rule wrote slashes. */
  readonly date: string | undefined
  readonly modified: string | undefined
  readonly fields: readonly string[]
  readonly falsepositives: readonly string[]
  readonly level: Level | undefined
  readonly tags: readonly string[]
  readonly scope: readonly string[]
  /** Every attribute that the specification does not name. */
  readonly custom: { readonly [attribute: string]: PlainValue }
}

/** A detection rule as written: typed, nothing lowered yet. */
export type DetectionRule = RuleAttributes & {
  readonly logsource: Logsource & { readonly definition?: string }
  readonly detection: Detection
}

/** The `detection` section: its selections in the order they stand, and one condition or several. */
export type Detection = {
  readonly selections: ReadonlyMap<string, Selection>
  readonly conditions: readonly ParsedCondition[]
}

export type ParsedCondition = { readonly text: string; readonly tree: Condition; readonly offset: number }

export type Selection = { readonly name: string; readonly body: SelectionBody; readonly offset: number }

/** A map is `all` of its items, a list `any` of its elements (sigma.md section 4). */
export type SelectionBody =
  | { readonly kind: 'all'; readonly of: readonly SelectionBody[] }
  | { readonly kind: 'any'; readonly of: readonly SelectionBody[] }
  | DetectionItem
  /** A condition on the elements of a list; only where array syntax is on. */
  | { readonly kind: 'elements'; readonly step: ArrayStep; readonly of: SelectionBody }
  /** Selections with a condition of their own, over one element. */
  | { readonly kind: 'nested'; readonly detection: Detection }

/** One `field|modifier: values`; without a field its values are keywords. */
export type DetectionItem = {
  readonly kind: 'item'
  readonly field: string | undefined
  readonly modifiers: readonly string[]
  readonly values: readonly YamlScalar[]
  readonly offset: number
}
