import type { Kysely } from 'kysely'
import { accountName } from '../domain/account.ts'
import type { AccountStore } from './state-store.ts'
import type { Tables } from './tables.ts'

/** The accounts of persons, and of which tenants they are users. */
export function accountStore(db: Kysely<Tables>): AccountStore {
  const changing = (email: string) => db.updateTable('accounts').where('email', '=', accountName(email))
  return {
    async insert({ email, passwordHash = null, totpSecret }) {
      const row = { email: accountName(email), passwordHash, totpSecret: secretText(totpSecret), totpStepUsed: 0 }
      const inserting = db.insertInto('accounts').values(row).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    async find(email) {
      const row = await db.selectFrom('accounts').selectAll().where('email', '=', accountName(email)).executeTakeFirst()
      if (row === undefined) return undefined
      const users = db.selectFrom('users').select(['tenantId', 'id']).where('account', '=', row.email).where('isActive', '=', 1)
      const memberships = (await users.orderBy('tenantId').execute()).map(({ tenantId, id }) => ({ tenant: tenantId, userId: id }))
      const totpSecret = row.totpSecret === null ? undefined : Buffer.from(row.totpSecret, 'base64url')
      return { ...row, passwordHash: row.passwordHash ?? undefined, totpSecret, memberships }
    },
    async replacePasswordHash(email, { from, to }) {
      const replacing = changing(email).set({ passwordHash: to }).where('passwordHash', '=', from)
      return (await replacing.executeTakeFirst()).numUpdatedRows === 1n
    },
    async setPasswordHash(email, hash) {
      return (await changing(email).set({ passwordHash: hash ?? null }).executeTakeFirst()).numUpdatedRows === 1n
    },
    async setTotpSecret(email, secret) {
      return (await changing(email).set({ totpSecret: secretText(secret) }).executeTakeFirst()).numUpdatedRows === 1n
    },
    async useTotpStep(email, step) {
      const using = changing(email).set({ totpStepUsed: step }).where('totpStepUsed', '<', step)
      return (await using.executeTakeFirst()).numUpdatedRows === 1n
    },
  }
}

function secretText(secret: Uint8Array | undefined): string | null {
  return secret === undefined ? null : Buffer.from(secret).toString('base64url')
}
