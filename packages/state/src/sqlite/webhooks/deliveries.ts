import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { WithoutList } from '../../ports/list-query.ts'
import type { NewDelivery, WebhookDeliveryStore } from '../../ports/delivery/webhook-store.ts'
import { joinedDeliveries, joinedDeliveryColumns, parseDeliveryRow, parseEventRow } from '../lists/webhook-list.ts'
import type { JoinedDeliveryRow } from '../lists/webhook-list.ts'
import { inTransaction } from '../query/database.ts'
import { takeIntact } from '../query/row-checksums.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the queue and the log of deliveries: the same rows, pending and done. */
export function webhookDeliveryStore(db: Kysely<Tables>): WithoutList<WebhookDeliveryStore> {
  const rowsOf = (tenant: string) => db.selectFrom('webhookDeliveries').where('tenantId', '=', tenant)
  const pendingOf = (tenant: string, webhookId: string) =>
    // A literal, not a parameter: the partial index is used only if the condition is known.
    rowsOf(tenant).where('webhookId', '=', webhookId).where(sql<boolean>`status = 'pending'`)
  return {
    insert: (tenantId, events, deliveries) =>
      inTransaction(db, async (db) => {
        for (const { subject: subjectId, severity = null, details, ...event } of events) {
          const row = { ...event, tenantId, subjectId, severity, details: JSON.stringify(details) }
          await db.insertInto('webhookEvents').values(row).onConflict((conflict) => conflict.doNothing()).execute()
        }
        const inserted: NewDelivery[] = []
        const unsent = { lastAt: null, durationMs: null, httpStatus: null, error: '', snippet: '' }
        const nothingYet = { status: 'pending', attempt: 0, ...unsent } as const
        for (const delivery of deliveries) {
          const inserting = db.insertInto('webhookDeliveries').values({ ...delivery, ...nothingYet, tenantId })
          const { numInsertedOrUpdatedRows } = await inserting.onConflict((conflict) => conflict.doNothing()).executeTakeFirstOrThrow()
          if (numInsertedOrUpdatedRows === 1n) inserted.push(delivery)
        }
        return inserted
      }),
    async get(tenant, id) {
      const { rows } = await sql<JoinedDeliveryRow>`select ${joinedDeliveryColumns} from ${joinedDeliveries}
        where d.tenant_id = ${tenant} and d.id = ${id}`.execute(db)
      return rows[0] && parseDeliveryRow(rows[0])
    },
    async countPending(tenant, webhookId) {
      const counting = pendingOf(tenant, webhookId).select(({ fn }) => fn.countAll<number>().as('count'))
      return (await counting.executeTakeFirstOrThrow()).count
    },
    async listPending(tenant, webhookId, limit) {
      const rows = await pendingOf(tenant, webhookId).select(['id', 'dueAt']).orderBy('dueAt').orderBy('id').limit(limit).execute()
      return rows.map(({ id, dueAt }) => ({ id, dueAt: dueAt ?? 0 }))
    },
    async listWaiting() {
      const selecting = db.selectFrom('webhookDeliveries').select(['tenantId', 'webhookId'])
        .select(({ fn }) => fn.min('dueAt').as('dueAt')).where(sql<boolean>`status = 'pending'`)
      const rows = await selecting.groupBy(['tenantId', 'webhookId']).execute()
      return rows.map(({ tenantId: tenant, webhookId, dueAt }) => ({ tenant, webhookId, dueAt: dueAt ?? 0 }))
    },
    async settle(tenant, id, { status, attempt, dueAt = null, last: { at: lastAt, durationMs, httpStatus = null, error, snippet } }) {
      const settling = db.updateTable('webhookDeliveries').set({ status, attempt, dueAt, lastAt, durationMs, httpStatus, error, snippet })
      const mine = settling.where('tenantId', '=', tenant).where('id', '=', id).where('status', '=', 'pending')
      return (await mine.executeTakeFirst()).numUpdatedRows === 1n
    },
    async cancelPending(tenant, webhookId) {
      const canceling = db.updateTable('webhookDeliveries').set({ status: 'canceled', dueAt: null }).where('tenantId', '=', tenant)
      const mine = canceling.where('webhookId', '=', webhookId).where(sql<boolean>`status = 'pending'`)
      return Number((await mine.executeTakeFirst()).numUpdatedRows)
    },
    async listEvents(tenant, { from, to, types, limit }) {
      if (types.length === 0) return []
      const selecting = db.selectFrom('webhookEvents').selectAll().where('tenantId', '=', tenant).where('type', 'in', types)
      const rows = await selecting.where('at', '>=', from).where('at', '<', to).orderBy('at').orderBy('id').limit(limit).execute()
      return takeIntact('webhookEvents', rows).map(parseEventRow)
    },
    removeOld: (tenant, { before, limit }) =>
      inTransaction(db, async (db) => {
        const old = db.selectFrom('webhookDeliveries').select('id').where('tenantId', '=', tenant).where('createdAt', '<', before)
        const done = old.where('status', '!=', 'pending').limit(limit)
        const removing = db.deleteFrom('webhookDeliveries').where('tenantId', '=', tenant).where('id', 'in', done)
        const removedCount = Number((await removing.executeTakeFirst()).numDeletedRows)
        // An event stays as long as a delivery refers to it.
        const events = db.selectFrom('webhookEvents').select('id').where('tenantId', '=', tenant).where('at', '<', before)
          .where((eb) => eb.not(eb.exists(eb.selectFrom('webhookDeliveries').select('id')
            .whereRef('webhookDeliveries.tenantId', '=', 'webhookEvents.tenantId').whereRef('eventId', '=', 'webhookEvents.id'))))
        const removingEvents = db.deleteFrom('webhookEvents').where('tenantId', '=', tenant).where('id', 'in', events.limit(limit))
        await removingEvents.execute()
        return removedCount
      }),
  }
}
