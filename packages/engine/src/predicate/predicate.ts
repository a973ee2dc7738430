import type { Pattern } from './pattern.ts'

/**
 * A condition over one event, as plain data: the intermediate representation of the project. Rules and searches are
 * lowered to it; matchers, explanations and SQL are compiled from it. It is independent of YAML and of the search syntax.
 */
export type Predicate =
  | { readonly kind: 'and'; readonly of: readonly Predicate[] }
  | { readonly kind: 'or'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | { readonly kind: 'constant'; readonly value: boolean }
  | Group
  | Elements
  | Test

/** A named part, such as a selection; it is true exactly if its content is. */
export type Group = { readonly kind: 'group'; readonly name: string; readonly of: Predicate }

/**
 * A condition on the elements of a list: fields in `of` are those of one element, and `.` is the element itself if it is no
 * object. A value that is no list counts as a list of one element, an absent one as an empty list.
 */
export type Elements = {
  readonly kind: 'elements'
  readonly field: string
  readonly quantifier: ElementQuantifier
  readonly of: Predicate
}

/**
 * Which elements have to pass: any, all of at least one, all also of none, none, or the one at an index
 * from 0. Follows the draft of Sigma's array matching.
 */
export type ElementQuantifier = 'any' | 'all' | 'all_or_empty' | 'none' | number

/** One comparison. Without a field it is a keyword, which is compared with every leaf of the event. */
export type Test = {
  readonly kind: 'test'
  readonly field: string | undefined
  readonly value: ValueTest
  /** The item as its author wrote it; shared by the item's tests. */
  readonly written: WrittenItem
  /** The value as the author wrote it: `\powershell.exe`; explanations print both. */
  readonly writtenValue: string
}

export type WrittenItem = {
  /** Field and modifiers: `Image|endswith`; for keywords only the modifiers, or nothing. */
  readonly item: string
  /** The last modifier that defines the comparison: `endswith`; `eq` without one. */
  readonly operator: string
}

/** A condition on a field's value. A list passes if any of its elements does. */
export type ValueTest =
  | { readonly kind: 'text'; readonly pattern: Pattern; readonly isCased: boolean }
  | NumberTest
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** The field is absent, or null. */
  | { readonly kind: 'null' }
  /** The field is present, whatever its value; or absent, if `isPresent` is false. */
  | { readonly kind: 'exists'; readonly isPresent: boolean }
  | CompareTest
  | TimePartTest
  | InstantTest
  | RegexTest
  | CidrTest
  | FieldRefTest

/** Equality with a number; `text` is its decimal form if a double cannot represent it exactly. */
export type NumberTest = { readonly kind: 'number'; readonly value: number; readonly text?: string }

/** Comparison with a number; `text` is its decimal form if a double cannot represent it exactly. */
export type CompareTest = {
  readonly kind: 'compare'
  readonly operator: ComparisonOperator
  readonly value: number
  readonly text?: string
}

export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

export type TimePart = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** Compares a part of the value's timestamp with a number. */
export type TimePartTest = {
  readonly kind: 'timePart'
  readonly part: TimePart
  readonly operator: ComparisonOperator
  readonly value: number
}

/** Compares the value's timestamp with an instant; time ranges of searches consist of these. */
export type InstantTest = {
  readonly kind: 'instant'
  readonly operator: ComparisonOperator
  /** Milliseconds since 1970. */
  readonly at: number
}

/** A search of the value for a regular expression in the RE2 dialect: unanchored, in linear time. */
export type RegexTest = {
  readonly kind: 'regex'
  readonly source: string
  readonly ignoresCase: boolean
  readonly isMultiline: boolean
  readonly dotMatchesNewline: boolean
}

/** Membership in a network; `text` is its canonical form, `10.0.0.0/8` or `fe80::/10`. */
export type CidrTest = {
  readonly kind: 'cidr'
  readonly text: string
  readonly version: 4 | 6
  /** The network's address as a number of 32 or 128 bits, host bits zero. */
  readonly network: bigint
  readonly prefixLength: number
}

/** Comparison with another field of the same event: equal, or with it as prefix, suffix or needle. */
export type FieldRefTest = {
  readonly kind: 'fieldRef'
  readonly field: string
  readonly relation: 'equals' | 'startswith' | 'endswith' | 'contains'
  readonly isCased: boolean
}
