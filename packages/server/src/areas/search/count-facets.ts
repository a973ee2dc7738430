import { isJsonObject } from '@tripline/common/json'
import { isExactNumber } from '@tripline/common/lossless-json'
import { isHeaderField } from '@tripline/contract/header-fields'
import { limits } from '../../limits.ts'

type Scalar = string | number | boolean

/** The values of a field among some events. */
export type SearchFacet = {
  readonly field: string
  readonly eventCount: number
  readonly distinct: number
  /** The most frequent ones. */
  readonly values: readonly { readonly value: Scalar; readonly count: number }[]
}

type EventFields = { readonly [field: string]: unknown }
type Tally = { eventCount: number; readonly values: Map<Scalar, number> }

/**
 * Counts the values of fields over events, each value once an event; names of nested fields are joined by dots. Without `wanted`
 * it chooses the fields that divide the events best: those that most events have, with several values that repeat; those of the header
 * of records only where no other does.
 */
export function countFacets(events: readonly EventFields[], wanted: readonly string[] | undefined): SearchFacet[] {
  const tallies = new Map<string, Tally>()
  for (const event of events) {
    for (const [field, values] of listValues(event)) addValues(tallies, field, values)
  }
  if (wanted !== undefined) return wanted.map((field) => printFacet(field, tallies.get(field) ?? { eventCount: 0, values: new Map() }))
  const dividing = [...tallies].filter(([, tally]) => repeats(tally))
  const telling = dividing.filter(([field]) => !isHeaderField(field))
  return (telling.length > 0 ? telling : dividing)
    .sort(([one, a], [other, b]) => b.eventCount - a.eventCount || a.values.size - b.values.size || (one < other ? -1 : 1))
    .slice(0, limits.lists.facetFieldsDefault)
    .map(([field, tally]) => printFacet(field, tally))
}

/** The values of an event by field. Nesting is walked without recursion, for an event may be nested as deep as its bytes allow. */
function listValues(event: EventFields): Map<string, Set<Scalar>> {
  const found = new Map<string, Set<Scalar>>()
  const waiting: (readonly [field: string, value: unknown])[] = Object.entries(event)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [field, value] = next
    if (Array.isArray(value)) for (const item of value) waiting.push([field, item])
    // Numbers beyond a double are ids, of which no two are alike.
    else if (isExactNumber(value)) continue
    else if (isJsonObject(value)) waiting.push(...nameMembers(field, value))
    else if (isScalar(value)) found.set(field, (found.get(field) ?? new Set()).add(value))
  }
  return found
}

/** The members of a nested object; one whose name would be longer than a query takes is left out. */
function nameMembers(field: string, value: { readonly [name: string]: unknown }): (readonly [string, unknown])[] {
  return Object.entries(value)
    .map(([name, member]) => [`${field}.${name}`, member] as const)
    .filter(([name]) => name.length <= limits.lists.fieldNameLengthMax)
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function addValues(tallies: Map<string, Tally>, field: string, values: ReadonlySet<Scalar>): void {
  const tally = tallies.get(field) ?? { eventCount: 0, values: new Map<Scalar, number>() }
  tallies.set(field, tally)
  tally.eventCount++
  for (const value of values) tally.values.set(value, (tally.values.get(value) ?? 0) + 1)
}

/** Whether values say something about more than one event: times and ids do not. Of a few events one that repeats is enough. */
function repeats({ eventCount, values }: Tally): boolean {
  const distinctMax = Math.max(eventCount / 2, Math.min(limits.lists.facetValuesMax, eventCount - 1))
  return values.size > 1 && values.size <= distinctMax && [...values.keys()].some(isShown)
}

/** Whether a value is no longer than a filter takes. */
function isShown(value: Scalar): boolean {
  return String(value).length <= limits.lists.facetValueLengthMax
}

function printFacet(field: string, { eventCount, values }: Tally): SearchFacet {
  const { facetValuesMax } = limits.lists
  const frequent = [...values]
    .filter(([value]) => isShown(value))
    .sort(([one, a], [other, b]) => b - a || (String(one) < String(other) ? -1 : 1))
    .slice(0, facetValuesMax)
    .map(([value, count]) => ({ value, count }))
  return { field, eventCount, distinct: values.size, values: frequent }
}
