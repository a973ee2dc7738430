import type { RuleLogsource } from '../event/event.ts'
import type { ArrayStep } from './array-path.ts'
import type { Condition } from './condition.ts'
import type { YamlScalar } from './yaml-document.ts'

/** The level of a rule, lowest first. */
export const levels = ['informational', 'low', 'medium', 'high', 'critical'] as const
export type Level = (typeof levels)[number]

/** How mature a rule is. */
export const statuses = ['stable', 'test', 'experimental', 'deprecated', 'unsupported'] as const
export type Status = (typeof statuses)[number]

export const relationTypes = ['correlation', 'derived', 'merged', 'obsolete', 'renamed', 'similar'] as const
export type Relation = { readonly id: string; readonly type: (typeof relationTypes)[number] }

/** A value of a custom attribute, which the engine stores but does not use. */
export type PlainValue = string | number | boolean | null | readonly PlainValue[] | { readonly [key: string]: PlainValue }

/** The metadata of a rule; absent attributes are undefined, absent lists empty. */
export type RuleAttributes = {
  readonly title: string
  /** The id as the rule states it; the engine calls a rule by `CompiledRule.id`, which is a UUID. */
  readonly id: string | undefined
  readonly name: string | undefined
  readonly related: readonly Relation[]
  readonly taxonomy: string | undefined
  readonly status: Status | undefined
  readonly description: string | undefined
  readonly license: string | undefined
  readonly author: string | undefined
  readonly references: readonly string[]
  /** `YYYY-MM-DD`, also when the rule has slashes. */
  readonly date: string | undefined
  readonly modified: string | undefined
  readonly fields: readonly string[]
  readonly falsepositives: readonly string[]
  readonly level: Level | undefined
  readonly tags: readonly string[]
  readonly scope: readonly string[]
  /** All attributes that the specification does not define. */
  readonly custom: { readonly [attribute: string]: PlainValue }
}

/** The attributes that say who wrote a rule, what it is about and what to think of its matches. */
export type RuleDetails = Pick<RuleAttributes,
  'status' | 'description' | 'author' | 'references' | 'date' | 'modified' | 'tags' | 'falsepositives' | 'fields'>

/** Picks the attributes that compiled rules have as members of their own. */
export function pickDetails(rule: RuleDetails): RuleDetails {
  const { status, description, author, references, date, modified, tags, falsepositives, fields } = rule
  return { status, description, author, references, date, modified, tags, falsepositives, fields }
}

/** A parsed detection rule, before it is lowered to a predicate. */
export type DetectionRule = RuleAttributes & {
  readonly logsource: RuleLogsource & { readonly definition?: string }
  readonly detection: Detection
}

/** The `detection` section: its selections in source order, and one or more conditions. */
export type Detection = {
  readonly selections: ReadonlyMap<string, Selection>
  readonly conditions: readonly ParsedCondition[]
}

export type ParsedCondition = { readonly text: string; readonly tree: Condition; readonly offset: number }

export type Selection = { readonly name: string; readonly body: SelectionBody; readonly offset: number }

/** A map matches `all` of its items, a list `any` of its elements. */
export type SelectionBody =
  | { readonly kind: 'all'; readonly of: readonly SelectionBody[] }
  | { readonly kind: 'any'; readonly of: readonly SelectionBody[] }
  | DetectionItem
  /** A condition on the elements of a list; only with array syntax. */
  | { readonly kind: 'elements'; readonly step: ArrayStep; readonly of: SelectionBody }
  /** Selections with their own condition, over one element. */
  | { readonly kind: 'nested'; readonly detection: Detection }

/** A detection item `field|modifier: values`; without a field, its values are keywords. */
export type DetectionItem = {
  readonly kind: 'item'
  readonly field: string | undefined
  readonly modifiers: readonly string[]
  readonly values: readonly YamlScalar[]
  readonly offset: number
}
