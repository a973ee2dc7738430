import type { Comparison, Filter, FilterOperator, FilterValue } from './filter.ts'
import { levelRank } from './level.ts'
import type { FieldKind, ListFields } from './list-fields.ts'

/** What an entry has in a field: texts and lists are empty where it has nothing, flags are 0 or 1, levels are names. */
export type FieldValue = string | number | readonly string[]

/** Reads a field of an entry. */
export type FieldReader = (field: string) => FieldValue

/**
 * Whether a filter holds of an entry that is in memory: as the condition of SQL would that a store makes of it. It was
 * read by `parseFilter`, which bounds its depth.
 */
export function evaluateFilter(fields: ListFields, filter: Filter, read: FieldReader): boolean {
  if ('and' in filter) return filter.and.every((part) => evaluateFilter(fields, part, read))
  if ('or' in filter) return filter.or.some((part) => evaluateFilter(fields, part, read))
  if ('not' in filter) return !evaluateFilter(fields, filter.not, read)
  return evaluateComparison(fields[filter.field]?.kind ?? 'text', filter, read(filter.field))
}

/** The values of fields in their order: those of levels by how bad they are, texts by their code units. */
export function compareValues(kind: FieldKind, a: FieldValue, b: FieldValue): number {
  const [left, right] = [comparable(kind, a), comparable(kind, b)]
  return left < right ? -1 : Number(left > right)
}

/** Whether a text is in one of several, whatever the case of a to z. */
export function anyContainsText(texts: readonly string[], text: string): boolean {
  const sought = foldCase(text)
  return texts.some((held) => foldCase(held).includes(sought))
}

function evaluateComparison(kind: FieldKind, { operator, value }: Comparison, held: FieldValue): boolean {
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
  held: FieldValue,
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

function isEqual(kind: FieldKind, held: FieldValue, wanted: FilterValue): boolean {
  if (typeof held === 'string' || typeof held === 'number') return held === wanted
  // A technique also means its sub-techniques (section 1.1).
  return held.some((one) => one === wanted || (kind === 'technique' && one.startsWith(`${String(wanted)}.`)))
}

function comparable(kind: FieldKind, value: FieldValue): string | number {
  if (kind === 'level') return rankOf.get(value) ?? 0
  return typeof value === 'string' || typeof value === 'number' ? value : value.join()
}

const rankOf = new Map<FieldValue, number>(Object.entries(levelRank))

function toComparableValue(value: FilterValue): string | number {
  return typeof value === 'boolean' ? Number(value) : value
}

/** As the stores do it: a to z alone. */
function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
