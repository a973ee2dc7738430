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

/** Whether a predicate compares nothing but words with all texts of an event. */
export function hasOnlyKeywords(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'constant':
      return true
    case 'elements':
      return false
    case 'group':
    case 'not':
      return hasOnlyKeywords(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.every(hasOnlyKeywords)
    case 'test':
      return predicate.field === undefined
  }
}

/** The key under which results of a search with keywords are cached; undefined for all other searches. */
export function getSearchKey(predicate: Predicate): string | undefined {
  return hasKeyword(predicate) && isPlain(predicate) ? JSON.stringify(predicate) : undefined
}

const plainValues: ReadonlySet<Test['value']['kind']> = new Set(['text', 'exists', 'null'])

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
