import type { CidrTest, CompareTest, ComparisonOperator, FieldRefTest, RegexTest, TimePart } from '../predicate/predicate.ts'
import type { PatternPart } from '../predicate/pattern.ts'

/**
 * A value between two modifiers of a detection item. Modifiers rewrite drafts; `lower.ts` turns the last draft
 * into a test.
 */
export type DraftValue =
  | TextDraft
  | NumberDraft
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'exists'; readonly isPresent: boolean }
  | CompareTest
  | { readonly kind: 'timePart'; readonly part: TimePart; readonly operator: ComparisonOperator; readonly value: number }
  | RegexTest
  | CidrTest
  | FieldRefTest
  /** Alternatives that one value expands to; always joined with `or`, also under `all`. */
  | { readonly kind: 'any'; readonly of: readonly DraftValue[] }

/** A part of a text draft: a pattern part, or a placeholder that is not expanded yet. */
export type DraftPart = PatternPart | { readonly kind: 'placeholder'; readonly name: string }

type NumberDraft = { readonly kind: 'number'; readonly value: number; readonly text: string }

export type TextDraft = {
  readonly kind: 'text'
  readonly parts: readonly DraftPart[]
  readonly isCased: boolean
  /** Whether each character represents one byte, because an encoding was applied. */
  readonly isBytes: boolean
}

/** Returns a text draft with other parts. */
export function replaceParts(draft: TextDraft, parts: readonly DraftPart[]): TextDraft {
  return { ...draft, parts }
}

/** Applies a function to each literal part of a text. */
export function mapLiterals(draft: TextDraft, change: (text: string) => string): TextDraft {
  return replaceParts(
    draft,
    draft.parts.map((part) => (part.kind === 'text' ? { kind: 'text', text: change(part.text) } : part)),
  )
}

/** A number, with its digits if it is an integer that a double may round. */
export function toExactNumber({ value, text }: NumberDraft): Pick<CompareTest, 'value' | 'text'> {
  const isExact = Number.isSafeInteger(value) || !/^[+-]?\d+$/.test(text)
  return isExact ? { value } : { value, text: text.replace('+', '') }
}
