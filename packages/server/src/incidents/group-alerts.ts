import { isJsonObject } from '@tripline/common/json'
import type { Runtime } from '@tripline/common/runtime'
import { getCauseId } from '@tripline/model/alert'
import type { Alert } from '@tripline/model/alert'
import type { AuditRecorder } from '@tripline/model/audit'
import type { DomainEvent } from '@tripline/model/delivery/domain-event'
import { createUuidV7 } from '@tripline/model/ids'
import { listGroupingEntities, planGrouping, titleIncident } from '@tripline/model/incidents/grouping'
import type { GroupedAlert, GroupedAlerts } from '@tripline/model/incidents/grouping'
import { activeIncidentStatuses } from '@tripline/model/incidents/incident-status'
import { levelRank } from '@tripline/model/level'
import type { TenantId } from '@tripline/model/tenant'
import { resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'

type GroupingDeps = {
  readonly state: Pick<StateStore, 'transaction'>
  readonly clock: Pick<Runtime, 'now'>
  readonly randomBytes: Runtime['randomBytes']
  readonly trail: AuditRecorder
  readonly settingDefaults: TenantSettings
}

/** The name that timelines show. */
const groupingActor = 'grouping'

/**
 * Creates the consumer of domain events that has new alerts join incidents, or open them. A batch is one transaction, and an
 * alert that is or was in an incident is left alone: events that come again after a crash change nothing. It runs behind the
 * outbox and not with the alerts, so that no fault or flood here delays or refuses an alert
 * (docs/decisions/0041-incidents.md).
 */
export function createGroupingConsumer(deps: GroupingDeps) {
  return {
    name: 'incidents',
    topic: 'incidents',
    async handle(tenant: TenantId, events: readonly DomainEvent[]): Promise<void> {
      const alertIds = events.filter(({ type }) => type === 'alert.created').map(({ subject }) => subject)
      const matched = events.flatMap(({ type, subject: alertId, data }) => (type === 'alert.matched' ? [{ alertId, ...data }] : []))
      if (alertIds.length === 0 && matched.length === 0) return
      const refusedCount = await deps.state.transaction(async (stores) => {
        const grouped = alertIds.length === 0 ? 0 : await groupAlerts(deps, stores, tenant, alertIds)
        return grouped + await joinCauses(deps, stores, tenant, { alertIds, matched })
      })
      if (refusedCount > 0) noteRefused(deps, tenant, refusedCount)
    },
  }
}

type GroupableAlert = Alert & GroupedAlert

/** Returns the number of alerts that would have opened an incident beyond the limit. */
async function groupAlerts(
  { clock, randomBytes, settingDefaults }: GroupingDeps, stores: Stores, tenantId: TenantId, alertIds: readonly string[],
): Promise<number> {
  const tenant = await stores.tenants.get(tenantId)
  if (tenant === undefined) return 0
  const { incidentGrouping, ownNetworks } = resolveSettings(tenant, settingDefaults)
  const grouping = incidentGrouping === 'off' ? undefined : incidentGrouping
  const alerts = await findUngrouped(stores, tenantId, alertIds)
  if (alerts.length === 0) return 0
  const terms = { grouping, ownNetworks }
  const instants = alerts.map(({ createdAt }) => createdAt)
  const { windowMs = 0 } = grouping ?? {}
  const range = { from: Math.min(...instants) - windowMs, to: Math.max(...instants) + windowMs }
  const joinable = await stores.incidents.findJoinable(tenantId, alerts.flatMap((alert) => listGroupingEntities(alert, terms)), range)
  const at = clock.now()
  const { alertsMax, activeMax } = limits.incidents
  const { groups, refused } = planGrouping(alerts, joinable, {
    ...terms, at, alertsMax, createId: createOrderedIds(at, randomBytes),
    roomForNew: activeMax - await stores.incidents.countActive(tenantId),
  })
  for (const group of groups) await applyGroup(stores, tenantId, group, at)
  return refused.length
}

/** Ids that sort in the order in which they are made, so that the older of two incidents of a batch is known later. */
function createOrderedIds(at: number, randomBytes: GroupingDeps['randomBytes']): () => string {
  let count = 0
  return () => createUuidV7(at, (length) => {
    const bytes = Buffer.from(randomBytes(length))
    // The twelve bits behind the time are a counter, as RFC 9562 suggests.
    bytes.writeUInt16BE(count++, 0)
    return bytes
  })
}

/** Open alerts that are in no incident and never were. */
async function findUngrouped(stores: Stores, tenant: TenantId, alertIds: readonly string[]): Promise<readonly GroupableAlert[]> {
  const known = await stores.incidents.findGrouped(tenant, alertIds)
  const found: GroupableAlert[] = []
  for (const id of alertIds) {
    const alert = known.has(id) ? undefined : await stores.alerts.get(tenant, id)
    const isOpen = alert?.status === 'open' || alert?.status === 'in_progress'
    if (alert !== undefined && isOpen) found.push({ ...alert, opensIncident: saysIncident(alert) })
  }
  return found
}

/** Whether an alert opens an incident whatever its level: its correlation rule says so, or another alert caused it. */
function saysIncident(alert: Alert): boolean {
  const { correlation } = alert.enrichment
  return (isJsonObject(correlation) && correlation['opensIncident'] === true) || getCauseId(alert) !== undefined
}

type Cause = { readonly alertId: string; readonly causeId: string }

/**
 * Has alerts that caused others join their incidents. Where that is closed or full, they open one of their own, whose level is
 * high at least. Returns the number of those that would have opened one beyond the limit.
 */
async function joinCauses(
  deps: GroupingDeps, stores: Stores, tenant: TenantId,
  { alertIds, matched }: { readonly alertIds: readonly string[]; readonly matched: readonly Cause[] },
): Promise<number> {
  const causes: Cause[] = [...matched]
  for (const alertId of alertIds) {
    const alert = await stores.alerts.get(tenant, alertId)
    const causeId = alert && getCauseId(alert)
    if (causeId !== undefined) causes.push({ alertId, causeId })
  }
  let refusedCount = 0
  for (const { alertId, causeId } of causes) {
    const [cause] = await findUngrouped(stores, tenant, [causeId])
    if (cause === undefined) continue
    const incidentId = (await stores.alerts.get(tenant, alertId))?.incidentId
    const incident = incidentId === undefined ? undefined : await stores.incidents.get(tenant, incidentId)
    const at = deps.clock.now()
    const hasRoom = incident !== undefined && activeIncidentStatuses.some((status) => status === incident.status)
      && incident.alertCount < limits.incidents.alertsMax
    if (hasRoom) {
      await stores.incidents.addAlerts(tenant, incident.id, [cause], { at, by: groupingActor, expectedVersion: undefined })
    } else if (await stores.incidents.countActive(tenant) >= limits.incidents.activeMax) {
      refusedCount++
    } else {
      const opened = {
        id: createUuidV7(at, deps.randomBytes), title: titleIncident(cause, limits.incidents.titleLengthMax), description: '',
        assignee: undefined, level: levelRank[cause.level] < levelRank.high ? 'high' : undefined, origin: 'rule',
      } as const
      await stores.incidents.insert(tenant, opened, [cause], { at, by: groupingActor })
    }
  }
  return refusedCount
}

async function applyGroup(
  { incidents }: Stores, tenant: TenantId, { incidentId: id, isNew, alerts }: GroupedAlerts<GroupableAlert>, at: number,
): Promise<void> {
  const [first] = alerts
  if (first === undefined) return
  if (!isNew) {
    await incidents.addAlerts(tenant, id, alerts, { at, by: groupingActor, expectedVersion: undefined })
    return
  }
  const opened = {
    id, title: titleIncident(first, limits.incidents.titleLengthMax), description: '', assignee: undefined, level: undefined,
    origin: first.opensIncident ? 'rule' : 'grouping',
  } as const
  await incidents.insert(tenant, opened, alerts, { at, by: groupingActor })
}

function noteRefused({ trail }: GroupingDeps, tenant: TenantId, count: number): void {
  trail.note({
    tenant, actor: { type: 'system', id: groupingActor }, action: 'incident.limit', target: { type: 'tenant', id: tenant },
    outcome: 'failed', circumstances: { ip: undefined, userAgent: undefined, requestId: undefined },
    details: { reason: `more than ${limits.incidents.activeMax} active incidents` }, figures: { alerts: count },
  })
}
