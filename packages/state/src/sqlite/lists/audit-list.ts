import { isJsonObject } from '@tripline/common/json'
import type { AuditEntry } from '@tripline/model/audit'
import { auditFields } from '@tripline/model/lists/list-fields'
import { sql } from 'kysely'
import type { SqlList } from './list-page.ts'
import type { AuditEntryRow } from '../rows/tables.ts'

const columns = {
  at: 'at', actor: 'actorId', action: 'action', target_type: 'targetType', target_id: 'targetId', outcome: 'outcome',
} as const satisfies { readonly [field in keyof typeof auditFields]: keyof AuditEntryRow }

/** The entries of the trail of a tenant. */
export const auditList: SqlList<AuditEntryRow, AuditEntry> = {
  entries: 'entries of the trail', fields: auditFields, columns, texts: ['action', 'actorId', 'targetId'],
  from: sql`audit_entries`, select: sql`*`, tenant: 'tenantId', id: 'seq',
  parse: parseAuditRow,
}

function parseAuditRow(row: AuditEntryRow): AuditEntry {
  const diff: unknown = row.diff === null ? undefined : JSON.parse(row.diff)
  return {
    seq: row.seq,
    at: row.at,
    actor: { type: row.actorType, id: row.actorId, email: row.actorEmail ?? undefined },
    action: row.action,
    target: { type: row.targetType, id: row.targetId },
    ip: row.ip ?? undefined,
    userAgent: row.userAgent ?? undefined,
    requestId: row.requestId ?? undefined,
    outcome: row.outcome,
    diff: isJsonObject(diff) ? diff : undefined,
    prevHash: row.prevHash,
    hash: row.hash,
  }
}
