import { sql } from 'kysely'
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import type { EnrichmentPage, EnrichmentQuery } from '../../ports/enrichment-list.ts'
import type { Tables } from '../rows/tables.ts'
import { buildFilterCondition } from './filter-condition.ts'
import type { ListColumns } from './filter-condition.ts'
import { buildAfterCondition, buildKeyset, splitPage } from './keyset.ts'
import type { NamedKey } from './keyset.ts'
import { countBounded, countedRowsMax } from './list-filter.ts'

/** The table of a list, and the SQL of its fields. */
export type ListSource<Field extends string> = {
  readonly from: RawBuilder<unknown>
  /** The selected columns, including the values of all sort keys by name. */
  readonly columns: RawBuilder<unknown>
  readonly conditions: readonly Expression<SqlBool>[]
  /** The fields of filters. */
  readonly list: ListColumns
  /** The name of a sort key in a selected row, and its SQL expression. */
  readonly key: (field: Field | 'id') => NamedKey
}

/** Reads a page of a list and its total, counted up to a bound. */
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
  throw new Error(`a ${typeof value} is not a sort key value`)
}
