import type { Kysely } from 'kysely'
import { isAlive } from '../domain/session.ts'
import type { Session, SessionEnd } from '../domain/session.ts'
import { inTransaction } from './database.ts'
import type { Rotation, SessionStore } from './state-store.ts'
import type { SessionRow, Tables } from './tables.ts'

/** The sessions of users, and the refresh tokens that carry them on. */
export function sessionStore(db: Kysely<Tables>): SessionStore {
  const rowsOf = (tenant: string) => db.selectFrom('sessions').selectAll().where('tenantId', '=', tenant)
  const ending = (tenant: string, at: number, because: SessionEnd) =>
    db.updateTable('sessions').set({ endedAt: at, endedBecause: because }).where('tenantId', '=', tenant).where('endedAt', 'is', null)
  return {
    insert: (tenant, session, tokenHash) =>
      inTransaction(db, async (db) => {
        const inserting = db.insertInto('sessions').values(rowOf(tenant, session)).onConflict((conflict) => conflict.doNothing())
        if ((await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows !== 1n) return 'taken'
        await insertToken(db, tenant, session.id, tokenHash, session.createdAt)
        return 'inserted'
      }),
    async get(tenant, id) {
      const row = await rowsOf(tenant).where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : sessionOf(row)
    },
    async list(tenant, userId) {
      return (await rowsOf(tenant).where('userId', '=', userId).orderBy('id').execute()).map(sessionOf)
    },
    rotate: (tenant, tokens, times) => inTransaction(db, (db) => rotate(db, tenant, tokens, times)),
    async end(tenant, id, at, because) {
      return (await ending(tenant, at, because).where('id', '=', id).executeTakeFirst()).numUpdatedRows === 1n
    },
    async endAll(tenant, userId, at, because) {
      const ended = await ending(tenant, at, because).where('userId', '=', userId).returning('id').execute()
      return ended.map(({ id }) => id)
    },
    removeOld: (tenant, before) =>
      inTransaction(db, async (db) => {
        const old = db.selectFrom('sessions').select('id').where('tenantId', '=', tenant).where('endsAt', '<', before)
        await db.deleteFrom('refreshTokens').where('tenantId', '=', tenant).where('sessionId', 'in', old).execute()
        const removing = db.deleteFrom('sessions').where('tenantId', '=', tenant).where('endsAt', '<', before)
        return Number((await removing.executeTakeFirst()).numDeletedRows)
      }),
  }
}

async function rotate(
  db: Kysely<Tables>,
  tenant: string,
  tokens: Parameters<SessionStore['rotate']>[1],
  { at, idleUntil }: Parameters<SessionStore['rotate']>[2],
): Promise<Rotation> {
  const sessions = sessionStore(db)
  const tokenRow = db.selectFrom('refreshTokens').selectAll().where('tenantId', '=', tenant).where('hash', '=', tokens.used)
  const token = await tokenRow.executeTakeFirst()
  const session = token && (await sessions.get(tenant, token.sessionId))
  if (session === undefined) return { outcome: 'unknown' }
  // One statement, so that of two who show the same token one alone is its first user.
  const using = db.updateTable('refreshTokens').set({ usedAt: at }).where('tenantId', '=', tenant).where('hash', '=', tokens.used)
  if ((await using.where('usedAt', 'is', null).executeTakeFirst()).numUpdatedRows !== 1n) {
    await sessions.end(tenant, session.id, at, 'token_reused')
    return { outcome: 'reused', session: (await sessions.get(tenant, session.id)) ?? session }
  }
  if (!isAlive(session, at)) return { outcome: 'ended', session }
  await insertToken(db, tenant, session.id, tokens.next, at)
  const moving = db.updateTable('sessions').set({ idleUntil }).where('tenantId', '=', tenant).where('id', '=', session.id)
  await moving.execute()
  return { outcome: 'rotated', session: { ...session, idleUntil } }
}

async function insertToken(db: Kysely<Tables>, tenantId: string, sessionId: string, hash: string, issuedAt: number): Promise<void> {
  await db.insertInto('refreshTokens').values({ tenantId, hash, sessionId, issuedAt, usedAt: null }).execute()
}

function sessionOf({ endedAt, endedBecause, id, userId, createdAt, idleUntil, endsAt }: SessionRow): Session {
  const because = endedBecause === 'logout' || endedBecause === 'token_reused' ? endedBecause : 'revoked'
  return { id, userId, createdAt, idleUntil, endsAt, ended: endedAt === null ? undefined : { at: endedAt, because } }
}

function rowOf(tenantId: string, { ended, ...rest }: Session): SessionRow {
  return { ...rest, tenantId, endedAt: ended?.at ?? null, endedBecause: ended?.because ?? null }
}
