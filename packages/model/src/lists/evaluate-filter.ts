import { isInNetworks } from '@tripline/common/network'
import type { Comparison, Filter, FilterOperator, FilterValue } from './filter.ts'
import type { ListField, ListFields } from './list-fields.ts'

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
  return evaluateComparison(fields[filter.field] ?? { kind: 'text' }, filter, read(filter.field))
}

/** Compares field values: by rank where there are ranks, texts by their bytes. */
export function compareValues(field: ListField, a: FilteredValue, b: FilteredValue): number {
  const [left, right] = [toComparable(field, a), toComparable(field, b)]
  if (typeof left === 'string' && typeof right === 'string') return compareBytes(left, right)
  return left < right ? -1 : Number(left > right)
}

/** What a field value is sorted by. */
export function toComparable({ ranks }: ListField, value: FilteredValue): string | number {
  if (ranks !== undefined && typeof value === 'string') return ranks[value] ?? 0
  return typeof value === 'string' || typeof value === 'number' ? value : value.join()
}

/** Compares texts as databases do: by the bytes of UTF-8, which is by code points. */
function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = toCodePointOrder(a.charCodeAt(index)) - toCodePointOrder(b.charCodeAt(index))
    if (difference !== 0) return Math.sign(difference)
  }
  return Math.sign(a.length - b.length)
}

/** Puts surrogates, the halves of code points above all others, behind the units that code points are written as whole. */
function toCodePointOrder(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}

/** Whether one of several texts contains a text, ignoring ASCII case. */
export function anyContainsText(texts: readonly string[], text: string): boolean {
  const sought = foldCase(text)
  return texts.some((held) => foldCase(held).includes(sought))
}

function evaluateComparison(field: ListField, { operator, value }: Comparison, held: FilteredValue): boolean {
  const wanted: readonly FilterValue[] = Array.isArray(value) ? value : [value]
  switch (operator) {
    case 'exists':
      return (typeof held === 'number' || held.length > 0) === value
    case 'eq':
    case 'in':
      return wanted.some((one) => isEqual(field, held, one))
    case 'ne':
    case 'nin':
      return !wanted.some((one) => isEqual(field, held, one))
    case 'prefix':
      return foldCase(String(held)).startsWith(foldCase(String(value)))
    case 'contains':
      return foldCase(String(held)).includes(foldCase(String(value)))
    case 'cidr':
      return isInNetworks([String(value)], String(held))
    default:
      return isInOrder(field, operator, held, wanted)
  }
}

function isInOrder(
  field: ListField,
  operator: Extract<FilterOperator, 'gt' | 'gte' | 'lt' | 'lte' | 'between'>,
  held: FilteredValue,
  [first = 0, second = 0]: readonly FilterValue[],
): boolean {
  const difference = compareValues(field, held, toComparableValue(first))
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
      return difference >= 0 && compareValues(field, held, toComparableValue(second)) <= 0
  }
}

function isEqual({ kind }: ListField, held: FilteredValue, wanted: FilterValue): boolean {
  if (typeof held === 'string' || typeof held === 'number') return held === wanted
  // A technique includes its sub-techniques.
  return held.some((one) => one === wanted || (kind === 'technique' && one.startsWith(`${String(wanted)}.`)))
}

function toComparableValue(value: FilterValue): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

/** Lower-cases ASCII letters only, as the stores do. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
