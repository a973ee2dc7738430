import type { Kysely } from 'kysely'
import type { ApiKey } from '../domain/api-key.ts'
import type { ApiKeyStore } from './state-store.ts'
import type { ApiKeyRow, Tables } from './tables.ts'

/** The keys of programs, by their hashes. */
export function apiKeyStore(db: Kysely<Tables>): ApiKeyStore {
  const rowsOf = (tenant: string) => db.selectFrom('apiKeys').selectAll().where('tenantId', '=', tenant)
  const changing = (tenant: string, id: string) => db.updateTable('apiKeys').where('tenantId', '=', tenant).where('id', '=', id)
  return {
    async insert(tenant, key, hash) {
      const inserting = db.insertInto('apiKeys').values(rowOf(tenant, key, hash)).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    async get(tenant, id) {
      const row = await rowsOf(tenant).where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : apiKeyOf(row)
    },
    async list(tenant) {
      return (await rowsOf(tenant).orderBy('id').execute()).map(apiKeyOf)
    },
    async revoke(tenant, id, at) {
      const revoking = changing(tenant, id).set({ revokedAt: at }).where('revokedAt', 'is', null)
      return (await revoking.executeTakeFirst()).numUpdatedRows === 1n
    },
    async noteUse(tenant, id, at) {
      const noting = changing(tenant, id).set({ lastUsedAt: at })
      await noting.where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', at)])).execute()
    },
  }
}

export function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    // What is not known to allow more allows the least.
    access: row.access === 'read_write' ? 'read_write' : 'read_only',
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt ?? undefined,
    lastUsedAt: row.lastUsedAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
  }
}

function rowOf(tenantId: string, key: ApiKey, hash: string): ApiKeyRow {
  const { expiresAt = null, lastUsedAt = null, revokedAt = null, ...rest } = key
  return { ...rest, tenantId, hash, expiresAt, lastUsedAt, revokedAt }
}
