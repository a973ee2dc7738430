import type { EventObject } from '@tripline/engine'
import { Batch, FieldTable, compilePredicate, normalizeEvent } from '@tripline/engine/predicate'
import type { Predicate } from '@tripline/engine/predicate'

/** The column that numbers the rows, beside those of fields. */
export const rowColumn = 'row number'

/** Events as databases keep them: a row each, a text for each field that it has, null for the others. */
export type EventTable = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Queries of one table. */
export type Search = { readonly table: EventTable; readonly queries: readonly string[] }

/** What a query found, in order; or why it could not run. */
export type QueryResult = { readonly found: readonly number[] } | { readonly error: string }

/** Keeps the fields of events that predicates read, as texts: only fields with one value, which is what columns hold. */
export function toEventTable(events: readonly EventObject[], predicates: readonly Predicate[]): EventTable {
  const columns = [...new Set(predicates.flatMap(listFields))].sort()
  return { columns, rows: events.map((event) => columns.map((name) => toText(event[name]))) }
}

/**
 * The same for databases that ignore the case of column names. No event may have two fields that differ in nothing else:
 * their values would share a column.
 */
export function mergeColumns({ columns, rows }: EventTable): EventTable {
  const merged = Map.groupBy(columns.keys(), (at) => columns[at]!.toLowerCase())
  return {
    columns: Array.from(merged.values(), ([first]) => columns[first!]!),
    rows: rows.map((row) => Array.from(merged.values(), (at) => at.map((one) => row[one]).find((value) => value !== null) ?? null)),
  }
}

/** The rows that each predicate finds by its own closures. */
export function findRows(predicates: readonly Predicate[], events: readonly EventObject[]): number[][] {
  const fields = new FieldTable()
  const matchers = predicates.map((predicate) => compilePredicate(predicate, fields))
  const batch = new Batch(events.map((event) => normalizeEvent(event, 'none')), fields)
  return matchers.map((matcher) => {
    const rows = Uint32Array.from(events.keys())
    return [...rows.subarray(0, matcher(batch, rows, rows.length, rows))]
  })
}

/** Only what columns hold: fields at the top whose value is one text, number or boolean. */
export function flattenEvent(event: EventObject): EventObject {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value)))
}

/** The fields that a predicate reads, in its order, some of them again. */
export function listFields(predicate: Predicate): string[] {
  switch (predicate.kind) {
    case 'constant': return []
    case 'and':
    case 'or': return predicate.of.flatMap(listFields)
    case 'not':
    case 'group':
    case 'elements': return listFields(predicate.of)
    case 'test': return predicate.field === undefined ? [] : [predicate.field]
  }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}
