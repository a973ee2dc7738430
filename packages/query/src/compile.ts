import { Batch, FieldTable, compilePredicate, normalizeEvent } from '@tripline/engine/predicate'
import type { EventObject, Predicate } from '@tripline/engine/predicate'
import type { Query } from './ast.ts'
import { lowerQuery } from './lower.ts'
import type { LowerOptions } from './lower.ts'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'

export type QueryOptions = LowerOptions & {
  /** Whether to recognize the format of events and rename their fields, as the engine does; `auto` by default. */
  readonly taxonomy?: 'auto' | 'none'
}

/** A compiled query. */
export type CompiledQuery = {
  readonly query: Query
  /** The canonical text. */
  readonly text: string
  readonly predicate: Predicate
  /** Whether one event matches. */
  readonly matches: (event: EventObject) => boolean
  /** Finds the indexes of matching events, ascending; matches them as one batch, column by column. */
  readonly findRows: (events: readonly EventObject[]) => readonly number[]
}

/** Compiles a query to a matcher, as rules are compiled. Throws a `QueryError` for an invalid query. */
export function compileQuery(text: string, options: QueryOptions = {}): CompiledQuery {
  const query = parseQuery(text)
  const predicate = lowerQuery(query, options)
  const fields = new FieldTable()
  const matcher = compilePredicate(predicate, fields)
  const taxonomy = options.taxonomy ?? 'auto'
  const findRows = (events: readonly EventObject[]): readonly number[] => {
    const rows = Uint32Array.from(events.keys())
    const count = matcher(new Batch(events.map((event) => normalizeEvent(event, taxonomy)), fields), rows, rows.length, rows)
    return [...rows.subarray(0, count)]
  }
  return { query, text: printQuery(query), predicate, matches: (event) => findRows([event]).length === 1, findRows }
}
