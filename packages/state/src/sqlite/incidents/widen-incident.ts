import type { Alert } from '@tripline/model/alert'
import { listEntities } from '@tripline/model/incidents/incident-facts'
import type { Kysely } from 'kysely'
import type { Tables } from '../rows/tables.ts'
import { listShownEntities } from './incident-alerts.ts'

/** Extends the times of an incident's events, and of those of its entities, by those of an alert of it that has grown; it is no edit. */
export async function widenIncident(db: Kysely<Tables>, tenant: string, alert: Alert): Promise<void> {
  const { incidentId, firstEventAt, lastEventAt } = alert
  if (incidentId === undefined) return
  let isEntityWider = false
  for (const { kind, value } of listEntities(alert)) {
    const widening = db.updateTable('incidentEntities').set((eb) => ({
      firstEventAt: eb.case().when('firstEventAt', '>', firstEventAt).then(firstEventAt).else(eb.ref('firstEventAt')).end(),
      lastEventAt: eb.case().when('lastEventAt', '<', lastEventAt).then(lastEventAt).else(eb.ref('lastEventAt')).end(),
    })).where('tenantId', '=', tenant).where('incidentId', '=', incidentId).where('kind', '=', kind).where('value', '=', value)
    const isWider = widening.where((eb) => eb.or([eb('firstEventAt', '>', firstEventAt), eb('lastEventAt', '<', lastEventAt)]))
    if ((await isWider.executeTakeFirstOrThrow()).numUpdatedRows > 0n) isEntityWider = true
  }
  const entities = isEntityWider ? JSON.stringify(await listShownEntities(db, tenant, incidentId)) : undefined
  const widening = db.updateTable('incidents').set((eb) => ({
    firstEventAt: eb.case().when('firstEventAt', '>', firstEventAt).then(firstEventAt).else(eb.ref('firstEventAt')).end(),
    lastEventAt: eb.case().when('lastEventAt', '<', lastEventAt).then(lastEventAt).else(eb.ref('lastEventAt')).end(),
    ...(entities !== undefined && { entities }),
    version: eb('version', '+', 1),
  })).where('tenantId', '=', tenant).where('id', '=', incidentId)
  if (entities !== undefined) await widening.execute()
  else await widening.where((eb) => eb.or([eb('firstEventAt', '>', firstEventAt), eb('lastEventAt', '<', lastEventAt)])).execute()
}
