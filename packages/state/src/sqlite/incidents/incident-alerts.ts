import type { Alert } from '@tripline/model/alert'
import { withFacts } from '@tripline/model/incidents/incident'
import type { Incident, NewTimelineEntry } from '@tripline/model/incidents/incident'
import { addEntities, addToFacts, countEntities, noFacts, toEntityKey } from '@tripline/model/incidents/incident-facts'
import type { IncidentEntity } from '@tripline/model/incidents/incident-facts'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import { parseAlertRow } from '../rows/alert-row.ts'
import type { Tables } from '../rows/tables.ts'

/** Selects the alerts of an incident. */
export function selectMembers(db: Kysely<Tables>, tenant: TenantId, incidentId: string) {
  return db.selectFrom('incidentAlerts').innerJoin('alerts', (join) =>
    join.onRef('alerts.tenantId', '=', 'incidentAlerts.tenantId').onRef('alerts.id', '=', 'incidentAlerts.alertId'))
    .where('incidentAlerts.tenantId', '=', tenant).where('incidentAlerts.incidentId', '=', incidentId)
    .where('incidentAlerts.isMember', '=', 1).selectAll('alerts')
}

type NewMembers = { readonly incidentId: string; readonly alerts: readonly Alert[]; readonly at: number }

/** Adds alerts to an incident, but for those that are in it; returns the added ones, and the entities to show. */
export async function addMembers(
  db: Kysely<Tables>, tenant: TenantId, { incidentId, alerts, at }: NewMembers,
): Promise<{ readonly added: readonly Alert[]; readonly entities: readonly IncidentEntity[] }> {
  const members = new Set(await findMembers(db, tenant, incidentId, alerts.map(({ id }) => id)))
  const added = alerts.filter(({ id }) => !members.has(id))
  if (added.length > 0) {
    const rows = added.map(({ id }) => ({ tenantId: tenant, alertId: id, incidentId, addedAt: at, isMember: 1 }))
    const adding = db.insertInto('incidentAlerts').values(rows)
    const keys = ['tenantId', 'alertId', 'incidentId'] as const
    await adding.onConflict((conflict) => conflict.columns([...keys]).doUpdateSet({ addedAt: at, isMember: 1 })).execute()
    await setIncidentOfAlerts(db, tenant, { alertIds: added.map(({ id }) => id), incidentId, at })
    await countIn(db, tenant, incidentId, countEntities(added))
  }
  return { added, entities: await listShownEntities(db, tenant, incidentId) }
}

type TakenMembers = { readonly incident: Incident; readonly alertIds: readonly string[]; readonly at: number }

/** Removes alerts from an incident and computes anew what it knows of the others; returns those that were in it. */
export async function takeMembers(
  db: Kysely<Tables>, tenant: TenantId, { incident, alertIds, at }: TakenMembers,
): Promise<{ readonly next: Incident; readonly taken: readonly string[] }> {
  const taken = await findMembers(db, tenant, incident.id, alertIds)
  if (taken.length === 0) return { next: incident, taken }
  const leaving = db.updateTable('incidentAlerts').set({ isMember: 0 }).where('tenantId', '=', tenant)
  await leaving.where('incidentId', '=', incident.id).where('alertId', 'in', taken).execute()
  await setIncidentOfAlerts(db, tenant, { alertIds: taken, incidentId: '', at })
  const left = (await selectMembers(db, tenant, incident.id).execute()).map(parseAlertRow)
  await db.deleteFrom('incidentEntities').where('tenantId', '=', tenant).where('incidentId', '=', incident.id).execute()
  await countIn(db, tenant, incident.id, countEntities(left))
  const entities = await listShownEntities(db, tenant, incident.id)
  return { next: { ...withFacts(incident, addToFacts(noFacts, left)), entities }, taken }
}

export function toAddedEntry({ id, ruleTitle, level, firstEventAt }: Alert): NewTimelineEntry {
  const eventAt = new Date(firstEventAt).toISOString()
  return { action: 'alert_added', detail: { alert_id: id, rule_title: ruleTitle, severity: level, first_event_at: eventAt } }
}

export function toRemovedEntry(alertId: string): NewTimelineEntry {
  return { action: 'alert_removed', detail: { alert_id: alertId } }
}

async function findMembers(
  db: Kysely<Tables>, tenant: TenantId, incidentId: string, alertIds: readonly string[],
): Promise<readonly string[]> {
  if (alertIds.length === 0) return []
  const members = db.selectFrom('incidentAlerts').select('alertId').where('tenantId', '=', tenant).where('incidentId', '=', incidentId)
  const rows = await members.where('isMember', '=', 1).where('alertId', 'in', alertIds).orderBy('alertId').execute()
  return rows.map(({ alertId }) => alertId)
}

async function setIncidentOfAlerts(
  db: Kysely<Tables>, tenant: TenantId,
  { alertIds, incidentId, at }: { readonly alertIds: readonly string[]; readonly incidentId: string; readonly at: number },
): Promise<void> {
  const setting = db.updateTable('alerts').set((eb) => ({
    incidentId, version: eb('version', '+', 1), updatedAt: eb.case().when('updatedAt', '>', at).then(eb.ref('updatedAt')).else(at).end(),
  }))
  await setting.where('tenantId', '=', tenant).where('id', 'in', alertIds).execute()
}

/** Adds counts of entities to those of an incident. */
async function countIn(db: Kysely<Tables>, tenantId: TenantId, incidentId: string, counts: readonly IncidentEntity[]): Promise<void> {
  if (counts.length === 0) return
  const own = db.selectFrom('incidentEntities').selectAll().where('tenantId', '=', tenantId).where('incidentId', '=', incidentId)
  const values = counts.map(({ value }) => value)
  const known = new Map((await own.where('value', 'in', values).execute()).map((row) => [toEntityKey(row), row]))
  for (const count of counts) {
    const { kind, value, alertCount, firstAt, lastAt, firstEventAt, lastEventAt } = addEntities(known.get(toEntityKey(count)), count)
    const counted = { alertCount, firstAt, lastAt, firstEventAt, lastEventAt }
    const keys = ['tenantId', 'incidentId', 'kind', 'value'] as const
    const counting = db.insertInto('incidentEntities').values({ tenantId, incidentId, kind, value, ...counted })
    await counting.onConflict((conflict) => conflict.columns([...keys]).doUpdateSet(counted)).execute()
  }
}

/** The entities of most alerts. */
export async function listShownEntities(db: Kysely<Tables>, tenant: TenantId, incidentId: string): Promise<readonly IncidentEntity[]> {
  const selecting = db.selectFrom('incidentEntities')
    .select(['kind', 'value', 'alertCount', 'firstAt', 'lastAt', 'firstEventAt', 'lastEventAt'])
  const own = selecting.where('tenantId', '=', tenant).where('incidentId', '=', incidentId)
  return await own.orderBy('alertCount', 'desc').orderBy('kind').orderBy('value').limit(limits.state.incidentEntitiesMax).execute()
}
