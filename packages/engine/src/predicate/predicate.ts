import type { Pattern } from './pattern.ts'

/**
 * A condition over one event, as plain data: the middle of the whole project. Rules and searches are
 * lowered to it; closures, explanations and SQL are made from it. It knows nothing of YAML or of a search box.
 */
export type Predicate =
  | { readonly kind: 'and'; readonly of: readonly Predicate[] }
  | { readonly kind: 'or'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | { readonly kind: 'constant'; readonly value: boolean }
  | Group
  | Elements
  | Test

/** A part that people know by a name, such as a selection; it holds exactly when its content holds. */
export type Group = { readonly kind: 'group'; readonly name: string; readonly of: Predicate }

/**
 * A condition on the elements of a list: fields in `of` are those of one element, `.` is the element itself
 * where it is no object. A value that is no list is a list of one, an absent one a list of none.
 */
export type Elements = {
  readonly kind: 'elements'
  readonly field: string
  readonly quantifier: ElementQuantifier
  readonly of: Predicate
}

/**
 * Which elements have to pass: any, all of at least one, all also of none, none, or the one at an index
 * from 0 (SEP #212).
 */
export type ElementQuantifier = 'any' | 'all' | 'all_or_empty' | 'none' | number

/** One comparison. Without a field it is tried on every leaf of the event (keywords, sigma.md 4.2). */
export type Test = {
  readonly kind: 'test'
  readonly field: string | undefined
  readonly value: ValueTest
  /** How the author wrote the item that it is of; shared by the item's tests. */
  readonly written: WrittenItem
  /** The value as the author sees it: `\powershell.exe`; explanations print both. */
  readonly writtenValue: string
}

export type WrittenItem = {
  /** Field and modifiers: `Image|endswith`; for keywords only the modifiers, or nothing. */
  readonly item: string
  /** The last word of the chain that says how values are compared: `endswith`; `eq` where there is none. */
  readonly operator: string
}

/** What is asked of a field's value. A field with several values passes when any of them does (D-11). */
export type ValueTest =
  | { readonly kind: 'text'; readonly pattern: Pattern; readonly isCased: boolean }
  | NumberTest
  | { readonly kind: 'boolean'; readonly value: boolean }
  /** The field is absent, or null. */
  | { readonly kind: 'null' }
  /** The field is there, whatever its value (or is not, where `isPresent` is false). */
  | { readonly kind: 'exists'; readonly isPresent: boolean }
  | { readonly kind: 'compare'; readonly operator: ComparisonOperator; readonly value: number }
  | TimePartTest
  | InstantTest
  | RegexTest
  | CidrTest
  | FieldRefTest

/** Equality with a number; `text` is its decimal form where it is too large for a double to hold exactly. */
export type NumberTest = { readonly kind: 'number'; readonly value: number; readonly text?: string }

export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

export type TimePart = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** A part of the instant that the value states, compared with a number (D-25). */
export type TimePartTest = {
  readonly kind: 'timePart'
  readonly part: TimePart
  readonly operator: ComparisonOperator
  readonly value: number
}

/** The instant that the value states, compared with another; what time ranges of searches are made of. */
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
