import type { Predicate, Test } from '@tripline/engine/predicate'

/** Whether a predicate looks for a word in all texts of an event, which reads most of a block. */
export function hasKeyword(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'constant':
    case 'elements':
      return false
    case 'group':
    case 'not':
      return hasKeyword(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.some(hasKeyword)
    case 'test':
      return predicate.field === undefined
  }
}

/** The key under which results of a search are cached; undefined where a predicate is more than its JSON text. */
export function getSearchKey(predicate: Predicate): string | undefined {
  return predicate.kind !== 'constant' && isPlain(predicate) ? JSON.stringify(predicate) : undefined
}

const plainValues: ReadonlySet<Test['value']['kind']> = new Set(['text', 'exists', 'null', 'number', 'compare'])

/** Whether the JSON text of a predicate tells it from every other one. */
function isPlain(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'constant':
      return true
    case 'elements':
      return false
    case 'group':
    case 'not':
      return isPlain(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.every(isPlain)
    case 'test':
      return plainValues.has(predicate.value.kind)
  }
}
