import { apiProfiles } from '@tripline/model/access/api-key'
import type { ApiKey } from '@tripline/model/access/api-key'
import type { Kysely } from 'kysely'
import { compareAndSet } from '../query/compare-and-set.ts'
import { parseTextList } from '../rows/stored-list.ts'
import type { ApiKeyStore } from '../../ports/state-store.ts'
import type { ApiKeyRow, Tables } from '../rows/tables.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'

/** Stores API keys by public id. */
export function apiKeyStore(db: Kysely<Tables>): ApiKeyStore {
  const rowsOf = (tenant: string) => db.selectFrom('apiKeys').selectAll().where('tenantId', '=', tenant)
  const changing = (tenant: string, publicId: string) =>
    db.updateTable('apiKeys').where('tenantId', '=', tenant).where('publicId', '=', publicId)
  const get = async (tenant: string, publicId: string) => {
    const row = requireIntact('apiKeys', await rowsOf(tenant).where('publicId', '=', publicId).executeTakeFirst())
    return row === undefined ? undefined : parseApiKeyRow(row)
  }
  return {
    async insert(tenant, key) {
      const inserting = db.insertInto('apiKeys').values(rowOf(tenant, key)).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    async find(publicId) {
      const finding = db.selectFrom('apiKeys').selectAll().where('publicId', '=', publicId)
      const row = requireIntact('apiKeys', await finding.executeTakeFirst())
      return row === undefined ? undefined : parseApiKeyRow(row)
    },
    get,
    async list(tenant) {
      return takeIntact('apiKeys', await rowsOf(tenant).orderBy('createdAt').orderBy('publicId').execute()).map(parseApiKeyRow)
    },
    update: (tenant, publicId, change, terms) =>
      compareAndSet(terms, {
        read: () => get(tenant, publicId),
        next: (current) => ({ ...current, ...change, version: current.version + 1, updatedAt: terms.at }),
        write: async ({ name, expiresAt = null, apiProfile, resources, requestsPerMinute = null, allowedCidrs, ...rest }, current) => {
          const { version, updatedAt } = rest
          const lists = { resources: JSON.stringify(resources), allowedCidrs: JSON.stringify(allowedCidrs) }
          // Only these columns: a concurrent use is recorded independently.
          const columns = { name, expiresAt, apiProfile, requestsPerMinute, ...lists, version, updatedAt }
          const writing = changing(tenant, publicId).set(columns).where('version', '=', current.version)
          return (await writing.executeTakeFirst()).numUpdatedRows === 1n
        },
      }),
    async revoke(tenant, publicId, revokedAt) {
      const revoking = changing(tenant, publicId).where('revokedAt', 'is', null)
      await revoking.set((eb) => ({ revokedAt, updatedAt: revokedAt, version: eb('version', '+', 1) })).execute()
      return (await get(tenant, publicId)) !== undefined
    },
    async noteUse(tenant, publicId, { at, ip }) {
      const noting = changing(tenant, publicId).set({ lastUsedAt: at, lastUsedIp: ip })
      await noting.where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<', at)])).execute()
    },
  }
}

function parseApiKeyRow(row: ApiKeyRow): ApiKey {
  const { tenantId, scope, apiProfile, resources, requestsPerMinute, allowedCidrs, hash, ...more } = row
  const { expiresAt, revokedAt, lastUsedAt, lastUsedIp, ...rest } = more
  return {
    ...rest,
    tenant: tenantId,
    // An unknown scope allows the least.
    scope: scope === 'read_write' ? 'read_write' : 'read_only',
    apiProfile: apiProfiles.find((profile) => profile === apiProfile) ?? 'auto',
    resources: parseTextList(resources),
    requestsPerMinute: requestsPerMinute ?? undefined,
    allowedCidrs: parseTextList(allowedCidrs),
    hash: Buffer.from(hash, 'hex'),
    expiresAt: expiresAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    lastUsedIp: lastUsedIp ?? undefined,
  }
}

function rowOf(tenantId: string, { tenant: _tenant, resources, allowedCidrs, hash, ...key }: ApiKey): ApiKeyRow {
  const { requestsPerMinute = null, expiresAt = null, revokedAt = null, lastUsedAt = null, lastUsedIp = null, ...rest } = key
  const lists = { resources: JSON.stringify(resources), allowedCidrs: JSON.stringify(allowedCidrs) }
  const hex = Buffer.from(hash).toString('hex')
  return { ...rest, ...lists, hash: hex, tenantId, requestsPerMinute, expiresAt, revokedAt, lastUsedAt, lastUsedIp }
}
