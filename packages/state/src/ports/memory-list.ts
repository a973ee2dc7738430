import { anyContainsText, compareValues, evaluateFilter, toComparable } from '@tripline/model/lists/evaluate-filter'
import type { FilteredValue } from '@tripline/model/lists/evaluate-filter'
import type { ListPlace, SortKey } from '@tripline/model/lists/filter'
import type { ListField, ListFields } from '@tripline/model/lists/list-fields'
import type { TenantId } from '@tripline/model/tenant'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../limits.ts'
import type { ListSelection, TenantList } from './list-query.ts'

/** How the fields of the entries of a list in memory are read. */
export type EntryReader<Entry> = {
  readonly fields: ListFields
  readonly read: (entry: Entry, field: string) => FilteredValue
  readonly getId: (entry: Entry) => string | number
  /** The texts that a text is searched in. */
  readonly getTexts: (entry: Entry) => readonly string[]
}

/**
 * A list in memory, with the pages, totals and positions of a list in the database: it continues after the sort keys of an
 * entry, so that what comes and goes meanwhile repeats and hides no other.
 */
export function createMemoryList<Entry>(
  readAll: (tenant: TenantId) => readonly Entry[] | Promise<readonly Entry[]>, reader: EntryReader<Entry>,
): TenantList<Entry> {
  return {
    async list(tenant, { after, skip = 0, limit, ...selection }) {
      const { compare, selected } = select(await readAll(tenant), reader, selection)
      const rest = after === undefined ? selected.slice(skip) : selected.filter(({ place }) => compare(place, after) > 0).slice(skip)
      const shown = rest.slice(0, limit)
      const { countedMax } = limits.state
      return {
        entries: shown.map(({ entry }) => entry),
        next: rest.length > shown.length ? shown.at(-1)?.place : undefined,
        total: { count: Math.min(selected.length, countedMax), isExact: selected.length <= countedMax },
      }
    },
    async* scan(tenant, selection, { signal, rowsMax = limits.state.scanRowsMax }) {
      const { selected } = select(await readAll(tenant), reader, selection)
      for (let start = 0; start < selected.length; start += rowsMax) {
        signal.throwIfAborted()
        yield selected.slice(start, start + rowsMax).map(({ entry }) => entry)
        await othersFirst()
      }
      signal.throwIfAborted()
    },
  }
}

const byText: ListField = { kind: 'text' }

/** The entries of a selection in its order, with their sort keys. */
function select<Entry>(all: readonly Entry[], reader: EntryReader<Entry>, { where = [], text = '', order = [] }: ListSelection) {
  const { fields, read, getId, getTexts } = reader
  const kept = all.filter((entry) => {
    const isFound = text === '' || anyContainsText(getTexts(entry), text)
    return isFound && where.every((filter) => evaluateFilter(fields, filter, (field) => read(entry, field)))
  })
  const toPlace = (entry: Entry): ListPlace =>
    [...order.map(({ field }) => toComparable(fields[field] ?? byText, read(entry, field))), getId(entry)]
  const compare = createOrder(order)
  const selected = kept.map((entry) => ({ entry, place: toPlace(entry) })).sort((a, b) => compare(a.place, b.place))
  return { compare, selected }
}

/** Compares positions: each sort key in its direction, and the id in that of the last key. */
function createOrder(order: readonly SortKey[]): (a: ListPlace, b: ListPlace) => number {
  const signs = [...order, order.at(-1) ?? { direction: 'desc' }].map(({ direction }) => (direction === 'asc' ? 1 : -1))
  return (a, b) => {
    for (const [index, sign] of signs.entries()) {
      const difference = compareValues(byText, a[index] ?? '', b[index] ?? '')
      if (difference !== 0) return difference * sign
    }
    return 0
  }
}
