import { normalizePattern } from '../predicate/pattern.ts'
import type { ValueTest } from '../predicate/predicate.ts'
import { spellOutPattern } from './requirement.ts'

/**
 * Whether a hit of a comparison's needle proves it: the comparison requires nothing but this text or number, as most
 * values of rules do.
 */
export function isProvenByNeedle(value: ValueTest): boolean {
  // If a double cannot represent the number, its digits are compared as well.
  if (value.kind === 'number') return value.text === undefined
  if (value.kind === 'boolean') return true
  if (value.kind !== 'text' || value.isCased) return false
  return spellOutPattern(normalizePattern(value.pattern)) !== undefined
}
