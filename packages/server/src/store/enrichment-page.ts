import { sql } from 'kysely'
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { EnrichmentPage, EnrichmentQuery } from './enrichment-list.ts'
import { buildFilterCondition } from './filter-condition.ts'
import type { ListColumns } from './filter-condition.ts'
import { buildAfterCondition, buildKeyset, splitPage } from './keyset.ts'
import type { NamedKey } from './keyset.ts'
import { countBounded, countedRowsMax } from './list-filter.ts'
import type { Tables } from './tables.ts'

/** Where the entries of a list are, and what names of its fields stand for. */
export type ListSource<Field extends string> = {
  readonly from: RawBuilder<unknown>
  /** What is read of each, with the values of all sort keys by their names. */
  readonly columns: RawBuilder<unknown>
  readonly conditions: readonly Expression<SqlBool>[]
  /** What filters are about. */
  readonly list: ListColumns
  /** The name of a sort key in a row that was read, and what stands for it in SQL. */
  readonly key: (field: Field | 'id') => NamedKey
}

/** Reads a page of a list and how long all of it is, counted up to a bound. */
export async function readPage<Row extends { readonly [name: string]: unknown }, Field extends string>(
  db: Kysely<Tables>,
  { from, columns, conditions, list, key }: ListSource<Field>,
  { filters = [], sort, limit, after, skip = 0 }: EnrichmentQuery<unknown, Field>,
): Promise<EnrichmentPage<Row>> {
  const keys = buildKeyset(sort.map(({ field, direction }) => ({ ...key(field), direction })), key('id'))
  const all = sql.join([...conditions, ...filters.map((filter) => buildFilterCondition(list, filter))], sql` and `)
  const shownFrom = after === undefined ? all : sql`${all} and ${buildAfterCondition(keys, after)}`
  const order = sql.join(keys.map(({ expression, direction }) => sql`${expression} ${sql.raw(direction)}`))
  const reading = sql<Row>`select ${columns} from ${from} where ${shownFrom} order by ${order} limit ${limit + 1} offset ${skip}`
  const { rows } = await reading.execute(db)
  const { shown, last } = splitPage(rows, limit)
  return {
    entries: shown,
    next: last && keys.map(({ name }) => toKeyValue(last[name])),
    total: await countBounded(db, sql`(select 1 from ${from} where ${all} limit ${countedRowsMax})`),
  }
}

function toKeyValue(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  throw new Error(`a ${typeof value} is no value of a sort key`)
}
