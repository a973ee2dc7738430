import type { Kysely } from 'kysely'
import { roles } from '../domain/user.ts'
import type { Role, User } from '../domain/user.ts'
import { compareAndSet } from './compare-and-set.ts'
import { inTransaction } from './database.ts'
import { listOf } from './stored-list.ts'
import type { UserStore } from './state-store.ts'
import type { Tables, UserRow } from './tables.ts'

/** The users of tenants. */
export function userStore(db: Kysely<Tables>): UserStore {
  const rowsOf = (tenant: string) => db.selectFrom('users').selectAll().where('tenantId', '=', tenant)
  const get = async (tenant: string, id: string) => {
    const row = await rowsOf(tenant).where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : userOf(row)
  }
  const findByEmail = async (tenant: string, email: string) => {
    const row = await rowsOf(tenant).where('emailFolded', '=', foldEmail(email)).executeTakeFirst()
    return row === undefined ? undefined : userOf(row)
  }
  return {
    async insert(tenant, user, passwordHash) {
      const row = { ...columnsOf(user), tenantId: tenant, passwordHash: passwordHash ?? null }
      const inserting = db.insertInto('users').values(row).onConflict((conflict) => conflict.doNothing())
      return (await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n ? 'inserted' : 'taken'
    },
    get,
    findByEmail,
    async list(tenant) {
      return (await rowsOf(tenant).orderBy('id').execute()).map(userOf)
    },
    async passwordHash(tenant, id) {
      const row = await rowsOf(tenant).where('id', '=', id).executeTakeFirst()
      return row?.passwordHash ?? undefined
    },
    update: (tenant, id, { passwordHash, ...change }, terms) =>
      inTransaction(db, async (db) => {
        const users = userStore(db)
        const holder = change.email === undefined ? undefined : await users.findByEmail(tenant, change.email)
        if (holder !== undefined && holder.id !== id && (await users.get(tenant, id)) !== undefined) return { outcome: 'taken' }
        return await compareAndSet(terms, {
          read: () => users.get(tenant, id),
          next: (current) => ({ ...current, ...change, version: current.version + 1, updatedAt: terms.at }),
          write: async (next, { version }) => {
            const columns = { ...columnsOf(next), ...(passwordHash === undefined ? {} : { passwordHash }) }
            const writing = db.updateTable('users').set(columns).where('tenantId', '=', tenant).where('id', '=', id)
            return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
          },
        })
      }),
  }
}

/** An email in the form in which it is unique. */
export function foldEmail(email: string): string {
  return email.normalize('NFC').toLowerCase()
}

function userOf(row: UserRow): User {
  const { id, email, name, version, createdAt, updatedAt } = row
  return { id, email, name, version, createdAt, updatedAt, isActive: row.isActive === 1, roles: listOf(row.roles).filter(isRole) }
}

function columnsOf({ isActive, roles: held, ...rest }: User): Omit<UserRow, 'tenantId' | 'passwordHash'> {
  return { ...rest, emailFolded: foldEmail(rest.email), isActive: Number(isActive), roles: JSON.stringify(held) }
}

/** A role that a later program wrote and this one does not know allows nothing. */
function isRole(text: string): text is Role {
  return (roles as readonly string[]).includes(text)
}
