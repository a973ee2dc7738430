import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Level } from '@tripline/engine'
import type { Principal } from '@tripline/model/access/principal'
import type { Alert } from '@tripline/model/alert'
import type { Asset } from '@tripline/model/enrichment/asset'
import { createUuidV7 } from '@tripline/model/ids'
import { changeIncident } from '@tripline/model/incidents/incident'
import type { Incident, IncidentChange, IncidentComment, IncidentOrigin, TimelineEntry } from '@tripline/model/incidents/incident'
import type { PlaybookRun } from '@tripline/model/playbooks/playbook'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { checkVersion, requireFound, unwrapChange } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { nameActor } from '../audit/name-actor.ts'
import { resolveAssignee } from '../access/resolve-assignee.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { CursorDeps } from '../http/lists/cursor.ts'
import { readListPage } from '../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../http/lists/list-page.ts'
import { limits } from '../limits.ts'
import { findFreeAlerts } from './find-free-alerts.ts'

/** What incidents need of the server. */
export type IncidentDeps = CursorDeps & {
  readonly state: StateStore
  readonly randomBytes: Runtime['randomBytes']
}

/** An incident with what belongs to it. */
export type IncidentDetail = {
  readonly incident: Incident
  /** The newest alerts. */
  readonly alerts: readonly Alert[]
  readonly comments: readonly IncidentComment[]
  /** The last entries, oldest first. */
  readonly timeline: readonly TimelineEntry[]
  /** The assets that its hosts are. */
  readonly assets: readonly Asset[]
  /** The runs of playbooks about it, oldest first: their steps are its response actions. */
  readonly runs: readonly PlaybookRun[]
}

type IncidentToCreate = {
  readonly title: string
  readonly description: string
  /** Undefined: that of its alerts. */
  readonly level: Level | undefined
  readonly assignee: string | undefined
  readonly alertIds: readonly string[]
  readonly origin: Extract<IncidentOrigin, 'user' | 'api'>
}

/** A requested change of an incident. */
type IncidentUpdate = IncidentChange & { readonly comment?: string }

type IncidentUpdateRequest = {
  readonly id: string
  /** The change, or what makes one of the incident as it is: a vocabulary may have one word for several statuses. */
  readonly update: IncidentUpdate | ((current: Incident) => IncidentUpdate)
  readonly versions: ExpectedVersions
}

/** What the audit trail calls a change. */
const auditNames = new Map([
  ['title_changed', 'title'], ['description_changed', 'description'], ['status_changed', 'status'], ['severity_changed', 'severity'],
  ['assignee_changed', 'assignee'], ['resolution_noted', 'resolution_note'],
])

/** Lists incidents of a tenant, page by page. */
export async function listIncidents(deps: IncidentDeps, tenant: TenantId, request: ListRequest): Promise<ListPage<Incident>> {
  return await readListPage(deps, { tenant, endpoint: 'incidents' }, request, deps.state.incidents)
}

/** @throws AppError NOT_FOUND. */
export async function getIncident({ state }: Pick<IncidentDeps, 'state'>, tenant: TenantId, id: string): Promise<IncidentDetail> {
  return await loadIncidentDetail(state, tenant, requireFound(await state.incidents.get(tenant, id), 'incident'))
}

/** Lists the comments of an incident, oldest first. @throws AppError NOT_FOUND. */
export async function listIncidentComments(
  { state: { incidents } }: Pick<IncidentDeps, 'state'>, tenant: TenantId, id: string,
): Promise<readonly IncidentComment[]> {
  requireFound(await incidents.get(tenant, id), 'incident')
  return await incidents.comments(tenant, id)
}

/** Lists the timeline of an incident, page by page. @throws AppError NOT_FOUND. */
export async function listIncidentTimeline(
  deps: IncidentDeps, tenant: TenantId, id: string, request: ListRequest,
): Promise<ListPage<TimelineEntry>> {
  const { incidents, incidentTimeline } = deps.state
  requireFound(await incidents.get(tenant, id), 'incident')
  const where = [...request.where, { field: 'incident_id', operator: 'eq', value: id } as const]
  return await readListPage(deps, { tenant, endpoint: `incidents/${id}/timeline` }, { ...request, where }, incidentTimeline)
}

/**
 * Opens an incident, with alerts that are in none.
 *
 * @throws AppError NOT_FOUND for an alert, CONFLICT for one of another incident, INVALID_BODY for the assignee.
 */
export async function createIncident(deps: IncidentDeps, caller: Principal, asked: IncidentToCreate): Promise<IncidentDetail> {
  const { tenant } = caller
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const { alertIds, assignee: wanted, ...stated } = asked
    const alerts = await findFreeAlerts(stores, tenant, alertIds)
    const by = await nameActor(stores, caller)
    const { assignee } = await resolveAssignee(stores, tenant, wanted)
    const id = createUuidV7(at, deps.randomBytes)
    const incident = await stores.incidents.insert(tenant, { ...stated, id, assignee: assignee ?? undefined }, alerts, { at, by })
    const diff = { title: [null, incident.title], severity: [null, incident.level], alert_ids: [[], [...alertIds]] }
    await recordAudit(stores, caller, { at, action: 'incident.create', target: { type: 'incident', id }, diff })
    return await loadIncidentDetail(stores, tenant, incident)
  })
}

/**
 * Changes an incident, adds a comment, or both. A request that changes nothing is neither recorded nor published.
 *
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED with the current version; INVALID_BODY for the assignee, and for closing
 *   without a note where the tenant requires one; CONFLICT for a merged incident and at a limit.
 */
export async function updateIncident(
  deps: IncidentDeps, caller: Principal, { id, update, versions }: IncidentUpdateRequest,
): Promise<IncidentDetail> {
  const { tenant } = caller
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    const before = await findChangeable(stores, tenant, id)
    checkVersion(before, versions, 'incident')
    const { comment, ...wanted } = typeof update === 'function' ? update(before) : update
    const change = { ...wanted, ...(await resolveAssignee(stores, tenant, wanted.assignee)) }
    const { next, entries } = changeIncident(before, change, at)
    if (next.status === 'closed' && before.status !== 'closed') await checkCloseNote(stores, tenant, next)
    const by = await nameActor(stores, caller)
    const terms = { expectedVersion: undefined, at, by }
    let after = unwrapChange(await stores.incidents.update(tenant, id, change, terms), 'incident')
    if (comment !== undefined) {
      checkCommentLimit(after)
      const written = { id: createUuidV7(at, deps.randomBytes), text: comment }
      after = unwrapChange(await stores.incidents.addComment(tenant, id, written, terms), 'incident')
    }
    if (entries.length > 0 || comment !== undefined) {
      const changes = entries.map(({ action, detail: { from = null, to = null } }) => [auditNames.get(action) ?? action, [from, to]])
      const diff = { ...Object.fromEntries(changes), ...(comment !== undefined && { comment: [null, comment] }) }
      await recordAudit(stores, caller, { at, action: 'incident.update', target: { type: 'incident', id }, diff })
    }
    return await loadIncidentDetail(stores, tenant, after)
  })
}

/** Adds a comment and returns it. @throws AppError NOT_FOUND, CONFLICT for a merged incident and at a limit. */
export async function commentIncident(deps: IncidentDeps, caller: Principal, id: string, text: string): Promise<IncidentComment> {
  const { tenant } = caller
  const at = deps.clock.now()
  return await deps.state.transaction(async (stores) => {
    checkCommentLimit(await findChangeable(stores, tenant, id))
    const comment = { id: createUuidV7(at, deps.randomBytes), text }
    const author = await nameActor(stores, caller)
    unwrapChange(await stores.incidents.addComment(tenant, id, comment, { expectedVersion: undefined, at, by: author }), 'incident')
    const diff = { comment: [null, text] }
    await recordAudit(stores, caller, { at, action: 'incident.comment', target: { type: 'incident', id }, diff })
    return { ...comment, author, createdAt: at }
  })
}

/** Gets an incident to change. @throws AppError NOT_FOUND, CONFLICT if it was merged into another or has a full timeline. */
export async function findChangeable({ incidents }: Pick<Stores, 'incidents'>, tenant: TenantId, id: string): Promise<Incident> {
  const incident = requireFound(await incidents.get(tenant, id), 'incident')
  if (incident.mergedInto !== undefined) {
    const message = `the incident was merged into ${incident.mergedInto}; change that one`
    throw new AppError('CONFLICT', message, { incident_id: incident.mergedInto })
  }
  const { timelineMax } = limits.incidents
  if (incident.timelineLength < timelineMax) return incident
  const message = `the timeline has reached its limit of ${timelineMax} entries; open a new incident`
  throw new AppError('CONFLICT', message, { limit: timelineMax })
}

export async function loadIncidentDetail(
  stores: Pick<Stores, 'incidents' | 'incidentTimeline' | 'assets' | 'playbooks'>, tenant: TenantId, incident: Incident,
): Promise<IncidentDetail> {
  const { alertsShownMax, timelineShownMax } = limits.incidents
  const { id, entities } = incident
  const newest = await stores.incidentTimeline.list(tenant, {
    where: [{ field: 'incident_id', operator: 'eq', value: id }], order: [{ field: 'number', direction: 'desc' }], limit: timelineShownMax,
  })
  const assets = new Map<string, Asset>()
  for (const { kind, value } of entities) {
    if (kind !== 'host') continue
    const asset = await stores.assets.findByHostname(tenant, value) ?? await stores.assets.findByHostname(tenant, value.split('.')[0] ?? '')
    if (asset !== undefined) assets.set(asset.id, asset)
  }
  return {
    incident,
    alerts: await stores.incidents.alerts(tenant, id, alertsShownMax),
    comments: await stores.incidents.comments(tenant, id),
    timeline: newest.entries.toReversed(),
    assets: [...assets.values()],
    runs: await stores.playbooks.runsAbout(tenant, 'incident', id, limits.playbooks.runsShownMax),
  }
}

async function checkCloseNote({ tenants }: Pick<Stores, 'tenants'>, tenant: TenantId, { resolutionNote }: Incident): Promise<void> {
  const { requiresCloseNote } = resolveSettings(requireFound(await tenants.get(tenant), 'tenant'))
  if (!requiresCloseNote || resolutionNote !== '') return
  const message = 'is required to close an incident in this tenant'
  throw new AppError('INVALID_BODY', `resolution_note: ${message}`, { errors: [{ path: 'resolution_note', message }] })
}

function checkCommentLimit({ commentCount }: Incident): void {
  const { commentsMax } = limits.lists
  if (commentCount < commentsMax) return
  throw new AppError('CONFLICT', `the incident has reached its limit of ${commentsMax} comments`, { limit: commentsMax })
}
