import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'
import type { Alert } from '../domain/alert.ts'
import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'
import { alertCondition, checkSought, isCounted, sortColumn } from './alert-filter.ts'
import { alertOfRow } from './alert-row.ts'
import type { AlertPage, AlertPlace, AlertQuery } from './alert-store.ts'
import { containsText } from './dialect.ts'
import type { AlertRow, Tables } from './tables.ts'

/** A key that a list is sorted by, the id among them. */
type Key = { readonly column: keyof AlertRow; readonly direction: 'asc' | 'desc' }

/** Lists a page of alerts by the values of their sort keys, never by counting rows off: any page costs the same. */
export async function listAlerts(db: Kysely<Tables>, tenant: string, query: AlertQuery): Promise<AlertPage> {
  const keys = keysOf(query)
  let selecting = db.selectFrom('alerts').selectAll().where('tenantId', '=', tenant)
  for (const condition of conditionsOf(query)) selecting = selecting.where(condition)
  if (query.after !== undefined) selecting = selecting.where(isAfter(keys, query.after))
  for (const { column, direction } of keys) selecting = selecting.orderBy(column, direction)
  const rows = await selecting.limit(query.limit + 1).execute()
  const shown = rows.slice(0, query.limit)
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  return {
    alerts: shown.map((row): Alert => alertOfRow(row)),
    next: last && keys.map(({ column }) => last[column]),
    total: await totalOf(db, tenant, query),
  }
}

function keysOf({ sort }: AlertQuery): Key[] {
  const { sortKeysMax } = limits.state
  if (sort.length > sortKeysMax) throw new AppError('INVALID_PARAMETER', `a list is sorted by at most ${sortKeysMax} fields`)
  const keys = sort.map(({ field, direction }) => ({ column: sortColumn(field), direction }))
  return [...keys, { column: 'id', direction: keys.at(-1)?.direction ?? 'desc' }]
}

function conditionsOf({ filter, text }: AlertQuery): Expression<SqlBool>[] {
  const conditions = filter === undefined ? [] : [alertCondition(filter)]
  if (text === undefined || text === '') return conditions
  checkSought(text)
  const columns = ['ruleTitle', 'host', 'userName', 'commandLine', 'id'] as const
  const held = columns.map((column) => containsText(sql.ref(column), text))
  return [...conditions, sql<SqlBool>`(${sql.join(held, sql` or `)})`]
}

/** Keys of one direction are compared as a tuple, which an index answers; of two, key by key. */
function isAfter(keys: readonly Key[], place: AlertPlace): Expression<SqlBool> {
  if (place.length !== keys.length) throw new AppError('INVALID_PARAMETER', 'the place of a page is not one of this order')
  const [first] = keys
  if (keys.every(({ direction }) => direction === first?.direction)) {
    const columns = sql.join(keys.map(({ column }) => sql.ref(column)))
    return sql<SqlBool>`(${columns}) ${beyond(first?.direction)} (${sql.join(place)})`
  }
  const steps = keys.map(({ column, direction }, index) => {
    const equal = keys.slice(0, index).map(({ column }, i) => sql<SqlBool>`${sql.ref(column)} = ${place[i]}`)
    return sql<SqlBool>`(${sql.join([...equal, sql<SqlBool>`${sql.ref(column)} ${beyond(direction)} ${place[index]}`], sql` and `)})`
  })
  return sql<SqlBool>`(${sql.join(steps, sql` or `)})`
}

function beyond(direction: 'asc' | 'desc' | undefined): ReturnType<typeof sql> {
  return direction === 'asc' ? sql`>` : sql`<`
}

/** Where nothing but status and severity is asked, the counts know; else alerts are counted up to a bound. */
async function totalOf(db: Kysely<Tables>, tenant: string, query: AlertQuery): Promise<AlertPage['total']> {
  const conditions = conditionsOf(query)
  if (isCounted(query.filter) && (query.text ?? '') === '') {
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
