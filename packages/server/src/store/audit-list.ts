import { sql } from 'kysely'
import type { Expression, Kysely, SqlBool } from 'kysely'
import { auditFields } from '../domain/list-fields.ts'
import type { ListTotal } from '../domain/filter.ts'
import { limits } from '../limits.ts'
import type { AuditQuery } from './audit-store.ts'
import { filterCondition, textCondition } from './filter-condition.ts'
import type { ListColumns } from './filter-condition.ts'
import { comesAfter, listKeys } from './list-keys.ts'
import type { AuditEntryRow, Tables } from './tables.ts'

const columns = {
  at: 'at', actor: 'actorId', action: 'action', target_type: 'targetType', target_id: 'targetId', outcome: 'outcome',
} as const satisfies { readonly [field in keyof typeof auditFields]: keyof AuditEntryRow }

const auditColumns: ListColumns<typeof auditFields> = { entries: 'entries of the trail', fields: auditFields, columns }

const textColumns = ['action', 'actorId', 'targetId'] as const satisfies readonly (keyof AuditEntryRow)[]

/** The rows of a page of a trail. */
export async function listEntryRows(db: Kysely<Tables>, tenant: string, query: AuditQuery): Promise<AuditEntryRow[]> {
  const keys = listKeys(auditColumns, query.sort ?? [], 'seq')
  let selecting = db.selectFrom('auditEntries').selectAll().where('tenantId', '=', tenant)
  for (const condition of conditionsOf(query)) selecting = selecting.where(condition)
  if (query.after !== undefined) selecting = selecting.where(comesAfter(keys, query.after))
  for (const { column, direction } of keys) selecting = selecting.orderBy(sql.ref(column), direction)
  if (query.skip !== undefined && query.skip > 0) selecting = selecting.offset(query.skip)
  return await selecting.limit(query.limit).execute()
}

/** Counts up to a bound. */
export async function countEntries(db: Kysely<Tables>, tenant: string, query: Omit<AuditQuery, 'limit'>): Promise<ListTotal> {
  const { countedMax } = limits.state
  let found = db.selectFrom('auditEntries').select('seq').where('tenantId', '=', tenant)
  for (const condition of conditionsOf(query)) found = found.where(condition)
  const bounded = found.limit(countedMax + 1).as('found')
  const { total } = await db.selectFrom(bounded).select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { count: Math.min(total, countedMax), isExact: total <= countedMax }
}

function conditionsOf({ filter, narrowing = [], text = '' }: Omit<AuditQuery, 'limit'>): Expression<SqlBool>[] {
  const filters = filter === undefined ? narrowing : [...narrowing, filter]
  const conditions = filters.map((filter) => filterCondition(auditColumns, filter))
  return text === '' ? conditions : [...conditions, textCondition(textColumns, text)]
}
