import type { CidrTest, ComparisonOperator, FieldRefTest, RegexTest, TimePart } from '../predicate/predicate.ts'
import type { PatternPart } from '../predicate/pattern.ts'

/**
 * A value on its way through the modifiers of a detection item. Modifiers turn one draft into another;
 * `lower.ts` turns the last one into a test.
 */
export type DraftValue =
  | TextDraft
  | { readonly kind: 'number'; readonly value: number; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'exists'; readonly isPresent: boolean }
  | { readonly kind: 'compare'; readonly operator: ComparisonOperator; readonly value: number }
  | { readonly kind: 'timePart'; readonly part: TimePart; readonly operator: ComparisonOperator; readonly value: number }
  | RegexTest
  | CidrTest
  | FieldRefTest
  /** Alternatives that one value was expanded to; always OR'ed, also under `all` (sigma.md section 6). */
  | { readonly kind: 'any'; readonly of: readonly DraftValue[] }

/** A part of a text that is still a draft: it may wait for the values of a placeholder. */
export type DraftPart = PatternPart | { readonly kind: 'placeholder'; readonly name: string }

export type TextDraft = {
  readonly kind: 'text'
  readonly parts: readonly DraftPart[]
  readonly isCased: boolean
  /** Whether each character stands for one byte, because an encoding was applied (D-16). */
  readonly isBytes: boolean
}

/** A text draft with other parts. */
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
