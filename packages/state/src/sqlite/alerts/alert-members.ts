import type { EventRef } from '@tripline/formats/event/event-id'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import { toEventRefColumns } from '../rows/alert-row.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores which events a correlation counted, until an alert has as many as it keeps. */
export async function insertMembers(
  db: Kysely<Tables>, tenantId: string, alertId: string, refs: readonly EventRef[],
): Promise<void> {
  if (refs.length === 0) return
  const known = db.selectFrom('alertMembers').where('tenantId', '=', tenantId).where('alertId', '=', alertId)
  const { count } = await known.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = refs.flatMap((ref) => {
    const { eventAt, eventOffset } = toEventRefColumns(ref)
    return eventAt === null || eventOffset === null ? [] : [{ tenantId, alertId, eventAt, eventOffset }]
  }).slice(0, limits.state.memberEventsMax - count)
  // Windows of matches overlap, so that an event may be known.
  if (rows.length > 0) await db.insertInto('alertMembers').values(rows).onConflict((conflict) => conflict.doNothing()).execute()
}

/** The alerts with a match of an event, or with a correlation that counted it. */
export async function listAlertsOfEvent(db: Kysely<Tables>, tenant: string, ref: EventRef): Promise<readonly string[]> {
  const { eventAt, eventOffset } = toEventRefColumns(ref)
  if (eventOffset === null) return []
  const ids = new Set<string>()
  for (const table of ['alertMatches', 'alertMembers'] as const) {
    const ofEvent = db.selectFrom(table).select('alertId')
      .where('tenantId', '=', tenant).where('eventOffset', '=', eventOffset).where('eventAt', '=', eventAt)
    const rows = await ofEvent.limit(limits.state.alertsOfEventMax).execute()
    for (const { alertId } of rows) ids.add(alertId)
  }
  // Sorted here: in SQL the index of alerts would be taken, and all matches of the tenant read.
  return [...ids].sort()
}
