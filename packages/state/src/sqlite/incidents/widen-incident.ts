import type { Alert } from '@tripline/model/alert'
import type { Kysely } from 'kysely'
import type { Tables } from '../rows/tables.ts'

/** Extends the times of an incident's events by those of an alert of it that has grown; it is no edit. */
export async function widenIncident(
  db: Kysely<Tables>, tenant: string, { incidentId, firstEventAt, lastEventAt }: Pick<Alert, 'incidentId' | 'firstEventAt' | 'lastEventAt'>,
): Promise<void> {
  if (incidentId === undefined) return
  const widening = db.updateTable('incidents').set((eb) => ({
    firstEventAt: eb.case().when('firstEventAt', '>', firstEventAt).then(firstEventAt).else(eb.ref('firstEventAt')).end(),
    lastEventAt: eb.case().when('lastEventAt', '<', lastEventAt).then(lastEventAt).else(eb.ref('lastEventAt')).end(),
    version: eb('version', '+', 1),
  }))
  const isWider = widening.where((eb) => eb.or([eb('firstEventAt', '>', firstEventAt), eb('lastEventAt', '<', lastEventAt)]))
  await isWider.where('tenantId', '=', tenant).where('id', '=', incidentId).execute()
}
