import { isJsonObject } from '@tripline/common/json'
import type { Tenant } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { TenantStore } from '../../ports/state-store.ts'
import { openTrail } from '../audit.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import type { Tables, TenantRow } from '../rows/tables.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'

/** Stores the tenants; each has an audit trail from its creation. */
export function tenantStore(db: Kysely<Tables>, auditKey: Uint8Array): TenantStore {
  const get = async (id: string) => {
    const row = requireIntact('tenants', await db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst())
    return row === undefined ? undefined : parseTenantRow(row)
  }
  return {
    insert: (tenant) =>
      inTransaction(db, async (db) => {
        const inserting = db.insertInto('tenants').values(rowOf(tenant)).onConflict((conflict) => conflict.doNothing())
        if ((await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows !== 1n) return 'taken'
        await openTrail(db, auditKey, tenant.id)
        return 'inserted'
      }),
    get,
    async list() {
      return takeIntact('tenants', await db.selectFrom('tenants').selectAll().orderBy('id').execute()).map(parseTenantRow)
    },
    update: (id, change, terms) =>
      compareAndSet(terms, {
        read: () => get(id),
        next: (current) => ({ ...current, ...change, version: current.version + 1, updatedAt: terms.at }),
        write: async (next, { version }) => {
          const writing = db.updateTable('tenants').set(rowOf(next)).where('id', '=', id).where('version', '=', version)
          return (await writing.executeTakeFirst()).numUpdatedRows === 1n
        },
      }),
  }
}

function parseTenantRow({ isActive, settings, ...rest }: TenantRow): Tenant {
  const parsed: unknown = JSON.parse(settings)
  if (!isJsonObject(parsed)) throw new Error(`the settings of tenant '${rest.id}' are not a JSON object`)
  return { ...rest, isActive: isActive === 1, settings: parsed }
}

function rowOf({ isActive, settings, ...rest }: Tenant): TenantRow {
  return { ...rest, isActive: Number(isActive), settings: JSON.stringify(settings) }
}
