import { isJsonObject } from '@tripline/common/json'
import type { AuditEntry } from '@tripline/model/audit'
import { auditFields } from '@tripline/model/lists/list-fields'
import type { TenantId } from '@tripline/model/tenant'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { TenantList } from '../../ports/list-query.ts'
import { openText, readKeys } from '../audit-keys.ts'
import { mapAuditTexts } from '../audit-texts.ts'
import type { AuditEntryRow } from '../rows/audit-tables.ts'
import type { Tables } from '../rows/tables.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  at: 'at', actor: 'actorId', action: 'action', target_type: 'targetType', target_id: 'targetId', outcome: 'outcome',
} as const satisfies { readonly [field in keyof typeof auditFields]: keyof AuditEntryRow }

/** An entry with its texts as they are stored. */
type StoredEntry = { readonly entry: AuditEntry; readonly row: AuditEntryRow }

/** The entries of the trail of a tenant, as they are stored. */
export const auditList: SqlList<AuditEntryRow, StoredEntry> = {
  entries: 'entries of the trail', fields: auditFields, columns, texts: ['action', 'actorId', 'targetId'],
  from: sql`audit_entries`, select: sql`*`, tenant: 'tenantId', id: 'seq',
  parse: (row) => ({ entry: parseAuditRow(row), row }),
}

/** Decrypts the texts of a list of stored entries. Those of destroyed keys are `[erased]`. */
export function openAuditList(db: Kysely<Tables>, auditKey: Uint8Array, list: TenantList<StoredEntry>): TenantList<AuditEntry> {
  const openEntries = async (tenant: TenantId, stored: readonly StoredEntry[]): Promise<readonly AuditEntry[]> => {
    const keys = await readKeys(db, tenant, stored.map(({ row }) => row))
    const open = (value: unknown): unknown => openText({ tenant, auditKey }, keys, value)
    return stored.map(({ entry, row }) => (row.version === 1 ? entry : openEntry(entry, open)))
  }
  return {
    async list(tenant, query) {
      const page = await list.list(tenant, query)
      return { ...page, entries: await openEntries(tenant, page.entries) }
    },
    async* scan(tenant, selection, options) {
      for await (const stored of list.scan(tenant, selection, options)) yield await openEntries(tenant, stored)
    },
  }
}

function openEntry({ actor, ...entry }: AuditEntry, open: (value: unknown) => unknown): AuditEntry {
  const { ip, userAgent, requestId, diff } = entry
  const { email, ...texts } = mapAuditTexts({ email: actor.email, ip, userAgent, requestId, diff }, open)
  return { ...entry, actor: { ...actor, email }, ...texts }
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
