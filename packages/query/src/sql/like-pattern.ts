import { normalizePattern } from '@tripline/engine/predicate'
import type { Pattern } from '@tripline/engine/predicate'
import { getLiteralText } from '../read-word.ts'
import { toStoredText } from './stored-field.ts'

/** A pattern for comparison with stored texts in SQL. */
type LikePattern = {
  /** `=` for a text without wildcards. */
  readonly kind: 'equals' | 'like'
  readonly text: string
  /** Whether it is equivalent to the pattern; else it is weaker. */
  readonly isExact: boolean
}

/** Converts a pattern for LIKE; undefined if stored texts cannot decide it. */
export function toLikePattern(pattern: Pattern): LikePattern | undefined {
  const parts = normalizePattern(pattern)
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  // A lone surrogate may be half of a character, which stored texts keep whole.
  if (!texts.every((text) => text.isWellFormed())) return undefined
  const isExact = !texts.some((text) => /[\0\ufffd]/.test(text)) && parts.every((part) => part.kind !== 'oneOf')
  const literal = getLiteralText(parts)
  if (literal !== undefined) return { kind: 'equals', text: toStoredText(literal), isExact }
  const text = parts.map((part) => {
    if (part.kind === 'text') return toStoredText(part.text).replaceAll(/[\\%_]/g, String.raw`\$&`)
    return part.kind === 'any' ? '%' : '_'
  }).join('')
  return { kind: 'like', text, isExact }
}
