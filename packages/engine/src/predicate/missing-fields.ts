import type { Predicate, Test } from './predicate.ts'

/**
 * Lists the fields that a predicate needs but that were never seen, so no event can match; empty if one may. If all
 * alternatives of an `or` need unseen fields, it lists all of these. Conditions on list elements and comparisons of two
 * fields count as possible.
 */
export function missingFields(predicate: Predicate, seen: ReadonlySet<string>): readonly string[] {
  return [...new Set(listMissing(predicate, seen))]
}

function listMissing(predicate: Predicate, seen: ReadonlySet<string>): readonly string[] {
  switch (predicate.kind) {
    case 'and':
      return predicate.of.flatMap((part) => listMissing(part, seen))
    case 'or': {
      const parts = predicate.of.map((part) => listMissing(part, seen))
      return parts.every((missing) => missing.length > 0) ? parts.flat() : []
    }
    case 'group':
      return listMissing(predicate.of, seen)
    case 'test':
      return needsField(predicate) && !seen.has(predicate.field) ? [predicate.field] : []
    case 'not':
    case 'constant':
    case 'elements':
      return []
  }
}

function needsField(test: Test): test is Test & { readonly field: string } {
  const { field, value } = test
  if (field === undefined || value.kind === 'null' || value.kind === 'fieldRef') return false
  return value.kind !== 'exists' || value.isPresent
}
