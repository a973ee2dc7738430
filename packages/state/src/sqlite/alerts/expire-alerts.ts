import type { Kysely } from 'kysely'
import type { Tables } from '../rows/tables.ts'

/**
 * Removes alerts last changed before an instant, oldest first and at most `limit`, with their matches and comments;
 * returns how many. Alerts of an incident stay as long as it does. The counts of verdicts stay.
 */
export async function removeOldAlerts(
  db: Kysely<Tables>, tenantId: string, { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const selecting = db.selectFrom('alerts').select(['id', 'status', 'level']).where('tenantId', '=', tenantId)
  const expired = selecting.where('updatedAt', '<', before).where((eb) => eb.not(eb.exists(
    eb.selectFrom('incidents').select('incidents.id').whereRef('incidents.tenantId', '=', 'alerts.tenantId')
      .whereRef('incidents.id', '=', 'alerts.incidentId'),
  )))
  const old = await expired.orderBy('updatedAt').orderBy('id').limit(limit).execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  await db.deleteFrom('alertComments').where('tenantId', '=', tenantId).where('alertId', 'in', ids).execute()
  await db.deleteFrom('alertMembers').where('tenantId', '=', tenantId).where('alertId', 'in', ids).execute()
  await db.deleteFrom('alertMatches').where('tenantId', '=', tenantId).where('alertId', 'in', ids).execute()
  await db.deleteFrom('alerts').where('tenantId', '=', tenantId).where('id', 'in', ids).execute()
  for (const { status, level } of old) {
    const counted = db.updateTable('alertCounts').where('tenantId', '=', tenantId).where('status', '=', status)
    await counted.where('level', '=', level).set((eb) => ({ count: eb('count', '-', 1) })).execute()
  }
  return old.length
}
