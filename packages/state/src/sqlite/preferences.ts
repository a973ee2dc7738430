import { isJsonObject } from '@tripline/common/json'
import type { Preferences } from '@tripline/model/preferences'
import type { Kysely } from 'kysely'
import type { PreferenceStore } from '../ports/preference-store.ts'
import { inTransaction } from './query/database.ts'
import type { Tables } from './rows/tables.ts'

/** Stores the preferences of each user as one JSON text. */
export function preferenceStore(db: Kysely<Tables>): PreferenceStore {
  const get = async (tenant: string, userId: string): Promise<Preferences> => {
    const rows = db.selectFrom('userPreferences').select(['content', 'version']).where('tenantId', '=', tenant)
    const row = await rows.where('userId', '=', userId).executeTakeFirst()
    const content: unknown = row === undefined ? {} : JSON.parse(row.content)
    return { content: isJsonObject(content) ? content : {}, version: row?.version ?? 0 }
  }
  return {
    get,
    put: (tenantId, userId, content, { expectedVersion, at }) =>
      inTransaction(db, async (db) => {
        const users = db.selectFrom('users').select('id').where('tenantId', '=', tenantId).where('id', '=', userId)
        if (await users.executeTakeFirst() === undefined) return { outcome: 'missing' }
        const current = await preferenceStore(db).get(tenantId, userId)
        if (expectedVersion !== undefined && expectedVersion !== current.version) return { outcome: 'stale', version: current.version }
        const text = JSON.stringify(content)
        if (text === JSON.stringify(current.content)) return { outcome: 'unchanged', value: current }
        const next = { content, version: current.version + 1 }
        const stored = { content: text, version: next.version, updatedAt: at }
        await db.insertInto('userPreferences').values({ tenantId, userId, ...stored })
          .onConflict((conflict) => conflict.columns(['tenantId', 'userId']).doUpdateSet(stored)).execute()
        return { outcome: 'changed', value: next }
      }),
  }
}
