import type { TextSpan } from './query-error.ts'
import type { Order } from './ast.ts'

/** The concrete syntax tree from the grammar, with words as they were written. */
export type SyntaxNode =
  | { readonly kind: 'and' | 'or'; readonly of: readonly SyntaxNode[]; readonly span: TextSpan }
  | { readonly kind: 'not'; readonly of: SyntaxNode; readonly span: TextSpan }
  /** In `value` all leaves are values of this field. */
  | { readonly kind: 'field'; readonly name: SyntaxText | SyntaxAnyField; readonly value: SyntaxNode; readonly span: TextSpan }
  | SyntaxValue

/** A leaf: the value of a field, or a bare word. */
export type SyntaxValue = SyntaxText | SyntaxRange | SyntaxComparison | SyntaxRegex

/** The `*` before a colon, which stands for every field. */
type SyntaxAnyField = { readonly kind: 'anyField'; readonly span: TextSpan }

/** A regular expression with its slashes and flags. */
export type SyntaxRegex = { readonly kind: 'regex'; readonly text: string; readonly span: TextSpan }

/** A word, or the content of quotes, with escapes. */
export type SyntaxText = { readonly kind: 'word' | 'quoted'; readonly text: string; readonly span: TextSpan }

export type SyntaxRange = {
  readonly kind: 'range'
  readonly low: SyntaxText
  readonly high: SyntaxText
  readonly isLowInclusive: boolean
  readonly isHighInclusive: boolean
  readonly span: TextSpan
}

type SyntaxComparison = {
  readonly kind: 'comparison'
  readonly operator: keyof typeof orders
  readonly bound: SyntaxText
  readonly span: TextSpan
}

export const orders = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte' } as const satisfies { readonly [sign: string]: Order }
