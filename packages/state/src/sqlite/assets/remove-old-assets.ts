import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { limits } from '../../limits.ts'
import type { Tables } from '../rows/tables.ts'
import { removeAssets } from './asset-rows.ts'

/** Removes what happened to assets before a moment, and the assets that events alone told of before it. */
export async function removeOldAssets(db: Kysely<Tables>, tenant: string, before: number): Promise<number> {
  const old = await db.selectFrom('assets').select('id').where('tenantId', '=', tenant).where('isInferred', '=', 1)
    .where('lastSeenAt', '<', before).limit(limits.assets.inferredMax).execute()
  await db.deleteFrom('assetActivity').where('tenantId', '=', tenant).where('at', '<', before).execute()
  await db.deleteFrom('assetBindings').where('tenantId', '=', tenant).where('lastSeenAt', '<', before).execute()
  // The newest score stays: it is the one of now, however long ago it came.
  await db.deleteFrom('assetRisks').where('tenantId', '=', tenant).where('at', '<', before).where((eb) => eb('at', '<',
    eb.selectFrom('assetRisks as newer').select(sql<number>`max(newer.at)`.as('at'))
      .whereRef('newer.tenantId', '=', 'assetRisks.tenantId').whereRef('newer.assetId', '=', 'assetRisks.assetId'))).execute()
  return await removeAssets(db, tenant, old.map(({ id }) => id))
}
