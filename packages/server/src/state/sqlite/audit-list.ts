import type { Kysely } from 'kysely'
import { auditFields } from '../../model/lists/list-fields.ts'
import type { ListTotal } from '../../model/lists/filter.ts'
import type { AuditQuery } from '../ports/audit-store.ts'
import type { ListColumns } from './query/filter-condition.ts'
import { countBounded, countedRowsMax, buildListConditions } from './query/list-filter.ts'
import { buildColumnKeyset, applyKeyset } from './query/keyset.ts'
import type { AuditEntryRow, Tables } from './rows/tables.ts'

const columns = {
  at: 'at', actor: 'actorId', action: 'action', target_type: 'targetType', target_id: 'targetId', outcome: 'outcome',
} as const satisfies { readonly [field in keyof typeof auditFields]: keyof AuditEntryRow }

const auditColumns: ListColumns<typeof auditFields> = { entries: 'entries of the trail', fields: auditFields, columns }

const textColumns = ['action', 'actorId', 'targetId'] as const satisfies readonly (keyof AuditEntryRow)[]

/** Reads the rows of a page of a trail. */
export async function listEntryRows(db: Kysely<Tables>, tenant: string, query: AuditQuery): Promise<AuditEntryRow[]> {
  const keys = buildColumnKeyset(auditColumns, query.sort ?? [], 'seq')
  let selecting = db.selectFrom('auditEntries').selectAll().where('tenantId', '=', tenant)
  for (const condition of buildListConditions(auditColumns, textColumns, query)) selecting = selecting.where(condition)
  return await applyKeyset(selecting, keys, query).limit(query.limit).execute()
}

/** Counts up to a bound. */
export async function countEntries(db: Kysely<Tables>, tenant: string, query: Omit<AuditQuery, 'limit'>): Promise<ListTotal> {
  let found = db.selectFrom('auditEntries').select('seq').where('tenantId', '=', tenant)
  for (const condition of buildListConditions(auditColumns, textColumns, query)) found = found.where(condition)
  return await countBounded(db, found.limit(countedRowsMax))
}
