import { AppError, createBodyError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { Incident } from '@tripline/model/incidents/incident'
import type { Stores } from '@tripline/state/ports/state-store'
import { checkVersion, notFound, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../audit/name-actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { limits } from '../limits.ts'
import { findFreeAlerts } from './find-free-alerts.ts'
import { findChangeable, loadIncidentDetail } from './incidents.ts'
import type { IncidentDeps, IncidentDetail } from './incidents.ts'

/** The incident to change and its expected versions; undefined for any. */
type IncidentToMove = { readonly id: string; readonly versions: ExpectedVersions }

/**
 * Adds alerts to an incident; those that are in it change nothing.
 *
 * @throws AppError NOT_FOUND for the incident or an alert; CONFLICT for an alert of another incident, and at the limit.
 */
export function addIncidentAlerts(
  deps: IncidentDeps, caller: Principal, { id, versions, alertIds }: IncidentToMove & { readonly alertIds: readonly string[] },
): Promise<IncidentDetail> {
  return changing(deps, caller, { id, versions }, async ({ stores, incident, terms }) => {
    const alerts = await findFreeAlerts(stores, caller.tenant, alertIds, id)
    const fresh = alerts.filter(({ incidentId }) => incidentId === undefined)
    checkRoom(incident, fresh.length)
    const added = await stores.incidents.addAlerts(caller.tenant, id, fresh, { ...terms, expectedVersion: undefined })
    const diff = { alert_ids: [[], fresh.map((alert) => alert.id)] }
    if (fresh.length > 0) await note(stores, caller, { at: terms.at, action: 'incident.add_alerts', id, diff })
    return unwrapChange(added, 'incident')
  })
}

/** Removes an alert from an incident. It does not join one by itself again. @throws AppError NOT_FOUND for either. */
export function removeIncidentAlert(
  deps: IncidentDeps, caller: Principal, { id, versions, alertId }: IncidentToMove & { readonly alertId: string },
): Promise<IncidentDetail> {
  return changing(deps, caller, { id, versions }, async ({ stores, terms }) => {
    await requireMembers(stores, caller, id, [alertId])
    const removed = await stores.incidents.removeAlerts(caller.tenant, id, [alertId], { ...terms, expectedVersion: undefined })
    await note(stores, caller, { at: terms.at, action: 'incident.remove_alert', id, diff: { alert_ids: [[alertId], []] } })
    return unwrapChange(removed, 'incident')
  })
}

/**
 * Merges other incidents into one, which gets their alerts and copies of their comments. They are closed, keep their
 * timelines, and refer to it.
 *
 * @throws AppError NOT_FOUND; INVALID_BODY for an incident that is to be merged into itself; CONFLICT for one that was merged,
 *   and at the limits of alerts and comments.
 */
export function mergeIncidents(
  deps: IncidentDeps, caller: Principal, { id, versions, sourceIds }: IncidentToMove & { readonly sourceIds: readonly string[] },
): Promise<IncidentDetail> {
  const { tenant } = caller
  if (sourceIds.includes(id)) throw createBodyError('incident_ids', 'must not contain the incident that they are merged into')
  return changing(deps, caller, { id, versions }, async ({ stores, incident, terms }) => {
    const sources: Incident[] = []
    for (const sourceId of new Set(sourceIds)) {
      if (await stores.incidents.get(tenant, sourceId) === undefined) {
        throw new AppError('NOT_FOUND', 'there is no such incident', { parameter: 'incident_ids' })
      }
      sources.push(await findChangeable(stores, tenant, sourceId))
    }
    const sum = (count: (one: Incident) => number): number => sources.reduce((total, source) => total + count(source), 0)
    checkRoom(incident, sum(({ alertCount }) => alertCount))
    const { commentsMax } = limits.lists
    if (incident.commentCount + sum(({ commentCount }) => commentCount) > commentsMax) {
      throw new AppError('CONFLICT', `the incidents have more than ${commentsMax} comments together`, { limit: commentsMax })
    }
    for (const source of sources) {
      const alerts = await stores.incidents.alerts(tenant, source.id, limits.incidents.alertsMax)
      const move = { from: source.id, to: id, alerts, fromAction: 'merged_into', toAction: 'merged_from' } as const
      await stores.incidents.moveAlerts(tenant, move, terms)
      await stores.incidents.markMerged(tenant, source.id, id, terms)
      await note(stores, caller, { at: terms.at, action: 'incident.merge', id: source.id, diff: { merged_into: [null, id] } })
    }
    const diff = { merged_from: [[], sources.map((source) => source.id)] }
    await note(stores, caller, { at: terms.at, action: 'incident.merge', id, diff })
    return requireFound(await stores.incidents.get(tenant, id), 'incident')
  })
}

/**
 * Splits alerts of an incident off into a new one, with a severity of their own. Both timelines refer to each other.
 *
 * @throws AppError NOT_FOUND for the incident, and for an alert that is not in it; INVALID_BODY for all of its alerts.
 */
export async function splitIncident(
  deps: IncidentDeps, caller: Principal,
  { id, versions, alertIds, title }: IncidentToMove & { readonly alertIds: readonly string[]; readonly title: string | undefined },
): Promise<IncidentDetail> {
  const { tenant } = caller
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const incident = await findChangeable(stores, tenant, id)
    checkVersion(incident, versions, 'incident')
    const alerts = await requireMembers(stores, caller, id, alertIds)
    if (alerts.length === incident.alertCount) throw createBodyError('alert_ids', 'must leave the incident at least one alert')
    const terms = { at, by: await nameActor(stores, caller) }
    const newId = createUuidV7(at, deps.randomBytes)
    const named = title ?? `${incident.title} (split off)`.slice(0, limits.incidents.titleLengthMax)
    const origin = caller.actor.type === 'api_key' ? 'api' : 'user'
    const opened = { id: newId, title: named, description: '', origin, assignee: incident.assignee, level: undefined } as const
    const splitOff = await stores.incidents.split(tenant, opened, { from: id, alerts }, terms)
    const moved = alerts.map((alert) => alert.id)
    await note(stores, caller, { at, action: 'incident.split', id, diff: { alert_ids: [moved, []], split_into: [null, newId] } })
    await note(stores, caller, { at, action: 'incident.create', id: newId, diff: { title: [null, named], split_from: [null, id] } })
    return await loadIncidentDetail(stores, tenant, splitOff)
  })
}

type Work = {
  readonly stores: Stores
  readonly incident: Incident
  readonly terms: { readonly at: number; readonly by: string }
}

/** Changes an incident in a transaction, if it has an expected version, and returns its detail. */
async function changing(
  deps: IncidentDeps, caller: Principal, { id, versions }: IncidentToMove, work: (work: Work) => Promise<Incident>,
): Promise<IncidentDetail> {
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const incident = await findChangeable(stores, caller.tenant, id)
    checkVersion(incident, versions, 'incident')
    const terms = { at, by: await nameActor(stores, caller) }
    return await loadIncidentDetail(stores, caller.tenant, await work({ stores, incident, terms }))
  })
}

/** @throws AppError NOT_FOUND for an alert that is not in the incident. */
async function requireMembers(stores: Pick<Stores, 'alerts'>, { tenant }: Principal, id: string, alertIds: readonly string[]) {
  const found = []
  for (const alertId of new Set(alertIds)) {
    const alert = await stores.alerts.get(tenant, alertId)
    if (alert?.incidentId !== id) throw notFound('alert in this incident')
    found.push(alert)
  }
  return found
}

function checkRoom({ alertCount }: Incident, more: number): void {
  const { alertsMax } = limits.incidents
  if (alertCount + more <= alertsMax) return
  throw new AppError('CONFLICT', `an incident has at most ${alertsMax} alerts; open another one`, { limit: alertsMax })
}

type Note = {
  readonly at: number
  readonly action: string
  readonly id: string
  readonly diff: { readonly [name: string]: unknown }
}

async function note(stores: Stores, caller: Principal, { at, action, id, diff }: Note): Promise<void> {
  await recordAudit(stores, caller, { at, action, target: { type: 'incident', id }, diff })
}
