import { sql } from 'kysely'
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely'
import { limits } from '../../../limits.ts'
import type { ListPlace, SortKey } from '../../../model/lists/filter.ts'
import type { ListQuery } from '../../ports/list-query.ts'
import { StoreError } from '../../ports/store-error.ts'
import type { Tables } from '../rows/tables.ts'
import { findSortColumn } from './filter-condition.ts'
import type { ListColumns } from './filter-condition.ts'

/** A sort key: its name in a selected row, its SQL and its direction. */
type ListKey = NamedKey & { readonly direction: SortKey['direction'] }

/** A named column or expression. */
export type NamedKey = { readonly name: string; readonly expression: Expression<unknown> }

/**
 * Builds the keyset of an order; the id comes last, in the direction of the key before it, or newest first.
 *
 * @throws StoreError for more keys than a list is sorted by.
 */
export function buildKeyset(stated: readonly ListKey[], id: NamedKey): readonly ListKey[] {
  const { sortKeysMax } = limits.state
  if (stated.length > sortKeysMax) throw new StoreError('INVALID_QUERY', `at most ${sortKeysMax} sort fields are allowed`)
  return [...stated, { ...id, direction: stated.at(-1)?.direction ?? 'desc' }]
}

/**
 * Builds the keyset of an order of columns. @throws StoreError as `buildKeyset`, and for a field that the list is not
 * sorted by.
 */
export function buildColumnKeyset(list: ListColumns, sort: readonly SortKey[], idColumn: string): readonly ListKey[] {
  const keyOf = (column: string): NamedKey => ({ name: column, expression: sql.ref(column) })
  return buildKeyset(sort.map(({ field, direction }) => ({ ...keyOf(findSortColumn(list, field)), direction })), keyOf(idColumn))
}

/** Applies the order and the start of a page to a statement. */
export function applyKeyset<From extends keyof Tables, Row>(
  selecting: SelectQueryBuilder<Tables, From, Row>, keys: readonly ListKey[], { after, skip = 0 }: Pick<ListQuery, 'after' | 'skip'>,
): SelectQueryBuilder<Tables, From, Row> {
  let ordered = after === undefined ? selecting : selecting.where(buildAfterCondition(keys, after))
  for (const { expression, direction } of keys) ordered = ordered.orderBy(expression, direction)
  return skip > 0 ? ordered.offset(skip) : ordered
}

/** Splits off the extra row that was read; `last` is the last entry of the page if another page follows. */
export function splitPage<Row>(rows: readonly Row[], limit: number): { readonly shown: readonly Row[]; readonly last: Row | undefined } {
  const shown = rows.slice(0, limit)
  return { shown, last: rows.length > limit ? shown.at(-1) : undefined }
}

/**
 * Builds the condition for entries after a position: keys of one direction are compared as a tuple, which an index
 * supports; mixed directions key by key.
 */
export function buildAfterCondition(keys: readonly ListKey[], place: ListPlace): Expression<SqlBool> {
  if (place.length !== keys.length) throw new StoreError('INVALID_QUERY', 'the page position does not belong to this order')
  const [first] = keys
  if (keys.every(({ direction }) => direction === first?.direction)) {
    const tuple = sql.join(keys.map(({ expression }) => expression))
    return sql<SqlBool>`(${tuple}) ${beyond(first?.direction)} (${sql.join(place)})`
  }
  const steps = keys.map(({ expression, direction }, index) => {
    const equal = keys.slice(0, index).map((key, i) => sql<SqlBool>`${key.expression} = ${place[i]}`)
    const further = sql<SqlBool>`${expression} ${beyond(direction)} ${place[index]}`
    return sql<SqlBool>`(${sql.join([...equal, further], sql` and `)})`
  })
  return sql<SqlBool>`(${sql.join(steps, sql` or `)})`
}

function beyond(direction: SortKey['direction'] | undefined): ReturnType<typeof sql> {
  return direction === 'asc' ? sql`>` : sql`<`
}
