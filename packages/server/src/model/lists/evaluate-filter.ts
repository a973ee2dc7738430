import { levelRank } from '../level.ts'
import type { Comparison, Filter, FilterOperator, FilterValue } from './filter.ts'
import type { FieldKind, ListFields } from './list-fields.ts'

/** The value of a field: absent texts and lists are empty, flags are 0 or 1, levels are names. */
export type FilteredValue = string | number | readonly string[]

/** Reads a field of an entry. */
type FieldReader = (field: string) => FilteredValue

/**
 * Evaluates a filter on an in-memory entry, with the semantics of the SQL condition that stores build from it. `parseFilter`
 * bounds its depth.
 */
export function evaluateFilter(fields: ListFields, filter: Filter, read: FieldReader): boolean {
  if ('and' in filter) return filter.and.every((part) => evaluateFilter(fields, part, read))
  if ('or' in filter) return filter.or.some((part) => evaluateFilter(fields, part, read))
  if ('not' in filter) return !evaluateFilter(fields, filter.not, read)
  return evaluateComparison(fields[filter.field]?.kind ?? 'text', filter, read(filter.field))
}

/** Compares field values: levels by rank, texts by code units. */
export function compareValues(kind: FieldKind, a: FilteredValue, b: FilteredValue): number {
  const [left, right] = [comparable(kind, a), comparable(kind, b)]
  return left < right ? -1 : Number(left > right)
}

/** Whether one of several texts contains a text, ignoring ASCII case. */
export function anyContainsText(texts: readonly string[], text: string): boolean {
  const sought = foldCase(text)
  return texts.some((held) => foldCase(held).includes(sought))
}

function evaluateComparison(kind: FieldKind, { operator, value }: Comparison, held: FilteredValue): boolean {
  const wanted: readonly FilterValue[] = Array.isArray(value) ? value : [value]
  switch (operator) {
    case 'exists':
      return (typeof held === 'number' || held.length > 0) === value
    case 'eq':
    case 'in':
      return wanted.some((one) => isEqual(kind, held, one))
    case 'ne':
    case 'nin':
      return !wanted.some((one) => isEqual(kind, held, one))
    case 'prefix':
      return foldCase(String(held)).startsWith(foldCase(String(value)))
    case 'contains':
      return foldCase(String(held)).includes(foldCase(String(value)))
    case 'cidr':
      throw new Error('no list in memory has a field of addresses')
    default:
      return isInOrder(kind, operator, held, wanted)
  }
}

function isInOrder(
  kind: FieldKind,
  operator: Extract<FilterOperator, 'gt' | 'gte' | 'lt' | 'lte' | 'between'>,
  held: FilteredValue,
  [first = 0, second = 0]: readonly FilterValue[],
): boolean {
  const difference = compareValues(kind, held, toComparableValue(first))
  switch (operator) {
    case 'gt':
      return difference > 0
    case 'gte':
      return difference >= 0
    case 'lt':
      return difference < 0
    case 'lte':
      return difference <= 0
    case 'between':
      return difference >= 0 && compareValues(kind, held, toComparableValue(second)) <= 0
  }
}

function isEqual(kind: FieldKind, held: FilteredValue, wanted: FilterValue): boolean {
  if (typeof held === 'string' || typeof held === 'number') return held === wanted
  // A technique includes its sub-techniques.
  return held.some((one) => one === wanted || (kind === 'technique' && one.startsWith(`${String(wanted)}.`)))
}

function comparable(kind: FieldKind, value: FilteredValue): string | number {
  if (kind === 'level') return rankOf.get(value) ?? 0
  return typeof value === 'string' || typeof value === 'number' ? value : value.join()
}

const rankOf = new Map<FilteredValue, number>(Object.entries(levelRank))

function toComparableValue(value: FilterValue): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

/** Lower-cases ASCII letters only, as the stores do. */
function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
