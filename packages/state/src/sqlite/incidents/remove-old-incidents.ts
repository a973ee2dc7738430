import type { Kysely } from 'kysely'
import type { Tables } from '../rows/tables.ts'

/**
 * Removes incidents last changed before an instant, oldest first and at most `limit`, with all of theirs; returns how many.
 * Their alerts stay, without an incident, until they are removed themselves.
 */
export async function removeOldIncidents(
  db: Kysely<Tables>, tenant: string, { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const selecting = db.selectFrom('incidents').select('id').where('tenantId', '=', tenant).where('updatedAt', '<', before)
  const ids = (await selecting.orderBy('updatedAt').orderBy('id').limit(limit).execute()).map(({ id }) => id)
  if (ids.length === 0) return 0
  const members = db.selectFrom('incidentAlerts').select('alertId').where('tenantId', '=', tenant).where('incidentId', 'in', ids)
  await db.updateTable('alerts').set({ incidentId: '' }).where('tenantId', '=', tenant).where('incidentId', 'in', ids)
    .where('id', 'in', members).execute()
  for (const table of ['incidentTimeline', 'incidentComments', 'incidentEntities', 'incidentAlerts'] as const) {
    await db.deleteFrom(table).where('tenantId', '=', tenant).where('incidentId', 'in', ids).execute()
  }
  await db.deleteFrom('incidents').where('tenantId', '=', tenant).where('id', 'in', ids).execute()
  return ids.length
}
