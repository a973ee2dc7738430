import { compileValueCheck, listTestRequirements } from '@tripline/engine/evaluate'
import type { Needle } from '@tripline/engine/evaluate'
import type { Predicate, Test } from '@tripline/engine/predicate'
import type { BlockFilter } from '../block/bloom-filter.ts'
import { jsonPunctuation } from '../block/json-literal.ts'

/** Whether the Bloom filter of a block allows a match. */
export type BlockPruner = (filter: BlockFilter) => boolean

/**
 * Compiles a predicate to a test of Bloom filters, which avoids opening blocks that cannot match; undefined where no
 * filter could rule out anything. The engine names the literals that a comparison requires.
 */
export function compileBlockPruner(predicate: Predicate): BlockPruner | undefined {
  switch (predicate.kind) {
    case 'constant':
      return predicate.value ? undefined : () => false
    case 'group':
      return compileBlockPruner(predicate.of)
    case 'and': {
      const parts = predicate.of.map(compileBlockPruner).filter((part) => part !== undefined)
      return parts.length === 0 ? undefined : (filter) => parts.every((part) => part(filter))
    }
    case 'or': {
      const parts = predicate.of.map(compileBlockPruner)
      return parts.includes(undefined) ? undefined : (filter) => parts.some((part) => part?.(filter))
    }
    case 'test':
      return compileTest(predicate)
    case 'not':
    case 'elements':
      return undefined
  }
}

function compileTest(test: Test): BlockPruner | undefined {
  const requirements = listTestRequirements(test)
  // A comparison that an absent field satisfies is not covered by filters.
  if (requirements.length === 0 || compileValueCheck(test)(undefined)) return undefined
  return (filter) => requirements.every((needles) => needles.some((needle) => mayContainLiteral(filter, needle)))
}

/** Whether pruning asks filters for whole values, and not only for texts. */
export function asksForValues(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'group':
      return asksForValues(predicate.of)
    case 'and':
    case 'or':
      return predicate.of.some(asksForValues)
    case 'test':
      return listTestRequirements(predicate).some((needles) => needles.some(isWholeValue))
    case 'constant':
    case 'not':
    case 'elements':
      return false
  }
}

/** Whether a literal is looked for among whole values. */
export function isWholeValue(needle: Needle): boolean {
  return needle.field !== undefined && (needle.kind === 'number' || (needle.kind === 'text' && needle.anchor === 'whole'))
}

/** Whether a filter allows a value with a literal. */
export function mayContainLiteral(filter: BlockFilter, needle: Needle): boolean {
  // A keyword is compared with the texts of numbers.
  if (needle.kind === 'number') return needle.field === undefined || filter.mayEqualNumber(needle.value)
  if (needle.kind === 'length' || needle.kind === 'run') return true
  const { field, anchor, text } = needle
  if (field === undefined) return filter.mayContainText(text)
  if (anchor === 'whole' && !text.startsWith('{') && !filter.mayEqualText(text)) return false
  // Filters do not cover q-grams of annotations; no other field name leads to one.
  return field.startsWith('_') || text.split(jsonPunctuation).every((part) => filter.mayContainText(part))
}
