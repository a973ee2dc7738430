import type { SavedView } from '@tripline/model/saved-view'
import type { Kysely } from 'kysely'
import type { ViewStore } from '../ports/view-store.ts'
import { compareAndSet } from './query/compare-and-set.ts'
import type { Tables } from './rows/tables.ts'
import type { SavedViewRow } from './rows/work-tables.ts'

/** Stores saved views by id. */
export function viewStore(db: Kysely<Tables>): ViewStore {
  const rowsOf = (tenant: string) => db.selectFrom('savedViews').selectAll().where('tenantId', '=', tenant)
  const get = async (tenant: string, id: string) => {
    const row = await rowsOf(tenant).where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : parseRow(row)
  }
  return {
    async insert(tenantId, { isShared, ...view }) {
      await db.insertInto('savedViews').values({ ...view, tenantId, isShared: Number(isShared) }).execute()
    },
    get,
    async list(tenant, userId) {
      const listing = rowsOf(tenant).where((eb) => eb.or([eb('ownerId', '=', userId), eb('isShared', '=', 1)]))
      return (await listing.orderBy('name').orderBy('id').execute()).map(parseRow)
    },
    update: (tenant, id, change, terms) =>
      compareAndSet(terms, {
        read: () => get(tenant, id),
        next: (current) => {
          const next = { ...current, ...change }
          const isSame = next.name === current.name && next.query === current.query && next.isShared === current.isShared
          return isSame ? current : { ...next, version: current.version + 1, updatedAt: terms.at }
        },
        write: async ({ name, query, isShared, version, updatedAt }, current) => {
          const writing = db.updateTable('savedViews').set({ name, query, isShared: Number(isShared), version, updatedAt })
          const mine = writing.where('tenantId', '=', tenant).where('id', '=', id).where('version', '=', current.version)
          return (await mine.executeTakeFirst()).numUpdatedRows === 1n
        },
      }),
    async remove(tenant, id) {
      const removing = db.deleteFrom('savedViews').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function parseRow({ tenantId: _tenant, isShared, ...view }: SavedViewRow): SavedView {
  return { ...view, isShared: isShared === 1 }
}
