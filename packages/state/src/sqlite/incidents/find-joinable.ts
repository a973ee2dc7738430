import type { JoinableIncident } from '@tripline/model/incidents/grouping'
import { entityKinds } from '@tripline/model/incidents/incident-facts'
import type { Entity, IncidentEntity } from '@tripline/model/incidents/incident-facts'
import { activeIncidentStatuses } from '@tripline/model/incidents/incident-status'
import type { TenantId } from '@tripline/model/tenant'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Tables } from '../rows/tables.ts'

/** The active incidents that one of the entities was seen in, in a range of time, with those of the entities. */
export async function findJoinable(
  db: Kysely<Tables>, tenant: TenantId, entities: readonly Entity[], { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly JoinableIncident[]> {
  const found = new Map<string, JoinableIncident & { readonly entities: IncidentEntity[] }>()
  for (const kind of entityKinds) {
    const values = [...new Set(entities.filter((entity) => entity.kind === kind).map(({ value }) => value))]
    if (values.length === 0) continue
    const seen = db.selectFrom('incidentEntities as seen').innerJoin('incidents', (join) =>
      join.onRef('incidents.tenantId', '=', 'seen.tenantId').onRef('incidents.id', '=', 'seen.incidentId'))
      .where('seen.tenantId', '=', tenant).where('seen.kind', '=', kind).where('seen.value', 'in', values)
      .where('seen.lastAt', '>=', from).where('seen.firstAt', '<=', to)
      .where('incidents.status', 'in', [...activeIncidentStatuses])
    const rows = await seen.select([
      'incidents.id', 'incidents.createdAt', sql.ref<number>('incidents.alertCount').as('incidentAlertCount'),
      'seen.value', 'seen.alertCount', 'seen.firstAt', 'seen.lastAt', 'seen.firstEventAt', 'seen.lastEventAt',
    ]).execute()
    for (const { id, createdAt, incidentAlertCount, ...entity } of rows) {
      const incident = found.get(id) ?? { id, createdAt, alertCount: incidentAlertCount, entities: [] }
      incident.entities.push({ kind, ...entity })
      found.set(id, incident)
    }
  }
  return [...found.values()]
}
