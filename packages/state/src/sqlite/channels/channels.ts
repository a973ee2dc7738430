import type { Channel } from '@tripline/model/delivery/channel'
import type { Kysely } from 'kysely'
import type { ChannelStore } from '../../ports/delivery/channel-store.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'
import type { ChannelRow } from '../rows/channel-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores notification channels. */
export function channelStore(db: Kysely<Tables>): ChannelStore {
  const rowsOf = (tenant: string) => db.selectFrom('channels').selectAll().where('tenantId', '=', tenant)
  const changing = (tenant: string, id: string) => db.updateTable('channels').where('tenantId', '=', tenant).where('id', '=', id)
  return {
    async insert(tenantId, channel) {
      const inserting = db.insertInto('channels').values(toRow(tenantId, channel)).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirst()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    async get(tenant, id) {
      const row = requireIntact('channels', await rowsOf(tenant).where('id', '=', id).executeTakeFirst())
      return row && parseRow(row)
    },
    async list(tenant) {
      return takeIntact('channels', await rowsOf(tenant).orderBy('name').execute()).map(parseRow)
    },
    update: (tenant, id, change, terms) => inTransaction(db, async (db) => {
      const { name } = change
      if (name !== undefined) {
        const named = db.selectFrom('channels').select('id').where('tenantId', '=', tenant).where('name', '=', name)
        if (await named.where('id', '<>', id).executeTakeFirst() !== undefined) return { outcome: 'taken' }
      }
      return await compareAndSet(terms, {
        read: () => channelStore(db).get(tenant, id),
        next: (current) => {
          const next = { ...current, ...change }
          return JSON.stringify(next) === JSON.stringify(current) ? current : { ...next, version: current.version + 1, updatedAt: terms.at }
        },
        write: async (next, { version }) => {
          const writing = db.updateTable('channels').set(toRow(tenant, next)).where('tenantId', '=', tenant).where('id', '=', id)
          return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
        },
      })
    }),
    async noteDelivery(tenant, id, lastDeliveryAt) {
      return (await changing(tenant, id).set({ lastDeliveryAt }).executeTakeFirst()).numUpdatedRows === 1n
    },
    async addSkipped(tenant, id, count) {
      const counting = changing(tenant, id).set((eb) => ({ skippedCount: eb('skippedCount', '+', count) }))
      return (await counting.executeTakeFirst()).numUpdatedRows === 1n
    },
    async remove(tenant, id) {
      const removing = db.deleteFrom('channels').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

function toRow(tenantId: string, { settings, secretNames, isEnabled, lastDeliveryAt, ...rest }: Channel): ChannelRow {
  return {
    ...rest, tenantId, settings: JSON.stringify(settings), secretNames: JSON.stringify(secretNames), isEnabled: Number(isEnabled),
    lastDeliveryAt: lastDeliveryAt ?? null,
  }
}

function parseRow(row: ChannelRow): Channel {
  const { id, name, sealedSecrets, language, skippedCount, version, createdAt, updatedAt } = row
  return {
    id, name, sealedSecrets, language, skippedCount, version, createdAt, updatedAt, isEnabled: row.isEnabled === 1,
    settings: JSON.parse(row.settings) as Channel['settings'], secretNames: JSON.parse(row.secretNames) as Channel['secretNames'],
    lastDeliveryAt: row.lastDeliveryAt ?? undefined,
  }
}
