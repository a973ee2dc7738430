import { normalizePattern } from '@tripline/engine/predicate'
import type { Pattern } from '@tripline/engine/predicate'
import { getLiteralText } from '../read-word.ts'
import { toStoredText } from './stored-field.ts'

/** A pattern as a database compares it with stored texts. */
export type LikePattern = {
  /** `=` for a text without wildcards. */
  readonly kind: 'equals' | 'like'
  readonly text: string
  /** Whether it holds exactly where the pattern does; else also elsewhere, but wherever the pattern does. */
  readonly isExact: boolean
}

/** Makes a pattern for LIKE; undefined where stored texts do not show whether the pattern holds. */
export function toLikePattern(pattern: Pattern): LikePattern | undefined {
  const parts = normalizePattern(pattern)
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  // Half of a pair may stand in the middle of a character, which stored texts keep whole.
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
