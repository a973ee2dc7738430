import type { Comparison, Filter } from '@tripline/model/lists/filter'
import type { ListSelection } from '../../ports/list-query.ts'

/** Fields that have an index each, which goes on with the field that the list is usually sorted by. */
export type MergedFields = { readonly fields: readonly string[]; readonly sort: string }

/** A merge of more parts costs more than reading what is between the rows. */
const partsMax = 8

/**
 * Splits a selection of several values of a field to one for each value, if an index has each of them in the order of the list:
 * they are merged, so that a page reads its own rows only. Otherwise the selection is the only part.
 */
export function splitSelection(merged: MergedFields | undefined, selection: ListSelection): readonly ListSelection[] {
  const { where = [], order = [] } = selection
  if (merged === undefined || order.length !== 1 || order[0]?.field !== merged.sort) return [selection]
  let parts: readonly (readonly Filter[])[] = [[]]
  for (const filter of where.flatMap(listParts)) {
    const values = listValues(merged, filter)
    const isSplit = values.length > 1 && parts.length * values.length <= partsMax
    const alternatives = isSplit ? values : [filter]
    parts = parts.flatMap((part) => alternatives.map((alternative) => [...part, alternative]))
  }
  return parts.length === 1 ? [selection] : parts.map((where) => ({ ...selection, where }))
}

function listParts(filter: Filter): readonly Filter[] {
  return 'and' in filter ? filter.and.flatMap(listParts) : [filter]
}

/** The values that a filter allows a merged field, as filters that exclude each other. */
function listValues({ fields }: MergedFields, filter: Filter): readonly Comparison[] {
  if (!('field' in filter) || filter.operator !== 'in' || !fields.includes(filter.field) || !Array.isArray(filter.value)) return []
  return [...new Set(filter.value)].map((value) => ({ field: filter.field, operator: 'eq', value }))
}
