import type { NewAlert } from '@tripline/model/alert'
import type { AuditFacts } from '@tripline/model/audit'
import type { ApiKey } from '@tripline/model/access/api-key'
import { newConnectorHealth } from '@tripline/model/connector'
import type { BulkPart } from '@tripline/model/bulk-change'
import type { Connector } from '@tripline/model/connector'
import type { NewIncident } from '@tripline/model/incidents/incident'
import type { MetricPoint } from '@tripline/model/metric'
import type { Rule } from '@tripline/model/rule'
import { startRun } from '@tripline/model/playbooks/playbook'
import type { Playbook } from '@tripline/model/playbooks/playbook'
import { onlyTenant } from '@tripline/model/tenant'
import type { NewAsset } from '../src/ports/asset-store.ts'
import type { NewIndicator } from '../src/ports/indicator-store.ts'
import type { NewDirectoryUser } from '../src/ports/directory-user-store.ts'
import type { UpsertInput } from '../src/ports/enrichment-store.ts'
import type { Session } from '@tripline/model/access/session'
import type { SavedView } from '@tripline/model/saved-view'
import type { Tenant } from '@tripline/model/tenant'
import type { User } from '@tripline/model/access/user'
import type { WebhookEvent } from '@tripline/model/webhook-event'
import type { Webhook } from '@tripline/model/webhook'
import type { StateStore } from '../src/ports/state-store.ts'
import type { NewDelivery } from '../src/ports/webhook-store.ts'

/** A tenant of the tests; tests override what they are about. */
export function tenantWith(tenant: Partial<Tenant>): Tenant {
  return { id: 'a', name: 'Acme', isActive: true, settings: { plan: 'pro' }, version: 1, createdAt: 1, updatedAt: 1, ...tenant }
}

export function userWith(user: Partial<User>): User {
  const usual = { id: 'u1', email: 'Ann@example.org', name: 'Ann', roles: ['analyst'], isActive: true } as const
  return { ...usual, permissionsVersion: 1, version: 1, createdAt: 1, updatedAt: 1, ...user }
}

/** A saved view of user 'u1'. */
export function savedViewWith(change: Partial<SavedView>): SavedView {
  return {
    id: 'v1', page: 'alerts', name: 'Open', query: 'status=open', isShared: false, ownerId: 'u1', version: 1,
    createdAt: 1, updatedAt: 1, ...change,
  }
}

export function apiKeyWith(key: Partial<ApiKey>): ApiKey {
  const usual = { publicId: 'k1', tenant: 'a', name: 'reports', scope: 'read_only', apiProfile: 'auto', createdBy: 'u1' } as const
  const reach = { resources: [], requestsPerMinute: undefined, allowedCidrs: [] }
  const unused = { expiresAt: undefined, revokedAt: undefined, lastUsedAt: undefined, lastUsedIp: undefined }
  return { ...usual, ...reach, ...unused, hash: Buffer.alloc(32, 7), version: 1, createdAt: 1, updatedAt: 1, ...key }
}

export function sessionWith(session: Partial<Session>): Session {
  return { id: 's1', userId: 'u1', createdAt: 1, refreshedAt: 1, generation: 1, revokedAt: undefined, ...session }
}

export function ruleWith(rule: Partial<Rule>): Rule {
  const stated = { title: 'Whoami', level: 'high', maturity: 'stable', logsource: { product: 'windows' }, description: '', author: '' } as const
  const lists = { attack: { tactics: ['discovery'], techniques: ['T1033'] }, falsePositives: [], references: [], tags: ['attack.t1033'], exceptions: [] }
  const here = { isEnabled: true, lifecycle: 'published', origin: 'builtin', version: 1, createdAt: 1, updatedAt: 1 } as const
  return { id: 'rule1', ...stated, ...lists, ...here, date: undefined, modified: '2026-01-02', definition: 'title: Whoami', ...rule }
}

/** Has alerts of the first tenant join no incident by themselves, for tests of what alerts are alone. */
export async function turnGroupingOff({ tenants }: Pick<StateStore, 'tenants'>): Promise<void> {
  await tenants.update(onlyTenant, { settings: { incidentGrouping: 'off' } }, { expectedVersion: undefined, at: 1 })
}

export function playbookWith(playbook: Partial<Playbook>): Playbook {
  return {
    id: 'pb1', name: 'Isolate', description: '', subject: 'incident', isAutomatic: false, filter: '',
    steps: [{ type: 'comment', content: 'looked at' }, { type: 'set_status', status: 'contained' }], isEnabled: true,
    runsTotal: 0, lastRunAt: undefined, version: 1, createdAt: 1, updatedAt: 1, ...playbook,
  }
}

/** A match that creates an alert or joins one. */
export function newAlertWith(match: Partial<NewAlert>): NewAlert {
  const event = { processName: 'whoami.exe', commandLine: 'whoami /all', user: 'alice', host: 'web-1', statedTime: '' }
  const attack = { tactics: ['discovery'], techniques: ['T1033'] }
  const facts = { id: 'm1', ruleId: 'rule1', ruleTitle: 'Whoami', ruleVersion: 1, level: 'high', event, attack, source: 'sysmon', sourceIp: '', product: 'windows', description: '' } as const
  const known = { enrichment: {}, assetCriticality: '', matchedAt: 1_000, dedupKey: 'key', dedupMs: 100, evidence: '{"n":1}', eventRef: undefined }
  return { ...facts, ...known, ...match }
}

/** An incident that a user opens. */
export function newIncidentWith(incident: Partial<NewIncident>): NewIncident {
  return { id: 'in1', title: 'Whoami on web-1', description: '', origin: 'user', assignee: undefined, level: undefined, ...incident }
}

export function bulkPartWith(part: Partial<BulkPart>): BulkPart {
  const reviewed = { by: 'ann@example.org', at: 900 }
  const alert = { id: 'm1', status: 'open', verdict: 'benign', assignee: 'ann@example.org', reviewed, reopenedCount: 1, version: 3 } as const
  return { id: 'bulk1', part: 0, userId: 'u1', expiresAt: 8_000, before: [alert], ...part }
}

export function auditFactsWith(facts: Partial<AuditFacts>): AuditFacts {
  const actor = { type: 'user', id: 'u1', email: 'ann@example.org' } as const
  const usual = { at: 1_000, actor, action: 'alert.update', target: { type: 'alert', id: 'm1' }, outcome: 'success' } as const
  return { ...usual, ip: '192.0.2.1', userAgent: undefined, requestId: 'req_1', diff: { status: ['open', 'resolved'] }, ...facts }
}

export function connectorWith(connector: Partial<Connector>): Connector {
  const usual = { id: 'p1', name: 'Okta', type: 'http_poll', isEnabled: true, config: { url: 'https://a.example/' } } as const
  const sealed = { sealedSecrets: { client_secret: 's1.sealed' }, health: newConnectorHealth }
  return { ...usual, ...sealed, version: 1, createdAt: 1, updatedAt: 1, ...connector }
}

export function webhookWith(webhook: Partial<Webhook>): Webhook {
  const usual = { id: 'w1', name: 'SOAR', url: 'https://soar.example/hook', events: ['alert.created'], severities: [], profile: 'b' } as const
  const health = { status: 'active', failureCount: 0, skippedCount: 0, lastDeliveryAt: undefined } as const
  return { ...usual, ...health, sealedSecret: 's1.sealed', previousSecret: undefined, version: 1, createdAt: 1, updatedAt: 1, ...webhook }
}

export function webhookEventWith(event: Partial<WebhookEvent>): WebhookEvent {
  const usual = { id: 'evt_1', type: 'alert.created', at: 1_000, subject: 'm1', title: 'Whoami', severity: 'high' } as const
  return { ...usual, details: { sourceType: 'windows', status: 'open' }, ...event }
}

/** A delivery of the sample event to the sample webhook. */
export function newDeliveryWith(delivery: Partial<NewDelivery>): NewDelivery {
  return { id: 'd1', webhookId: 'w1', eventId: 'evt_1', reason: 'event', createdAt: 1_000, dueAt: 1_000, ...delivery }
}

/** An asset as an import states it. */
export function statedAsset(facts: Partial<NewAsset>, id = 'as1'): UpsertInput<NewAsset> {
  return { id, facts: { hostname: 'web-1', ipAddresses: ['10.0.0.5'], criticality: 'high', ...facts } }
}

export function statedPerson(facts: Partial<NewDirectoryUser>, id = 'p1'): UpsertInput<NewDirectoryUser> {
  return { id, facts: { name: 'alice', email: 'alice@example.org', department: 'finance', aliases: ['corp\\alice'], ...facts } }
}

export function statedIndicator(facts: Partial<NewIndicator>, id = 'i1'): UpsertInput<NewIndicator> {
  return { id, facts: { type: 'ip', value: '192.0.2.7', source: 'feed', ...facts } }
}

/** The key of audit seals in tests. */
export const auditKey = Buffer.from('a key of the tests')

/** The metrics of the first minute. */
export const metricPoints: readonly MetricPoint[] = [
  { kind: 'count', name: 'events_accepted', label: '', startsAt: 0, value: 7 },
  { kind: 'count', name: 'rule_matches', label: 'rule1', startsAt: 0, value: 2 },
]

export const requestKey = { route: 'POST /v1/connectors', key: 'key 1' }

/** Fills a store with tenants 'a' and 'b': 'a' has one of everything, 'b' nothing. Ann has an account. */
export async function fill(store: StateStore): Promise<void> {
  await store.tenants.insert(tenantWith({}))
  await store.tenants.insert(tenantWith({ id: 'b', name: 'Bolt' }))
  await store.accounts.insert({ email: 'Ann@example.org', passwordHash: 'hash of a password', totpSecret: undefined })
  await store.users.insert('a', userWith({}))
  await store.apiKeys.insert('a', apiKeyWith({}))
  await store.views.insert('a', savedViewWith({}))
  await store.preferences.put('a', 'u1', { theme: 'dark' }, { expectedVersion: undefined, at: 1_000 })
  await store.sessions.insert('a', sessionWith({}))
  await store.rules.insert('a', [ruleWith({})])
  await store.alerts.insert('a', [newAlertWith({})])
  await store.alerts.update('a', 'm1', { comment: { id: 'c1', author: 'Ann', text: 'seen' } }, { expectedVersion: 1, at: 1_001 })
  await store.bulkChanges.insert('a', bulkPartWith({}))
  await store.audit.append('a', auditFactsWith({}))
  await store.checkpoints.save('a', 'detect', { put: new Map([['engine', Buffer.from('state')]]) })
  await store.idempotencyKeys.begin('a', requestKey, 'hash of a body', 1_000)
  await store.connectors.insert('a', connectorWith({}), 'hash of a token')
  await store.connectors.addTotals('a', 'p1', { receivedCount: 1, failedCount: 0, byteCount: 9, lastEventAt: 5 })
  await store.connectors.setCursor('a', 'p1', 'cursor 1')
  await store.metrics.record('a', metricPoints)
  await store.webhooks.insert('a', webhookWith({}))
  await store.webhookDeliveries.insert('a', [webhookEventWith({})], [newDeliveryWith({})])
  await store.assets.upsert('a', [statedAsset({})], 1_000)
  await store.directoryUsers.upsert('a', [statedPerson({})], 1_000)
  await store.indicators.upsert('a', [statedIndicator({})], 1_000)
  await fillIncidents(store)
  await store.playbooks.insert('a', playbookWith({}))
  await store.playbooks.insertRun('a', startRun(playbookWith({}), { id: 'run1', subjectId: 'in1', requestedBy: 'ann@example.org' }, 1_000))
}

/** An incident with a comment and an alert of its own. */
async function fillIncidents(store: StateStore): Promise<void> {
  const terms = { at: 1_002, by: 'ann@example.org', expectedVersion: undefined }
  await store.alerts.insert('a', [newAlertWith({ id: 'm8', dedupKey: 'of an incident', matchedAt: 1_002, ruleId: 'rule8' })])
  const alert = await store.alerts.get('a', 'm8')
  await store.incidents.insert('a', newIncidentWith({}), alert === undefined ? [] : [alert], terms)
  await store.incidents.addComment('a', 'in1', { id: 'c8', text: 'ours' }, terms)
}
