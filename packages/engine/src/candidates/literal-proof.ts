import { normalizePattern } from '../predicate/pattern.ts'
import type { ValueTest } from '../predicate/predicate.ts'
import { spellOutPattern } from './requirement.ts'

/**
 * Whether the needle of a comparison, once found, is proof that it holds: it asks for nothing but this text
 * or number. Most values of rules are so, and need no second look.
 */
export function isProvenByNeedle(value: ValueTest): boolean {
  // Where a double cannot hold the number, its digits are compared as well.
  if (value.kind === 'number') return value.text === undefined
  if (value.kind === 'boolean') return true
  if (value.kind !== 'text' || value.isCased) return false
  return spellOutPattern(normalizePattern(value.pattern)) !== undefined
}
