import { compileValueCheck, findRequirement } from '@tripline/engine/evaluate'
import type { Needle } from '@tripline/engine/evaluate'
import type { Predicate, Test } from '@tripline/engine/predicate'
import type { BlockFilter } from './bloom-filter.ts'

/** Whether any event of a block may match, as its filter tells. */
export type BlockPruner = (filter: BlockFilter) => boolean

/**
 * Compiles a predicate to a question to filters, which spares opening blocks that cannot have a match; undefined
 * where no filter could rule out anything. What a comparison requires, the engine says.
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
  const needles = findRequirement(test)
  // What holds of an absent field is in no filter.
  if (needles === undefined || compileValueCheck(test)(undefined)) return undefined
  return (filter) => needles.some((needle) => mayContainLiteral(filter, needle))
}

/** Whether a filter leaves room for a value that has a needle. */
export function mayContainLiteral(filter: BlockFilter, needle: Needle): boolean {
  // A keyword is compared with the texts of numbers.
  if (needle.kind === 'number') return needle.field === undefined || filter.mayEqualNumber(needle.value)
  if (needle.kind === 'length' || needle.kind === 'run') return true
  const { field, anchor, text } = needle
  if (field === undefined) return filter.mayContainText(text)
  if (anchor === 'whole') return text.startsWith('{') || filter.mayEqualText(text)
  // Parts of annotations are not in a filter; no other name of a field leads to one.
  return field.startsWith('_') || text.split(jsonPunctuation).every((part) => filter.mayContainText(part))
}

/** Characters that stand between keys and values in the JSON text of an object, which fields may be compared with. */
const jsonPunctuation = /["\\,:{}[\]]/
