import { sql } from 'kysely'
import type { Expression, SqlBool } from 'kysely'
import { AppError } from '../domain/app-error.ts'
import type { ListPlace, SortKey } from '../domain/filter.ts'
import { limits } from '../limits.ts'
import { sortColumn } from './filter-condition.ts'
import type { ListColumns } from './filter-condition.ts'

/** A column that a list is sorted by, the id among them. */
export type ListKey = { readonly column: string; readonly direction: 'asc' | 'desc' }

/**
 * The columns of an order; the id comes last, in the direction of the one before it, or newest first.
 *
 * @throws AppError for more keys than a list is sorted by, or a field that it is not sorted by.
 */
export function listKeys(list: ListColumns, sort: readonly SortKey[], idColumn: string): readonly ListKey[] {
  const { sortKeysMax } = limits.state
  if (sort.length > sortKeysMax) throw new AppError('INVALID_PARAMETER', `a list is sorted by at most ${sortKeysMax} fields`)
  const keys = sort.map(({ field, direction }) => ({ column: sortColumn(list, field), direction }))
  return [...keys, { column: idColumn, direction: keys.at(-1)?.direction ?? 'desc' }]
}

/** What comes after a place: keys of one direction are compared as a tuple, which an index answers; of two, key by key. */
export function comesAfter(keys: readonly ListKey[], place: ListPlace): Expression<SqlBool> {
  if (place.length !== keys.length) throw new AppError('INVALID_PARAMETER', 'the place of a page is not one of this order')
  const [first] = keys
  if (keys.every(({ direction }) => direction === first?.direction)) {
    const columns = sql.join(keys.map(({ column }) => sql.ref(column)))
    return sql<SqlBool>`(${columns}) ${beyond(first?.direction)} (${sql.join(place)})`
  }
  const steps = keys.map(({ column, direction }, index) => {
    const equal = keys.slice(0, index).map(({ column }, i) => sql<SqlBool>`${sql.ref(column)} = ${place[i]}`)
    const further = sql<SqlBool>`${sql.ref(column)} ${beyond(direction)} ${place[index]}`
    return sql<SqlBool>`(${sql.join([...equal, further], sql` and `)})`
  })
  return sql<SqlBool>`(${sql.join(steps, sql` or `)})`
}

function beyond(direction: 'asc' | 'desc' | undefined): ReturnType<typeof sql> {
  return direction === 'asc' ? sql`>` : sql`<`
}
