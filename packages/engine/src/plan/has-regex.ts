import type { Predicate, Test } from '../predicate/predicate.ts'

/** Whether a predicate contains a regular expression that passes `isWanted`; by default any does. */
export function hasRegex(predicate: Predicate, isWanted: (test: Test) => boolean = () => true): boolean {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.some((part) => hasRegex(part, isWanted))
    case 'not':
    case 'group':
    case 'elements':
      return hasRegex(predicate.of, isWanted)
    case 'test':
      return predicate.value.kind === 'regex' && isWanted(predicate)
    case 'constant':
      return false
  }
}
