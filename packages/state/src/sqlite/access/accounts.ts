import { normalizeAccountEmail } from '@tripline/model/access/account'
import type { Kysely } from 'kysely'
import type { AccountStore } from '../../ports/state-store.ts'
import { inTransaction } from '../query/database.ts'
import type { Tables } from '../rows/tables.ts'
import { requireIntact } from '../query/row-checksums.ts'

/** The accounts, and the tenants in which they are users. */
export function accountStore(db: Kysely<Tables>): AccountStore {
  const changing = (email: string) => db.updateTable('accounts').where('email', '=', normalizeAccountEmail(email))
  return {
    async insert({ email, passwordHash = null, hasOneTimePassword = false, totpSecret }) {
      const secrets = { passwordHash, hasOneTimePassword: Number(hasOneTimePassword), totpSecret: totpSecret ?? null }
      const row = { email: normalizeAccountEmail(email), ...secrets, totpStepUsed: 0 }
      const inserting = db.insertInto('accounts').values(row).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    async find(email) {
      const finding = db.selectFrom('accounts').selectAll().where('email', '=', normalizeAccountEmail(email))
      const row = requireIntact('accounts', await finding.executeTakeFirst())
      if (row === undefined) return undefined
      const users = db.selectFrom('users').innerJoin('tenants', 'tenants.id', 'users.tenantId')
        .select(['users.tenantId as tenant', 'users.id as userId'])
        // A user of an external issuer may have the same address, and no password of ours opens that user.
        .where('users.account', '=', row.email).where('users.externalIssuer', '=', '')
        .where('users.isActive', '=', 1).where('tenants.isActive', '=', 1)
      const memberships = await users.orderBy('users.tenantId').execute()
      const totpSecret = row.totpSecret ?? undefined
      const hasOneTimePassword = row.hasOneTimePassword === 1
      return { ...row, passwordHash: row.passwordHash ?? undefined, hasOneTimePassword, totpSecret, memberships }
    },
    async tenantsOf(email) {
      const users = db.selectFrom('users').select('tenantId')
        .where('account', '=', normalizeAccountEmail(email)).where('externalIssuer', '=', '')
      return (await users.orderBy('tenantId').execute()).map(({ tenantId }) => tenantId)
    },
    async replacePasswordHash(email, { from, to }) {
      const replacing = changing(email).set({ passwordHash: to, hasOneTimePassword: 0 }).where('passwordHash', '=', from)
      return (await replacing.executeTakeFirst()).numUpdatedRows === 1n
    },
    async setPasswordHash(email, hash, use) {
      const setting = changing(email).set({ passwordHash: hash ?? null, hasOneTimePassword: Number(use === 'one_time') })
      return (await setting.executeTakeFirst()).numUpdatedRows === 1n
    },
    async setTotpSecret(email, sealed) {
      return (await changing(email).set({ totpSecret: sealed ?? null }).executeTakeFirst()).numUpdatedRows === 1n
    },
    async useTotpStep(email, step) {
      const using = changing(email).set({ totpStepUsed: step }).where('totpStepUsed', '<', step)
      return (await using.executeTakeFirst()).numUpdatedRows === 1n
    },
    remove: (email) =>
      inTransaction(db, async (db) => {
        if ((await accountStore(db).tenantsOf(email)).length > 0) return false
        const removing = db.deleteFrom('accounts').where('email', '=', normalizeAccountEmail(email))
        return (await removing.executeTakeFirst()).numDeletedRows === 1n
      }),
  }
}
