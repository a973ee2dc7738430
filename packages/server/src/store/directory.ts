import type { Kysely } from 'kysely'
import { apiKeyOf } from './api-keys.ts'
import type { Directory } from './state-store.ts'
import type { Tables } from './tables.ts'
import { foldEmail } from './users.ts'

/** Finds whose an email, a key or a token is. */
export function directoryOf(db: Kysely<Tables>): Directory {
  return {
    async tenantsOfEmail(email) {
      const users = db.selectFrom('users').select('tenantId').where('emailFolded', '=', foldEmail(email)).where('isActive', '=', 1)
      return (await users.orderBy('tenantId').execute()).map(({ tenantId }) => tenantId)
    },
    async apiKey(hash) {
      const row = await db.selectFrom('apiKeys').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row === undefined ? undefined : { tenant: row.tenantId, key: apiKeyOf(row) }
    },
    async tenantOfToken(tokenHash) {
      const row = await db.selectFrom('refreshTokens').select('tenantId').where('hash', '=', tokenHash).executeTakeFirst()
      return row?.tenantId
    },
    async connectorOfToken(tokenHash) {
      const found = db.selectFrom('connectors').select(['tenantId', 'id', 'isEnabled']).where('tokenHash', '=', tokenHash)
      const row = await found.executeTakeFirst()
      return row === undefined ? undefined : { tenant: row.tenantId, connectorId: row.id, isEnabled: row.isEnabled === 1 }
    },
  }
}
