import { computeClosedAt } from '@tripline/model/compliance/data-subject-request'
import type { DataSubjectRequest } from '@tripline/model/compliance/data-subject-request'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { DataSubjectRequestStore } from '../../ports/data-subject-request-store.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import { parseRequestRow } from '../lists/data-subject-request-list.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import type { DataSubjectRequestRow } from '../rows/compliance-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the registers of requests that persons made about their data. */
export function dataSubjectRequestStore(db: Kysely<Tables>): WithoutList<DataSubjectRequestStore> {
  const get = async (db: Kysely<Tables>, tenant: TenantId, id: string) => {
    const row = await db.selectFrom('dataSubjectRequests').selectAll()
      .where('tenantId', '=', tenant).where('id', '=', id).executeTakeFirst()
    return row && parseRequestRow(row)
  }
  return {
    async insert(tenant, request) {
      await db.insertInto('dataSubjectRequests').values(rowOf(tenant, request)).execute()
    },
    get: (tenant, id) => get(db, tenant, id),
    update: (tenant, id, change, terms) => inTransaction(db, (db) => compareAndSet(terms, {
      read: () => get(db, tenant, id),
      next: (current) => ({
        ...current, ...change, closedAt: computeClosedAt(current, change.status ?? current.status, terms.at),
        version: current.version + 1, updatedAt: terms.at,
      }),
      write: async (next, { version }) => {
        const writing = db.updateTable('dataSubjectRequests').set(rowOf(tenant, next)).where('tenantId', '=', tenant).where('id', '=', id)
        return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
      },
    })),
    async remove(tenant, id) {
      const removing = db.deleteFrom('dataSubjectRequests').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function rowOf(tenantId: TenantId, { closedAt = 0, ...request }: DataSubjectRequest): DataSubjectRequestRow {
  return { ...request, tenantId, closedAt }
}
