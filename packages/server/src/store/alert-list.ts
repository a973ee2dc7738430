import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'
import type { Alert } from '../domain/alert.ts'
import type { Filter, ListTotal } from '../domain/filter.ts'
import { limits } from '../limits.ts'
import { alertColumns, alertTextColumns, isCounted } from './alert-columns.ts'
import { alertOfRow } from './alert-row.ts'
import type { AlertPage, AlertQuery } from './alert-store.ts'
import { filterCondition, textCondition } from './filter-condition.ts'
import { comesAfter, listKeys } from './list-keys.ts'
import type { Tables } from './tables.ts'

/** Lists a page of alerts, begun by the values of its sort keys, which costs the same for any page, or by number. */
export async function listAlerts(db: Kysely<Tables>, tenant: string, query: AlertQuery): Promise<AlertPage> {
  const keys = listKeys(alertColumns, query.sort, 'id')
  let selecting = db.selectFrom('alerts').selectAll().where('tenantId', '=', tenant)
  for (const condition of conditionsOf(query)) selecting = selecting.where(condition)
  if (query.after !== undefined) selecting = selecting.where(comesAfter(keys, query.after))
  for (const { column, direction } of keys) selecting = selecting.orderBy(sql.ref(column), direction)
  if (query.skip !== undefined && query.skip > 0) selecting = selecting.offset(query.skip)
  const rows = await selecting.limit(query.limit + 1).execute()
  const shown = rows.slice(0, query.limit)
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  // Where the first page is all there is, nothing has to be counted: that would search all alerts once more.
  const isAll = query.after === undefined && (query.skip ?? 0) === 0 && last === undefined
  const values = new Map(Object.entries(last ?? {}))
  return {
    alerts: shown.map((row): Alert => alertOfRow(row)),
    next: last && keys.map(({ column }) => values.get(column) ?? ''),
    total: isAll ? { count: shown.length, isExact: true } : await totalOf(db, tenant, query),
  }
}

function filtersOf({ filter, narrowing = [] }: AlertQuery): readonly Filter[] {
  return filter === undefined ? narrowing : [...narrowing, filter]
}

function conditionsOf(query: AlertQuery): Expression<SqlBool>[] {
  const conditions = filtersOf(query).map((filter) => filterCondition(alertColumns, filter))
  if (query.text === undefined || query.text === '') return conditions
  return [...conditions, textCondition(alertTextColumns, query.text)]
}

/** Where nothing but status and severity is asked, the counts know; else alerts are counted up to a bound. */
async function totalOf(db: Kysely<Tables>, tenant: string, query: AlertQuery): Promise<ListTotal> {
  const conditions = conditionsOf(query)
  if (filtersOf(query).every(isCounted) && (query.text ?? '') === '') {
    let counting = db.selectFrom('alertCounts').where('tenantId', '=', tenant)
    for (const condition of conditions) counting = counting.where(condition)
    const row = await counting.select((eb) => eb.fn.sum<number | null>('count').as('total')).executeTakeFirst()
    return { count: row?.total ?? 0, isExact: true }
  }
  const { countedMax } = limits.state
  let found = db.selectFrom('alerts').select('id').where('tenantId', '=', tenant)
  for (const condition of conditions) found = found.where(condition)
  const bounded = found.limit(countedMax + 1).as('found')
  const { total } = await db.selectFrom(bounded).select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return total > countedMax ? { count: countedMax, isExact: false } : { count: total, isExact: true }
}
