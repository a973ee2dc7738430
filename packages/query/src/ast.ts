import type { Pattern } from '@tripline/engine/predicate'
import type { TextSpan } from './query-error.ts'

/** The syntax tree of a query, as plain data. `and` and `or` have at least two parts, none of the same kind. */
export type Query =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Query[]; readonly span: TextSpan }
  | { readonly kind: 'not'; readonly of: Query; readonly span: TextSpan }
  /** Every event: `*`, and the empty text. */
  | { readonly kind: 'all'; readonly span: TextSpan }
  | Term

/** One comparison; the unit that `limits.termsMax` counts. */
export type Term = {
  readonly kind: 'term'
  /** Undefined for a bare word or phrase, which is looked for in every text of an event. */
  readonly field: string | undefined
  /** Whether every field is compared as a whole: `*:value`. Then `field` is undefined. */
  readonly isAnyField?: true
  readonly value: TermValue
  readonly span: TextSpan
}

export type TermValue =
  /** Text with wildcards: the whole value of a field, or for a bare word some part of any text. */
  | { readonly kind: 'text'; readonly pattern: Pattern }
  /** A number as it was written. */
  | { readonly kind: 'number'; readonly text: string }
  /** The field is absent, or null. */
  | { readonly kind: 'null' }
  /** The field is present, whatever its value. */
  | { readonly kind: 'exists' }
  /** The address is in this network, in CIDR notation. */
  | { readonly kind: 'network'; readonly text: string }
  /** A regular expression in the RE2 dialect that matches a part of the text. */
  | { readonly kind: 'regex'; readonly source: string; readonly ignoresCase: boolean }
  | { readonly kind: 'compare'; readonly operator: Order; readonly bound: Bound }
  | { readonly kind: 'range'; readonly low: RangeEnd; readonly high: RangeEnd }

export type Order = 'gt' | 'gte' | 'lt' | 'lte'

/** One end of a range; a range with an open end is a comparison instead. */
export type RangeEnd = { readonly bound: Bound; readonly isInclusive: boolean }

/** A number or a time as it was written; a time may be relative, such as `now-1h`. */
export type Bound = { readonly kind: 'number' | 'time'; readonly text: string }
