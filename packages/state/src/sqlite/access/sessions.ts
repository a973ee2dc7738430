import { isJsonObject } from '@tripline/common/json'
import type { Session, SessionClient } from '@tripline/model/access/session'
import type { Kysely } from 'kysely'
import type { SessionStore } from '../../ports/state-store.ts'
import type { SessionRow, Tables } from '../rows/tables.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'

/** Stores sessions. Each change is one statement, so of two concurrent ones one comes first. */
export function sessionStore(db: Kysely<Tables>): SessionStore {
  const rowsOf = (tenant: string) => db.selectFrom('sessions').selectAll().where('tenantId', '=', tenant)
  const changing = (tenant: string) => db.updateTable('sessions').where('tenantId', '=', tenant).where('revokedAt', 'is', null)
  return {
    async insert(tenant, session) {
      const { claims, client, revokedAt = null, ...rest } = session
      const row = { ...rest, tenantId: tenant, revokedAt, claims: printOptional(claims), client: printOptional(client) }
      await db.insertInto('sessions').values(row).execute()
    },
    async get(tenant, id) {
      const row = requireIntact('sessions', await rowsOf(tenant).where('id', '=', id).executeTakeFirst())
      return row === undefined ? undefined : parseSessionRow(row)
    },
    async list(tenant, userId) {
      return takeIntact('sessions', await rowsOf(tenant).where('userId', '=', userId).orderBy('id').execute()).map(parseSessionRow)
    },
    async advance(tenant, id, { from, refreshedAt, client }) {
      const step = { generation: from + 1, refreshedAt, ...(client && { client: JSON.stringify(client) }) }
      const advancing = changing(tenant).set(step).where('id', '=', id).where('generation', '=', from)
      return (await advancing.executeTakeFirst()).numUpdatedRows === 1n
    },
    async revoke(tenant, id, revokedAt) {
      return (await changing(tenant).set({ revokedAt }).where('id', '=', id).executeTakeFirst()).numUpdatedRows === 1n
    },
    async revokeAll(tenant, userId, revokedAt) {
      const revoked = await changing(tenant).set({ revokedAt }).where('userId', '=', userId).returning('id').execute()
      return revoked.map(({ id }) => id)
    },
    async removeOld(tenant, before) {
      const removing = db.deleteFrom('sessions').where('tenantId', '=', tenant).where('refreshedAt', '<', before)
      return Number((await removing.executeTakeFirst()).numDeletedRows)
    },
  }
}

function parseSessionRow({ tenantId: _tenant, revokedAt, claims, client, ...rest }: SessionRow): Session {
  const stated: unknown = claims === '' ? undefined : JSON.parse(claims)
  const known = client === '' ? undefined : JSON.parse(client) as SessionClient
  return { ...rest, revokedAt: revokedAt ?? undefined, ...(isJsonObject(stated) && { claims: stated }), ...(known && { client: known }) }
}

function printOptional(value: object | undefined): string {
  return value === undefined ? '' : JSON.stringify(value)
}
