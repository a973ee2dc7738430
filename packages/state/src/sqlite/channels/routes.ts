import type { ChannelRoute, Escalation, QuietHours } from '@tripline/model/delivery/channel'
import type { Kysely } from 'kysely'
import type { ChannelRouteStore } from '../../ports/delivery/channel-store.ts'
import { findLastSeq } from '../domain-events.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'
import type { ChannelRouteRow } from '../rows/channel-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the routes of events to channels. */
export function channelRouteStore(db: Kysely<Tables>): ChannelRouteStore {
  const rowsOf = (tenant: string) => db.selectFrom('channelRoutes').selectAll().where('tenantId', '=', tenant)
  return {
    insert: (tenant, route) => inTransaction(db, async (db) => {
      const row = { ...toColumns(route), tenantId: tenant, sinceSeq: await findLastSeq(db, tenant) }
      const inserting = db.insertInto('channelRoutes').values(row).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirst()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    }),
    async get(tenant, id) {
      const row = requireIntact('channelRoutes', await rowsOf(tenant).where('id', '=', id).executeTakeFirst())
      return row && parseRow(row)
    },
    async list(tenant) {
      const rows = takeIntact('channelRoutes', await rowsOf(tenant).orderBy('name').execute())
      return rows.map((row) => ({ route: parseRow(row), sinceSeq: row.sinceSeq }))
    },
    update: (tenant, id, change, terms) => inTransaction(db, async (db) => {
      const { name } = change
      if (name !== undefined) {
        const named = db.selectFrom('channelRoutes').select('id').where('tenantId', '=', tenant).where('name', '=', name)
        if (await named.where('id', '<>', id).executeTakeFirst() !== undefined) return { outcome: 'taken' }
      }
      return await compareAndSet(terms, {
        read: () => channelRouteStore(db).get(tenant, id),
        next: (current) => {
          const next = { ...current, ...change }
          return JSON.stringify(next) === JSON.stringify(current) ? current : { ...next, version: current.version + 1, updatedAt: terms.at }
        },
        write: async (next, { version, isEnabled }) => {
          const since = next.isEnabled && !isEnabled ? { sinceSeq: await findLastSeq(db, tenant) } : {}
          const writing = db.updateTable('channelRoutes').set({ ...toColumns(next), ...since }).where('tenantId', '=', tenant)
          return (await writing.where('id', '=', id).where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
        },
      })
    }),
    async remove(tenant, id) {
      const removing = db.deleteFrom('channelRoutes').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function toColumns(route: ChannelRoute): Omit<ChannelRouteRow, 'tenantId' | 'sinceSeq'> {
  const { events, channelIds, quietHours, escalation, isEnabled, ...rest } = route
  return {
    ...rest, events: JSON.stringify(events), channelIds: JSON.stringify(channelIds), isEnabled: Number(isEnabled),
    quietHours: quietHours === undefined ? '' : JSON.stringify(quietHours),
    escalation: escalation === undefined ? '' : JSON.stringify(escalation),
  }
}

function parseRow(row: ChannelRouteRow): ChannelRoute {
  const { id, name, filter, throttleMinutes, digestMinutes, version, createdAt, updatedAt } = row
  return {
    id, name, filter, throttleMinutes, digestMinutes, version, createdAt, updatedAt, isEnabled: row.isEnabled === 1,
    events: JSON.parse(row.events) as ChannelRoute['events'], channelIds: JSON.parse(row.channelIds) as string[],
    quietHours: row.quietHours === '' ? undefined : JSON.parse(row.quietHours) as QuietHours,
    escalation: row.escalation === '' ? undefined : JSON.parse(row.escalation) as Escalation,
  }
}
