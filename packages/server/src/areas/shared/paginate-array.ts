import type { ListPlace, SortKey } from '../../model/lists/filter.ts'
import { compareValues, evaluateFilter, anyContainsText } from '../../model/lists/evaluate-filter.ts'
import type { FilteredValue } from '../../model/lists/evaluate-filter.ts'
import type { FieldKind, ListFields } from '../../model/lists/list-fields.ts'
import { limits } from '../../limits.ts'
import { collectFilters } from '../../state/ports/list-query.ts'
import type { ListPageInfo, ListQuery } from '../../state/ports/list-query.ts'

/** How fields of the entries of an in-memory list are read. */
export type EntryReader<Entry> = {
  readonly fields: ListFields
  readonly read: (entry: Entry, field: string) => FilteredValue
  readonly getId: (entry: Entry) => string
  /** The texts that `q` searches. */
  readonly getTexts: (entry: Entry) => readonly string[]
}

/**
 * Paginates an in-memory list by keyset, for `readListPage`. Like the stores it continues after the last entry's sort key,
 * so concurrent insertions and removals repeat or skip nothing.
 */
export function paginateArray<Entry>(
  all: readonly Entry[],
  reader: EntryReader<Entry>,
  query: ListQuery,
): ListPageInfo & { readonly entries: readonly Entry[] } {
  const { fields, read, getTexts } = reader
  const { text = '', sort, limit, after, skip = 0 } = query
  const filters = collectFilters(query)
  const isKept = (entry: Entry): boolean => {
    const isFound = text === '' || anyContainsText(getTexts(entry), text)
    return isFound && filters.every((one) => evaluateFilter(fields, one, (field) => read(entry, field)))
  }
  const kept = all.filter(isKept)
  const order = createOrder(reader, sort)
  const placed = kept.map((entry) => ({ entry, place: order.placeOf(entry) })).sort((a, b) => order.compare(a.place, b.place))
  const rest = after === undefined ? placed.slice(skip) : placed.filter(({ place }) => order.compare(place, after) > 0)
  const shown = rest.slice(0, limit)
  const { countedMax } = limits.state
  return {
    entries: shown.map(({ entry }) => entry),
    next: rest.length > shown.length ? shown.at(-1)?.place : undefined,
    total: { count: Math.min(kept.length, countedMax), isExact: kept.length <= countedMax },
  }
}

/** The sort order of entries: their keys and how to compare two; ties are broken by id in the direction of the last key. */
function createOrder<Entry>({ fields, read, getId }: EntryReader<Entry>, sort: readonly SortKey[]) {
  const keys: readonly { readonly kind: FieldKind; readonly sign: 1 | -1 }[] = [
    ...sort.map(({ field, direction }) => ({ kind: fields[field]?.kind ?? 'text', sign: direction === 'asc' ? 1 : -1 } as const)),
    { kind: 'text', sign: sort.at(-1)?.direction === 'asc' ? 1 : -1 },
  ]
  return {
    placeOf: (entry: Entry): ListPlace => [...sort.map(({ field }) => toSortValue(read(entry, field))), getId(entry)],
    compare(a: ListPlace, b: ListPlace): number {
      for (const [index, { kind, sign }] of keys.entries()) {
        const difference = compareValues(kind, a[index] ?? '', b[index] ?? '')
        if (difference !== 0) return difference * sign
      }
      return 0
    },
  }
}

function toSortValue(value: FilteredValue): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new Error('a list is not sorted by a field that holds lists')
}
