import type { Kysely } from 'kysely'
import type { Alert } from '../../model/alert.ts'
import type { ListTotal } from '../../model/lists/filter.ts'
import type { AlertPage, AlertQuery } from '../ports/alert-store.ts'
import { collectFilters } from '../ports/list-query.ts'
import { buildColumnKeyset, applyKeyset, splitPage } from './query/keyset.ts'
import { countBounded, countedRowsMax, buildListConditions } from './query/list-filter.ts'
import { alertColumns, alertTextColumns, isCounted } from './rows/alert-columns.ts'
import { parseAlertRow } from './rows/alert-row.ts'
import type { Tables } from './rows/tables.ts'

/** Lists a page of alerts by keyset pagination, which costs the same for every page, or by page number. */
export async function selectAlerts(db: Kysely<Tables>, tenant: string, query: AlertQuery): Promise<AlertPage> {
  const keys = buildColumnKeyset(alertColumns, query.sort, 'id')
  let selecting = db.selectFrom('alerts').selectAll().where('tenantId', '=', tenant)
  for (const condition of buildListConditions(alertColumns, alertTextColumns, query)) selecting = selecting.where(condition)
  const rows = await applyKeyset(selecting, keys, query).limit(query.limit + 1).execute()
  const { shown, last } = splitPage(rows, query.limit)
  // A first page that holds everything needs no count, which would scan the alerts again.
  const isAll = query.after === undefined && (query.skip ?? 0) === 0 && last === undefined
  const values = new Map(Object.entries(last ?? {}))
  return {
    alerts: shown.map((row): Alert => parseAlertRow(row)),
    next: last && keys.map(({ name }) => values.get(name) ?? ''),
    total: isAll ? { count: shown.length, isExact: true } : await totalOf(db, tenant, query),
  }
}

/** Reads the maintained counts where the filter allows it; otherwise counts up to a bound. */
async function totalOf(db: Kysely<Tables>, tenant: string, query: AlertQuery): Promise<ListTotal> {
  const conditions = buildListConditions(alertColumns, alertTextColumns, query)
  if (collectFilters(query).every(isCounted) && (query.text ?? '') === '') {
    let counting = db.selectFrom('alertCounts').where('tenantId', '=', tenant)
    for (const condition of conditions) counting = counting.where(condition)
    const row = await counting.select((eb) => eb.fn.sum<number | null>('count').as('total')).executeTakeFirst()
    return { count: row?.total ?? 0, isExact: true }
  }
  let found = db.selectFrom('alerts').select('id').where('tenantId', '=', tenant)
  for (const condition of conditions) found = found.where(condition)
  return await countBounded(db, found.limit(countedRowsMax))
}
