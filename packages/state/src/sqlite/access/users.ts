import { normalizeAccountEmail } from '@tripline/model/access/account'
import { isRole } from '@tripline/model/access/permission'
import type { User } from '@tripline/model/access/user'
import type { Kysely } from 'kysely'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { parseTextList } from '../rows/stored-list.ts'
import type { UserChange, UserStore } from '../../ports/state-store.ts'
import type { Tables, UserRow } from '../rows/tables.ts'
import { requireIntact, takeIntact } from '../query/row-checksums.ts'

/** Stores the users of tenants. */
export function userStore(db: Kysely<Tables>): UserStore {
  const rowsOf = (tenant: string) => db.selectFrom('users').selectAll().where('tenantId', '=', tenant)
  const get = async (tenant: string, id: string) => {
    const row = requireIntact('users', await rowsOf(tenant).where('id', '=', id).executeTakeFirst())
    return row === undefined ? undefined : parseUserRow(row)
  }
  const findByEmail = async (tenant: string, email: string) => {
    const row = requireIntact('users', await rowsOf(tenant).where('account', '=', normalizeAccountEmail(email)).executeTakeFirst())
    return row === undefined ? undefined : parseUserRow(row)
  }
  return {
    async insert(tenant, user) {
      const row = { ...toUserColumns(user), tenantId: tenant }
      const inserting = db.insertInto('users').values(row).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    get,
    findByEmail,
    async list(tenant) {
      return takeIntact('users', await rowsOf(tenant).orderBy('id').execute()).map(parseUserRow)
    },
    update: (tenant, id, change, terms) =>
      inTransaction(db, async (db) => {
        const users = userStore(db)
        const holder = change.email === undefined ? undefined : await users.findByEmail(tenant, change.email)
        if (holder !== undefined && holder.id !== id && (await users.get(tenant, id)) !== undefined) return { outcome: 'taken' }
        return await compareAndSet(terms, {
          read: () => users.get(tenant, id),
          next: (current) => applyUserChange(current, change, terms.at),
          write: async (next, { version }) => {
            const writing = db.updateTable('users').set(toUserColumns(next)).where('tenantId', '=', tenant).where('id', '=', id)
            return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
          },
        })
      }),
    remove: (tenant, id) =>
      inTransaction(db, async (db) => {
        await db.deleteFrom('sessions').where('tenantId', '=', tenant).where('userId', '=', id).execute()
        await db.deleteFrom('userPreferences').where('tenantId', '=', tenant).where('userId', '=', id).execute()
        const ownViews = db.deleteFrom('savedViews').where('tenantId', '=', tenant).where('ownerId', '=', id)
        await ownViews.where('isShared', '=', 0).execute()
        const removing = db.deleteFrom('users').where('tenantId', '=', tenant).where('id', '=', id)
        return (await removing.executeTakeFirst()).numDeletedRows === 1n
      }),
  }
}

/** Increments the version of permissions if they change, so that earlier tokens are rejected. */
function applyUserChange(current: User, change: UserChange, at: number): User {
  const next = { ...current, ...change, version: current.version + 1, updatedAt: at }
  const isAllowedTheSame = next.isActive === current.isActive && next.roles.join() === current.roles.join()
  return isAllowedTheSame ? next : { ...next, permissionsVersion: current.permissionsVersion + 1 }
}

function parseUserRow({ tenantId: _tenant, account: _account, isActive, roles, externalIssuer, tokensValidFrom, ...rest }: UserRow): User {
  // A role of a later program version is unknown and allows nothing.
  const user = { ...rest, isActive: isActive === 1, roles: parseTextList(roles).filter(isRole) }
  return externalIssuer === '' ? user : { ...user, externalIssuer, tokensValidFrom }
}

function toUserColumns({ isActive, roles, externalIssuer = '', tokensValidFrom = 0, ...rest }: User): Omit<UserRow, 'tenantId'> {
  const columns = { ...rest, account: normalizeAccountEmail(rest.email), externalIssuer, tokensValidFrom }
  return { ...columns, isActive: Number(isActive), roles: JSON.stringify(roles) }
}
