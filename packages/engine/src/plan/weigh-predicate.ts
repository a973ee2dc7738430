import type { Predicate } from '../predicate/predicate.ts'

/** Comparing, analyzing or printing a regular expression takes as long as some other values. */
const regexUnits = 4

/** The work units of analyzing a predicate: about one for each of its values. */
export function weighPredicate(predicate: Predicate): number {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.of.reduce((sum, part) => sum + weighPredicate(part), 0)
    case 'not':
    case 'group':
      return weighPredicate(predicate.of)
    case 'test':
      return predicate.value.kind === 'regex' ? regexUnits : 1
    case 'constant':
    case 'elements':
      return 1
  }
}
