import { normalizePattern } from '../predicate/pattern.ts'
import type { Predicate, ValueTest } from '../predicate/predicate.ts'

/**
 * Whether each needle of a predicate's requirement, once found, is proof that the predicate holds: it asks
 * for nothing but one of these texts or numbers. Most lists of rules are so, and need no second look.
 */
export function isProvenByNeedle(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'group':
      return isProvenByNeedle(predicate.of)
    case 'or':
      return predicate.of.every(isProvenByNeedle)
    case 'test':
      return isNeedle(predicate.value)
    default:
      return false
  }
}

function isNeedle(value: ValueTest): boolean {
  // Where a double cannot hold the number, its digits are compared as well.
  if (value.kind === 'number') return value.text === undefined
  if (value.kind === 'boolean') return true
  if (value.kind !== 'text' || value.isCased) return false
  const parts = normalizePattern(value.pattern)
  return parts.length === 0 || parts.filter(({ kind }) => kind !== 'any').map(({ kind }) => kind).join() === 'text'
}
