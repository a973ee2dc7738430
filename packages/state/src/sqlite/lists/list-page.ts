import type { ListPlace, ListTotal, SortKey } from '@tripline/model/lists/filter'
import { sql } from 'kysely'
import type { Expression, Kysely, RawBuilder, SqlBool } from 'kysely'
import { limits } from '../../limits.ts'
import type { EntryPage, ListQuery, ListSelection } from '../../ports/list-query.ts'
import { StoreError } from '../../ports/store-error.ts'
import type { Tables } from '../rows/tables.ts'
import { buildFilterCondition, buildTextCondition, findSortColumn, toNamedColumn } from './filter-condition.ts'
import type { ListColumns, NamedColumn } from './filter-condition.ts'
import { splitSelection } from './split-selection.ts'
import type { MergedFields } from './split-selection.ts'
import { findByText } from './text-index.ts'
import type { TextIndex } from './text-index.ts'

/** A list in the database: its table, the columns of its fields, and what its rows are. */
export type SqlList<Row extends object, Entry> = ListColumns & {
  readonly from: RawBuilder<unknown>
  /** The selected columns, with the id and all that the list is sorted by under their names. */
  readonly select: RawBuilder<unknown>
  readonly tenant: string
  readonly id: string
  /** The columns that a text is searched in. */
  readonly texts: readonly string[]
  readonly textIndex?: TextIndex
  readonly merged?: MergedFields
  readonly parse: (row: Row) => Entry
  /** Counts a selection faster than by its rows, where that is possible. */
  readonly count?: (db: Kysely<Tables>, tenant: string, selection: ListSelection) => Promise<ListTotal> | undefined
}

/**
 * Reads a page of a list by keyset pagination, which costs the same for every page if an index has the order, or by skipping
 * entries; and its total, counted up to a bound.
 *
 * @throws StoreError for fields, values and sizes that the list does not support.
 */
export async function readPage<Row extends object, Entry>(
  db: Kysely<Tables>, list: SqlList<Row, Entry>, tenant: string, query: ListQuery,
): Promise<EntryPage<Entry>> {
  const { after, skip = 0, limit } = query
  const keys = buildKeyset(list, query.order)
  const all = buildConditions(list, tenant, query)
  const byText = list.textIndex && await findByText(db, list.textIndex, query, all)
  const further = after === undefined ? [] : [buildAfterCondition(keys, after)]
  const from = byText?.from ?? list.from
  // A selection from few rows is not worth splitting.
  const parts = (byText?.from === undefined ? splitSelection(list.merged, query) : [query]).map((part) => {
    return sql`select ${list.select} from ${from} where ${sql.join([...buildConditions(list, tenant, part), ...further], sql` and `)}`
  })
  const order = sql.join(keys.map(({ expression, direction }) => sql`${expression} ${sql.raw(direction)}`))
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)} order by ${order} limit ${limit + 1} offset ${skip}`.execute(db)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  // A first page that holds everything needs no count, which would read the rows again.
  const isAll = after === undefined && skip === 0 && last === undefined
  const countRows = async () => {
    // What the index found is the total, unless it stopped at the bound among rows that it cannot exclude.
    if (byText !== undefined && (byText.from !== undefined || byText.found > limits.state.countedMax)) return toTotal(byText.found)
    return await (list.count?.(db, tenant, query) ?? countBounded(db, list, all))
  }
  return {
    entries: shown.map((row) => list.parse(row)),
    next: last && getPlace(keys, last),
    total: isAll ? toTotal(shown.length) : await countRows(),
  }
}

/** Selects all rows of a selection in its order; the keys are sorted by under their names. */
export function selectAllRows<Row extends object, Entry>(
  db: Kysely<Tables>, list: SqlList<Row, Entry>, { tenant, ...selection }: ListSelection & { readonly tenant: string },
) {
  const { select, from } = list
  const rows = sql<object>`(select ${select} from ${from} where ${sql.join(buildConditions(list, tenant, selection), sql` and `)})`
  let selecting = db.selectFrom(rows.as('listed')).selectAll()
  for (const { name, direction } of buildKeyset(list, selection.order)) selecting = selecting.orderBy(sql.ref(name), direction)
  return selecting.$castTo<Row>()
}

/** Builds the conditions of the filters and of the text of a selection. */
export function buildSelectionConditions(
  list: ListColumns & { readonly texts: readonly string[] }, { where = [], text = '' }: ListSelection,
): readonly Expression<SqlBool>[] {
  const conditions = where.map((filter) => buildFilterCondition(list, filter))
  return text === '' ? conditions : [...conditions, buildTextCondition(list.texts, text)]
}

function buildConditions<Row extends object, Entry>(
  list: SqlList<Row, Entry>, tenant: string, selection: ListSelection,
): readonly Expression<SqlBool>[] {
  return [sql<SqlBool>`${sql.ref(list.tenant)} = ${tenant}`, ...buildSelectionConditions(list, selection)]
}

/** Counts rows up to the bound of totals. */
async function countBounded<Row extends object, Entry>(
  db: Kysely<Tables>, { from }: SqlList<Row, Entry>, conditions: readonly Expression<SqlBool>[],
): Promise<ListTotal> {
  const rows = sql`select 1 from ${from} where ${sql.join(conditions, sql` and `)} limit ${limits.state.countedMax + 1}`
  const counting = sql<{ readonly count: number }>`select count(*) as count from (${rows}) as found`
  return toTotal((await counting.execute(db)).rows[0]?.count ?? 0)
}

function toTotal(count: number): ListTotal {
  const { countedMax } = limits.state
  return { count: Math.min(count, countedMax), isExact: count <= countedMax }
}

/** A sort key: its name in a selected row, its SQL and its direction. */
type ListKey = NamedColumn & { readonly direction: SortKey['direction'] }

/**
 * Builds the keyset of an order; the id comes last, in the direction of the key before it, or newest first.
 *
 * @throws StoreError for a field that the list is not sorted by, and for more than a list is sorted by.
 */
function buildKeyset<Row extends object, Entry>(list: SqlList<Row, Entry>, order: readonly SortKey[] = []): readonly ListKey[] {
  const { sortKeysMax } = limits.state
  if (order.length > sortKeysMax) throw new StoreError('INVALID_QUERY', `at most ${sortKeysMax} sort fields are allowed`)
  const stated = order.map(({ field, direction }) => ({ ...findSortColumn(list, field), direction }))
  return [...stated, { ...toNamedColumn(list.id), direction: order.at(-1)?.direction ?? 'desc' }]
}

/** The values of the keys of a row. */
function getPlace(keys: readonly ListKey[], row: object): ListPlace {
  const values = new Map<string, unknown>(Object.entries(row))
  return keys.map(({ name }) => {
    const value = values.get(name)
    if (typeof value === 'string' || typeof value === 'number') return value
    throw new Error(`the sort key '${name}' is a ${typeof value}; it must be a text or a number`)
  })
}

/**
 * Builds the condition for entries after a position: keys of one direction are compared as a tuple, which an index
 * supports; mixed directions key by key.
 */
function buildAfterCondition(keys: readonly ListKey[], place: ListPlace): Expression<SqlBool> {
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
