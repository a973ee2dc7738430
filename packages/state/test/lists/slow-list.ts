import { isInNetworks } from '@tripline/common/network'
import type { FilteredValue } from '@tripline/model/lists/evaluate-filter'
import type { Comparison, Filter, ListPlace } from '@tripline/model/lists/filter'
import type { ListField } from '@tripline/model/lists/list-fields'
import type { EntryPage, ListQuery, ListSelection } from '../../src/ports/list-query.ts'
import type { EntryReader } from '../../src/ports/memory-list.ts'

/** The page of a list as a reader of its description would find it: every entry is looked at, in every step. */
export function listSlowly<Entry>(all: readonly Entry[], reader: EntryReader<Entry>, query: ListQuery): EntryPage<Entry> {
  const { after, skip = 0, limit } = query
  const selected = selectSlowly(all, reader, query)
  const places = selected.map((entry) => placeOf(entry, reader, query))
  const rest = selected.filter((_, index) => after === undefined || comparePlaces(query, places[index]!, after) > 0).slice(skip)
  const last = rest.slice(0, limit).at(-1)
  return {
    entries: rest.slice(0, limit),
    next: rest.length > limit && last !== undefined ? placeOf(last, reader, query) : undefined,
    total: { count: selected.length, isExact: true },
  }
}

/** All entries of a selection, in its order. */
export function selectSlowly<Entry>(all: readonly Entry[], reader: EntryReader<Entry>, selection: ListSelection): readonly Entry[] {
  const { where = [], text = '' } = selection
  const isFound = (entry: Entry) => reader.getTexts(entry).some((held) => foldAscii(held).includes(foldAscii(text)))
  return all
    .filter((entry) => isFound(entry) && where.every((filter) => holds(filter, entry, reader)))
    .toSorted((a, b) => comparePlaces(selection, placeOf(a, reader, selection), placeOf(b, reader, selection)))
}

function placeOf<Entry>(entry: Entry, { fields, read, getId }: EntryReader<Entry>, { order = [] }: ListSelection): ListPlace {
  const keys = order.map(({ field }) => rankOf(fields[field], read(entry, field)))
  return [...keys, getId(entry)].map((value) => (typeof value === 'number' ? value : String(value)))
}

function comparePlaces({ order = [] }: ListSelection, a: ListPlace, b: ListPlace): number {
  const directions = [...order.map(({ direction }) => direction), order.at(-1)?.direction ?? 'desc']
  for (const [index, direction] of directions.entries()) {
    const difference = compare(a[index], b[index])
    if (difference !== 0) return direction === 'asc' ? difference : -difference
  }
  return 0
}

function holds<Entry>(filter: Filter, entry: Entry, reader: EntryReader<Entry>): boolean {
  if ('and' in filter) return filter.and.every((part) => holds(part, entry, reader))
  if ('or' in filter) return filter.or.some((part) => holds(part, entry, reader))
  if ('not' in filter) return !holds(filter.not, entry, reader)
  return compares(filter, reader.fields[filter.field], reader.read(entry, filter.field))
}

function compares({ operator, value }: Comparison, field: ListField | undefined, held: FilteredValue): boolean {
  const wanted = [value].flat()
  const isOne = wanted.some((one) => [held].flat().some((part) => part === one
    || (field?.kind === 'technique' && String(part).startsWith(`${String(one)}.`))))
  const [first, second] = wanted.map((one) => compare(rankOf(field, held), rankOf(field, one)))
  const [text, sought] = [foldAscii(String(held)), foldAscii(String(value))]
  switch (operator) {
    case 'eq': case 'in': return isOne
    case 'ne': case 'nin': return !isOne
    case 'gt': return first! > 0
    case 'gte': return first! >= 0
    case 'lt': return first! < 0
    case 'lte': return first! <= 0
    case 'between': return first! >= 0 && second! <= 0
    case 'exists': return (held !== '' && !(Array.isArray(held) && held.length === 0)) === value
    case 'prefix': return text.startsWith(sought)
    case 'contains': return text.includes(sought)
    case 'cidr': return isInNetworks([String(value)], String(held))
  }
}

function rankOf(field: ListField | undefined, value: unknown): unknown {
  return field?.ranks?.[String(value)] ?? value
}

/** Numbers by size, texts by bytes. */
function compare(a: unknown, b: unknown): number {
  return typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
}
