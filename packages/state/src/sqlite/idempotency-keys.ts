import { isJsonObject } from '@tripline/common/json'
import type { Kysely } from 'kysely'
import { limits } from '../limits.ts'
import { inTransaction } from './query/database.ts'
import type { RequestRow, Tables } from './rows/tables.ts'
import type { StoredResponse, IdempotencyOutcome, IdempotencyKey, IdempotencyKeyStore } from '../ports/state-store.ts'

/** Stores idempotency keys and the responses to their requests. */
export function idempotencyKeyStore(db: Kysely<Tables>): IdempotencyKeyStore {
  return {
    begin: (tenant, key, bodyHash, at) => inTransaction(db, (db) => begin(db, tenant, key, bodyHash, at)),
    async finish(tenant, { route, key }, { status, headers, body }) {
      const finishing = db.updateTable('requests').set({ status, headers: JSON.stringify(headers), body })
      const ofKey = finishing.where('tenantId', '=', tenant).where('route', '=', route).where('key', '=', key)
      return (await ofKey.where('status', 'is', null).executeTakeFirst()).numUpdatedRows === 1n
    },
    async abandon(tenant, { route, key }) {
      const removing = db.deleteFrom('requests').where('tenantId', '=', tenant).where('route', '=', route).where('key', '=', key)
      return (await removing.where('status', 'is', null).executeTakeFirst()).numDeletedRows === 1n
    },
    async abandonAll(tenant) {
      const removing = db.deleteFrom('requests').where('tenantId', '=', tenant).where('status', 'is', null)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
    async removeOld(tenant, at) {
      const removing = db.deleteFrom('requests').where('tenantId', '=', tenant).where('begunAt', '<=', at - limits.state.requestKeptMs)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
  }
}

async function begin(
  db: Kysely<Tables>,
  tenantId: string,
  { route, key }: IdempotencyKey,
  bodyHash: string,
  at: number,
): Promise<IdempotencyOutcome> {
  const rows = db.selectFrom('requests').selectAll().where('tenantId', '=', tenantId).where('route', '=', route).where('key', '=', key)
  const forgetting = db.deleteFrom('requests').where('tenantId', '=', tenantId).where('route', '=', route).where('key', '=', key)
  await forgetting.where('begunAt', '<=', at - limits.state.requestKeptMs).execute()
  const row = { tenantId, route, key, bodyHash, begunAt: at, status: null, headers: null, body: null }
  const inserting = db.insertInto('requests').values(row).onConflict((conflict) => conflict.doNothing())
  if ((await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n) return { outcome: 'begun' }
  const known = await rows.executeTakeFirstOrThrow()
  if (known.bodyHash !== bodyHash) return { outcome: 'other_body' }
  const answer = toStoredResponse(known)
  return answer === undefined ? { outcome: 'running' } : { outcome: 'answered', answer }
}

function toStoredResponse({ status, headers, body }: RequestRow): StoredResponse | undefined {
  if (status === null) return undefined
  const parsed: unknown = JSON.parse(headers ?? '{}')
  const entries = isJsonObject(parsed) ? Object.entries(parsed) : []
  return { status, headers: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])), body: body ?? '' }
}
