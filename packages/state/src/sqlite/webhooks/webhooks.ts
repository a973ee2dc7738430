import type { Kysely } from 'kysely'
import type { Webhook } from '@tripline/model/delivery/webhook'
import type { WithoutList } from '../../ports/list-query.ts'
import type { WebhookStore } from '../../ports/delivery/webhook-store.ts'
import { findLastSeq } from '../domain-events.ts'
import { parseWebhookRow } from '../lists/webhook-list.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'
import type { Tables } from '../rows/tables.ts'
import type { WebhookRow } from '../rows/webhook-tables.ts'

/** Stores webhooks: what users set and what deliveries change share a row, and each is written separately. */
export function webhookStore(db: Kysely<Tables>): WithoutList<WebhookStore> {
  const rowsOf = (tenant: string) => db.selectFrom('webhooks').where('tenantId', '=', tenant)
  const changing = (tenant: string, id: string) => db.updateTable('webhooks').where('tenantId', '=', tenant).where('id', '=', id)
  const get = async (tenant: string, id: string) => {
    const row = requireIntact('webhooks', await rowsOf(tenant).where('id', '=', id).selectAll().executeTakeFirst())
    return row === undefined ? undefined : parseWebhookRow(row)
  }
  return {
    insert: (tenantId, webhook) =>
      inTransaction(db, async (db) => {
        const { id, createdAt, skippedCount } = webhook
        const facts = { tenantId, id, createdAt, skippedCount, ...toSettingColumns(webhook), ...toHealthColumns(webhook) }
        const row = { ...facts, sinceSeq: await findLastSeq(db, tenantId) }
        const inserting = db.insertInto('webhooks').values(row).onConflict((conflict) => conflict.doNothing())
        return (await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
      }),
    get,
    async count(tenant) {
      return (await rowsOf(tenant).select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count
    },
    async listSubscriptions(tenant) {
      const rows = await rowsOf(tenant).selectAll().orderBy('id').execute()
      return takeIntact('webhooks', rows).map((row) => ({ webhook: parseWebhookRow(row), sinceSeq: row.sinceSeq }))
    },
    update: (tenant, id, change, terms) =>
      inTransaction(db, async (db) => {
        const { name } = change
        if (name !== undefined) {
          const others = db.selectFrom('webhooks').select('id').where('tenantId', '=', tenant).where('name', '=', name)
          if ((await others.where('id', '!=', id).executeTakeFirst()) !== undefined) return { outcome: 'taken' as const }
        }
        return await compareAndSet(terms, {
          read: () => webhookStore(db).get(tenant, id),
          next: (current) => changeWebhook(current, change, terms.at),
          write: async (next, { version, status }) => {
            const isActivated = next.status === 'active' && status !== 'active'
            const since = isActivated ? { sinceSeq: await findLastSeq(db, tenant) } : {}
            const writing = db.updateTable('webhooks').set({ ...toSettingColumns(next), ...toHealthColumns(next), ...since })
            const mine = writing.where('tenantId', '=', tenant).where('id', '=', id).where('version', '=', version)
            return (await mine.executeTakeFirst()).numUpdatedRows === 1n
          },
        })
      }),
    async setHealth(tenant, id, health) {
      return (await changing(tenant, id).set(toHealthColumns(health)).executeTakeFirst()).numUpdatedRows === 1n
    },
    async addSkipped(tenant, id, count) {
      await changing(tenant, id).set((eb) => ({ skippedCount: eb('skippedCount', '+', count) })).execute()
    },
    async remove(tenant, id) {
      const removing = db.deleteFrom('webhooks').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

/** The same webhook if nothing changes. */
function changeWebhook(current: Webhook, change: Partial<Webhook>, at: number): Webhook {
  const next = { ...current, ...change }
  if (JSON.stringify(next) === JSON.stringify(current)) return current
  const isActivated = next.status === 'active' && current.status !== 'active'
  return { ...next, ...(isActivated && { failureCount: 0 }), version: current.version + 1, updatedAt: at }
}

type HealthColumns = Pick<WebhookRow, 'status' | 'failureCount' | 'lastDeliveryAt'>

function toHealthColumns({ status, failureCount, lastDeliveryAt }: Pick<Webhook, keyof HealthColumns>): HealthColumns {
  return { status, failureCount, lastDeliveryAt: lastDeliveryAt ?? null }
}

function toSettingColumns({ name, url, events, severities, profile, sealedSecret, previousSecret, version, updatedAt }: Webhook) {
  return {
    name, url, profile, sealedSecret, version, updatedAt, events: JSON.stringify(events), severities: JSON.stringify(severities),
    previousSealedSecret: previousSecret?.sealed ?? null, previousSecretUntil: previousSecret?.until ?? null,
  }
}
