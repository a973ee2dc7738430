import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { ObserveTerms } from '../../ports/assets/asset-store.ts'
import type { Tables } from '../rows/tables.ts'
import { removeAssets } from './asset-rows.ts'

/**
 * Keeps the assets that events alone tell of within their bound. Those seen for a short time only go first, oldest first: a
 * flood of made-up names evicts itself, and not the machines of yesterday.
 */
export async function evictAssets(
  db: Kysely<Tables>, tenant: string, { inferredMax = limits.assets.inferredMax, assetsMax = limits.assets.assetsMax }: ObserveTerms,
): Promise<ReadonlySet<string>> {
  const { count, inferred } = await db.selectFrom('assets').where('tenantId', '=', tenant)
    .select([sql<number>`count(*)`.as('count'), sql<number>`coalesce(sum(is_inferred), 0)`.as('inferred')]).executeTakeFirstOrThrow()
  const excess = Math.max(inferred - inferredMax, Math.min(inferred, count - assetsMax))
  if (excess <= 0) return new Set()
  const rows = await db.selectFrom('assets').select('id').where('tenantId', '=', tenant).where('isInferred', '=', 1)
    .orderBy(sql`case when last_seen_at - first_seen_at < ${limits.assets.probationMs} then 0 else 1 end`)
    .orderBy('lastSeenAt').orderBy('id').limit(excess).execute()
  await removeAssets(db, tenant, rows.map(({ id }) => id))
  return new Set(rows.map(({ id }) => id))
}
