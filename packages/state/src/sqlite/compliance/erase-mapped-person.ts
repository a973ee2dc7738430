import type { SubjectText } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { Kysely } from 'kysely'
import { tenantStore } from '../access/tenants.ts'
import { inTransaction } from '../query/database.ts'
import type { Tables } from '../rows/tables.ts'

type MappedPerson = { readonly tenant: TenantId; readonly subject: SubjectText; readonly auditKey: Uint8Array }

/**
 * Removes the entries of a tenant's role mapping that give a role to the person by name: another text in its place would give the
 * role to everyone who has that text as a claim. Returns how many were removed.
 */
export function eraseMappedPerson(
  db: Kysely<Tables>, { tenant, subject, auditKey }: MappedPerson,
): Promise<number> {
  return inTransaction(db, async (db) => {
    const tenants = tenantStore(db, auditKey)
    const stored = await tenants.get(tenant)
    if (stored === undefined) return 0
    const { roleMapping } = resolveSettings(stored)
    const kept = roleMapping.filter(({ value }) => !subject.isIn(value))
    const count = roleMapping.length - kept.length
    if (count === 0) return 0
    const settings = { ...stored.settings, roleMapping: kept }
    await tenants.update(tenant, { settings }, { expectedVersion: undefined, at: stored.updatedAt })
    return count
  })
}
