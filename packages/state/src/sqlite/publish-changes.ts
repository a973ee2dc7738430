import { getCauseId } from '@tripline/model/alert'
import type { Alert } from '@tripline/model/alert'
import type { NewDomainEvent } from '@tripline/model/delivery/domain-event'
import type { Incident } from '@tripline/model/incidents/incident'
import type { Rule } from '@tripline/model/rule'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { AlertStore } from '../ports/alert-store.ts'
import type { CollectorStore } from '../ports/collectors/collector-store.ts'
import type { ConnectorStore } from '../ports/connector-store.ts'
import type { DomainEventStore } from '../ports/delivery/domain-event-store.ts'
import type { IncidentStore } from '../ports/incident-store.ts'
import type { WithoutList } from '../ports/list-query.ts'
import type { ChangingRuleStore } from '../ports/state-store.ts'
import { alertStore } from './alerts/alerts.ts'
import { collectorStore } from './collectors/collectors.ts'
import { connectorStore } from './connectors.ts'
import { appendDomainEvents, domainEventStore } from './domain-events.ts'
import { incidentStore } from './incidents/incidents.ts'
import { inTransaction } from './query/database.ts'
import type { Tables } from './rows/tables.ts'
import { keepRuleVersions, ruleStore } from './rules.ts'

/** Called with the number of a tenant's last event: after the commit, or within the transaction that it belongs to. */
export type OnPublished = (tenant: TenantId, lastSeq: number) => void

/** The stores whose changes are domain events. */
type PublishingStores = {
  readonly alerts: WithoutList<AlertStore>
  readonly incidents: WithoutList<IncidentStore>
  readonly connectors: ConnectorStore
  readonly collectors: CollectorStore
  readonly rules: ChangingRuleStore
  readonly domainEvents: DomainEventStore
}

/**
 * The one place that publishes: each change of these stores writes its domain events to the outbox in the transaction of the
 * change, so no caller can forget them, and no event is there without its change.
 */
export function createPublishingStores(db: Kysely<Tables>, onPublished: OnPublished): PublishingStores {
  const publishing = createPublisher(db, onPublished)
  return {
    alerts: publishAlerts(db, publishing),
    incidents: publishIncidents(db, publishing),
    connectors: publishConnectors(db, publishing),
    collectors: publishCollectors(db, publishing),
    rules: publishRules(db, publishing),
    domainEvents: {
      ...domainEventStore(db),
      announceAlerts: (tenant, ids) => publishing(tenant, async (db) => {
        const found: Alert[] = []
        for (const id of ids) found.push(...[await alertStore(db).get(tenant, id)].filter((alert) => alert !== undefined))
        return { result: found.length, events: found.map(toAlertCreated) }
      }),
    },
  }
}

/** What a change returns, and its events. */
type Published<Result> = { readonly result: Result; readonly events: readonly NewDomainEvent[] }

/** Runs a change and stores its events with it. */
type Publisher = <Result>(tenant: TenantId, change: (db: Kysely<Tables>) => Promise<Published<Result>>) => Promise<Result>

function createPublisher(db: Kysely<Tables>, onPublished: OnPublished): Publisher {
  return async (tenant, change) => {
    const { result, lastSeq } = await inTransaction(db, async (db) => {
      const { result, events } = await change(db)
      return { result, lastSeq: events.length === 0 ? undefined : await appendDomainEvents(db, tenant, events) }
    })
    if (lastSeq !== undefined) onPublished(tenant, lastSeq)
    return result
  }
}

/** A match that joins an alert is no event, as the alert is known already, unless another alert caused it. */
function publishAlerts(db: Kysely<Tables>, publishing: Publisher): WithoutList<AlertStore> {
  return {
    ...alertStore(db),
    insert: (tenant, matches) => publishing(tenant, async (db) => {
      const result = await alertStore(db).insert(tenant, matches)
      const created = matches.filter((_, i) => result[i]?.outcome === 'created')
      const caused = matches.flatMap((match, i): NewDomainEvent[] => {
        const causeId = getCauseId(match)
        const { outcome, alertId: subject = '' } = result[i] ?? {}
        if (outcome !== 'grouped' || causeId === undefined) return []
        return [{ type: 'alert.matched', subject, at: match.matchedAt, data: { causeId } }]
      })
      return { result, events: [...created.map((match) => toAlertCreated({ ...match, createdAt: match.matchedAt })), ...caused] }
    }),
    update: (tenant, id, change, terms) => publishing(tenant, async (db) => {
      const before = await alertStore(db).get(tenant, id)
      const result = await alertStore(db).update(tenant, id, change, terms)
      return { result, events: result.outcome === 'changed' ? [toAlertUpdated(result.value, before, change.by)] : [] }
    }),
  }
}

type CreatedAlert = Pick<Alert, 'id' | 'level' | 'ruleId' | 'ruleTitle' | 'event' | 'source' | 'attack' | 'createdAt'>

function toAlertCreated({ id, level, ruleId, ruleTitle, event: { host, user }, source, attack, createdAt }: CreatedAlert): NewDomainEvent {
  const data = { level, ruleId, ruleTitle, host, user, source, tactics: attack.tactics, createdAt }
  return { type: 'alert.created', subject: id, at: createdAt, data }
}

function toAlertUpdated(
  { id, version, status, verdict, assignee, eventCount, updatedAt }: Alert, before: Alert | undefined, by: string | undefined,
): NewDomainEvent {
  const history = { ...(before !== undefined && { previousStatus: before.status }), ...(by !== undefined && { by }) }
  const data = { version, status, verdict, assignee: assignee ?? null, eventCount, ...history }
  return { type: 'alert.updated', subject: id, at: updatedAt, data }
}

/** An incident that is opened, with alerts or split off with them, is one event; each later change is one, with what it was before. */
function publishIncidents(db: Kysely<Tables>, publishing: Publisher): WithoutList<IncidentStore> {
  /** Publishes what a change made of some incidents. */
  const changing = <Result>(tenant: TenantId, ids: readonly string[], change: (own: WithoutList<IncidentStore>) => Promise<Result>) =>
    publishing(tenant, async (db) => {
      const own = incidentStore(db)
      const before = await Promise.all(ids.map((id) => own.get(tenant, id)))
      const result = await change(own)
      const events: NewDomainEvent[] = []
      for (const past of before) {
        const next = past && await own.get(tenant, past.id)
        if (past !== undefined && next !== undefined && next.version !== past.version) events.push(toIncidentUpdated(past, next))
      }
      return { result, events }
    })
  return {
    ...incidentStore(db),
    insert: (tenant, incident, alerts, terms) => publishing(tenant, async (db) => {
      const result = await incidentStore(db).insert(tenant, incident, alerts, terms)
      return { result, events: [toIncidentCreated(result)] }
    }),
    split: (tenant, incident, origin, terms) => publishing(tenant, async (db) => {
      const own = incidentStore(db)
      const before = await own.get(tenant, origin.from)
      const result = await own.split(tenant, incident, origin, terms)
      const after = await own.get(tenant, origin.from)
      const left = before === undefined || after === undefined ? [] : [toIncidentUpdated(before, after)]
      return { result, events: [toIncidentCreated(result), ...left] }
    }),
    update: (tenant, id, change, terms) => changing(tenant, [id], (own) => own.update(tenant, id, change, terms)),
    addComment: (tenant, id, comment, terms) => changing(tenant, [id], (own) => own.addComment(tenant, id, comment, terms)),
    addAlerts: (tenant, id, alerts, terms) => changing(tenant, [id], (own) => own.addAlerts(tenant, id, alerts, terms)),
    removeAlerts: (tenant, id, alertIds, terms) => changing(tenant, [id], (own) => own.removeAlerts(tenant, id, alertIds, terms)),
    moveAlerts: (tenant, move, terms) => changing(tenant, [move.from, move.to], (own) => own.moveAlerts(tenant, move, terms)),
    markMerged: (tenant, id, into, terms) => changing(tenant, [id], (own) => own.markMerged(tenant, id, into, terms)),
    note: (tenant, id, entry, terms) => changing(tenant, [id], (own) => own.note(tenant, id, entry, terms)),
  }
}

function toIncidentCreated({ id, title, level, status, alertCount, createdAt }: Incident): NewDomainEvent {
  return { type: 'incident.created', subject: id, at: createdAt, data: { title, level, status, alertCount } }
}

function toIncidentUpdated(before: Incident, next: Incident): NewDomainEvent {
  const { id, title, level, status, assignee, alertCount, version, updatedAt } = next
  const data = { title, level, status, previousStatus: before.status, assignee: assignee ?? null, alertCount, version }
  return { type: 'incident.updated', subject: id, at: updatedAt, data }
}

function publishConnectors(db: Kysely<Tables>, publishing: Publisher): ConnectorStore {
  const changed = (subject: string, at: number, change: 'created' | 'updated' | 'removed'): NewDomainEvent =>
    ({ type: 'connector.changed', subject, at, data: { change } })
  return {
    ...connectorStore(db),
    insert: (tenant, connector, tokenHash) => publishing(tenant, async (db) => {
      const result = await connectorStore(db).insert(tenant, connector, tokenHash)
      return { result, events: result === 'inserted' ? [changed(connector.id, connector.createdAt, 'created')] : [] }
    }),
    update: (tenant, id, change, terms) => publishing(tenant, async (db) => {
      const result = await connectorStore(db).update(tenant, id, change, terms)
      return { result, events: result.outcome === 'changed' ? [changed(id, terms.at, 'updated')] : [] }
    }),
    remove: (tenant, id, at) => publishing(tenant, async (db) => {
      const result = await connectorStore(db).remove(tenant, id, at)
      return { result, events: result ? [changed(id, at, 'removed')] : [] }
    }),
    setHealth: (tenant, id, health, at) => publishing(tenant, async (db) => {
      const own = connectorStore(db)
      const before = await own.get(tenant, id)
      const result = await own.setHealth(tenant, id, health, at)
      const { status: newStatus, message } = health
      const oldStatus = before?.health.status
      if (oldStatus === undefined || oldStatus === newStatus) return { result, events: [] }
      return { result, events: [{ type: 'connector.changed', subject: id, at, data: { change: 'status', oldStatus, newStatus, message } }] }
    }),
  }
}

/** A heartbeat is an event only where the status changes. */
function publishCollectors(db: Kysely<Tables>, publishing: Publisher): CollectorStore {
  const changed = (subject: string, at: number, change: 'enrolled' | 'updated' | 'retired'): NewDomainEvent =>
    ({ type: 'collector.changed', subject, at, data: { change } })
  /** Publishes another status. */
  const watching = (tenant: TenantId, id: string, at: number, work: (own: CollectorStore) => Promise<boolean>) =>
    publishing(tenant, async (db) => {
      const own = collectorStore(db)
      const before = await own.get(tenant, id)
      const result = await work(own)
      const after = result ? await own.get(tenant, id) : undefined
      if (before === undefined || after === undefined || before.status === after.status) return { result, events: [] }
      const { name, hostname, status: newStatus } = after
      const statuses = { oldStatus: before.status, newStatus, lastSeenAt: before.lastSeenAt ?? null }
      return { result, events: [{ type: 'collector.changed', subject: id, at, data: { change: 'status', name, hostname, ...statuses } }] }
    })
  return {
    ...collectorStore(db),
    insert: (tenant, collector, credentialHash) => publishing(tenant, async (db) => {
      await collectorStore(db).insert(tenant, collector, credentialHash)
      return { result: undefined, events: [changed(collector.id, collector.createdAt, 'enrolled')] }
    }),
    update: (tenant, id, change, terms) => publishing(tenant, async (db) => {
      const result = await collectorStore(db).update(tenant, id, change, terms)
      return { result, events: result.outcome === 'changed' ? [changed(id, terms.at, 'updated')] : [] }
    }),
    noteHeartbeat: (tenant, id, heartbeat) => watching(tenant, id, heartbeat.at, (own) => own.noteHeartbeat(tenant, id, heartbeat)),
    markOffline: (tenant, id, at) => watching(tenant, id, at, (own) => own.markOffline(tenant, id, at)),
    retire: (tenant, id, terms) => publishing(tenant, async (db) => {
      const result = await collectorStore(db).retire(tenant, id, terms)
      return { result, events: result.outcome === 'changed' ? [changed(id, terms.at, 'retired')] : [] }
    }),
  }
}

function publishRules(db: Kysely<Tables>, publishing: Publisher): ChangingRuleStore {
  const saved = ({ id, title, version, isEnabled, updatedAt }: Rule, change?: Parameters<ChangingRuleStore['put']>[2]): NewDomainEvent => {
    const data = { change: 'saved', version, isEnabled, ...(change !== undefined && { title, ...change }) } as const
    return { type: 'rule.changed', subject: id, at: updatedAt, data }
  }
  return {
    ...ruleStore(db),
    put: (tenant, rules, change) => publishing(tenant, async (db) => {
      await ruleStore(db).put(tenant, rules)
      await keepRuleVersions(db, tenant, rules, change?.by)
      return { result: undefined, events: rules.map((rule) => saved(rule, change)) }
    }),
    insert: (tenant, rules) => publishing(tenant, async (db) => {
      const inserted: Rule[] = []
      for (const rule of rules) if ((await ruleStore(db).insert(tenant, [rule])) === 1) inserted.push(rule)
      await keepRuleVersions(db, tenant, inserted)
      return { result: inserted.length, events: inserted.map((rule) => saved(rule)) }
    }),
    update: (tenant, id, change, terms) => publishing(tenant, async (db) => {
      const result = await ruleStore(db).update(tenant, id, change, terms)
      if (result.outcome === 'changed') await keepRuleVersions(db, tenant, [result.value])
      return { result, events: result.outcome === 'changed' ? [saved(result.value)] : [] }
    }),
    remove: (tenant, id, at) => publishing(tenant, async (db) => {
      const result = await ruleStore(db).remove(tenant, id, at)
      return { result, events: result ? [{ type: 'rule.changed', subject: id, at, data: { change: 'removed' } }] : [] }
    }),
  }
}
