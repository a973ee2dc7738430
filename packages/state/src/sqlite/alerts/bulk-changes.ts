import type { AlertBefore } from '@tripline/model/bulk-change'
import type { Kysely } from 'kysely'
import type { BulkChangeStore } from '../../ports/bulk-change-store.ts'
import { requireIntact } from '../query/row-checksums.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores parts of changes of many alerts, each with what it replaced as one JSON text. */
export function bulkChangeStore(db: Kysely<Tables>): BulkChangeStore {
  return {
    async insert(tenantId, { before, ...part }) {
      await db.insertInto('bulkChanges').values({ ...part, tenantId, before: JSON.stringify(before) }).execute()
    },
    async get(tenant, id) {
      const rows = db.selectFrom('bulkChanges').selectAll().where('tenantId', '=', tenant).where('id', '=', id).orderBy('part')
      const parts = await rows.execute()
      // An undo writes what it reads: a corrupted part must not become the state of alerts.
      for (const part of parts) requireIntact('bulkChanges', part)
      return parts.map(({ tenantId: _tenant, before, ...part }) => {
        const stored: readonly AlertBefore[] = JSON.parse(before)
        return { ...part, before: stored }
      })
    },
    async remove(tenant, id, part) {
      const removing = db.deleteFrom('bulkChanges').where('tenantId', '=', tenant).where('id', '=', id).where('part', '=', part)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
    async removeOld(tenant, before) {
      const removing = db.deleteFrom('bulkChanges').where('tenantId', '=', tenant).where('expiresAt', '<', before)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
  }
}
