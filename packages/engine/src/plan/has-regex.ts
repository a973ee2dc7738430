import type { Predicate } from '../predicate/predicate.ts'

/** Whether a predicate searches for a regular expression. */
export function hasRegex(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.some(hasRegex)
    case 'not':
    case 'group':
    case 'elements':
      return hasRegex(predicate.of)
    case 'test':
      return predicate.value.kind === 'regex'
    case 'constant':
      return false
  }
}
