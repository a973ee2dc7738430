import type { Attestation } from '@tripline/compliance/assess'
import type { Erasure } from '@tripline/model/compliance/erasure'
import type { EvidenceJob } from '@tripline/model/compliance/evidence-job'
import type { StoredAssessment } from '../src/ports/compliance-store.ts'
import type { SeenFinding, Vulnerability } from '@tripline/model/assets/finding'
import type { Sighting } from '@tripline/model/assets/sighting'
import type { NewAlert } from '@tripline/model/alert'
import type { AuditFacts } from '@tripline/model/audit'
import type { ApiKey } from '@tripline/model/access/api-key'
import { newConnectorHealth } from '@tripline/model/connector'
import type { StoredBacktest } from '@tripline/model/backtest'
import type { BulkPart } from '@tripline/model/bulk-change'
import type { Collector, CollectorReport } from '@tripline/model/collectors/collector'
import type { Connector } from '@tripline/model/connector'
import type { NewIncident } from '@tripline/model/incidents/incident'
import type { MetricPoint } from '@tripline/model/metric'
import type { StoredReport } from '@tripline/model/report'
import type { Rule, StoredRulePipeline } from '@tripline/model/rule'
import { startRun } from '@tripline/model/playbooks/playbook'
import type { Playbook } from '@tripline/model/playbooks/playbook'
import { onlyTenant } from '@tripline/model/tenant'
import type { NewAsset } from '../src/ports/assets/asset-store.ts'
import type { DataSubjectRequest } from '@tripline/model/compliance/data-subject-request'
import type { NewSubdomain } from '../src/ports/enrichment/subdomain-store.ts'
import type { NewIndicator } from '../src/ports/enrichment/indicator-store.ts'
import type { NewDirectoryUser } from '../src/ports/enrichment/directory-user-store.ts'
import type { UpsertInput } from '../src/ports/enrichment/enrichment-store.ts'
import { noSignOn } from '@tripline/model/access/sign-on'
import type { SignOn } from '@tripline/model/access/sign-on'
import type { ProvisionedGroup, ProvisionedUser, ProvisioningToken } from '@tripline/model/access/provisioning'
import type { Session } from '@tripline/model/access/session'
import type { SavedView } from '@tripline/model/saved-view'
import type { Tenant } from '@tripline/model/tenant'
import type { User } from '@tripline/model/access/user'
import type { WebhookEvent } from '@tripline/model/delivery/webhook-event'
import type { Webhook } from '@tripline/model/delivery/webhook'
import type { StateStore } from '../src/ports/state-store.ts'
import type { Channel, ChannelRoute } from '@tripline/model/delivery/channel'
import type { ReportSchedule } from '@tripline/model/report-schedule'
import type { NewChannelMessage } from '../src/ports/delivery/channel-store.ts'
import type { NewDelivery } from '../src/ports/delivery/webhook-store.ts'

/** A tenant of the tests; tests override what they are about. */
export function tenantWith(tenant: Partial<Tenant>): Tenant {
  return { id: 'a', name: 'Acme', isActive: true, settings: { plan: 'pro' }, version: 1, createdAt: 1, updatedAt: 1, ...tenant }
}

export function userWith(user: Partial<User>): User {
  const usual = { id: 'u1', email: 'Ann@example.org', name: 'Ann', roles: ['analyst'], isActive: true } as const
  return { ...usual, interface: 'console', permissionsVersion: 1, version: 1, createdAt: 1, updatedAt: 1, ...user }
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

const sessionClient = { address: '192.0.2.7', browser: 'Firefox', system: 'Linux' }

export function sessionWith(session: Partial<Session>): Session {
  return { id: 's1', userId: 'u1', createdAt: 1, refreshedAt: 1, generation: 1, revokedAt: undefined, client: sessionClient, ...session }
}

export function signOnWith(signOn: Partial<SignOn>): SignOn {
  return { ...noSignOn, isEnabled: true, issuer: 'https://login.example', clientId: 'tripline', emailDomains: ['acme.example'], ...signOn }
}

/** An assertion that a login of tenant 'a' used. */
export const usedAssertion = { hash: 'hash of an assertion', expiresAt: 9_000 }

export function provisioningTokenWith(token: Partial<ProvisioningToken>): ProvisioningToken {
  const unused = { lastUsedAt: undefined, lastUsedIp: undefined }
  return { id: 'pt1', hash: 'hash of a provisioning token', createdBy: 'u1', createdAt: 1, expiresAt: 9_000, ...unused, ...token }
}

export function provisionedUserWith(user: Partial<ProvisionedUser>): ProvisionedUser {
  const usual = { userId: 'u1', userName: 'Ann@example.org', externalId: 'e1', attributes: { displayName: 'Ann' }, loginId: '' } as const
  return { ...usual, isRemoved: false, createdAt: 1, updatedAt: 1, ...user }
}

export function provisionedGroupWith(group: Partial<ProvisionedGroup>): ProvisionedGroup {
  return { id: 'g1', displayName: 'SOC', externalId: 'x1', memberIds: ['u1'], createdAt: 1, updatedAt: 1, ...group }
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
  const known = { enrichment: {}, assetCriticality: '', matchedAt: 1_000, dedupKey: 'key', dedupMs: 100, evidence: '{"n":1}' }
  const refs = { eventRef: undefined, memberRefs: [] }
  return { ...facts, ...known, ...refs, ...match }
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

/** The state of a collector. */
export const collectorReport: CollectorReport = {
  uptimeSeconds: 5_400, cpuPercent: 3.5, memoryMb: 120, lastError: null, configVersion: '7', clockSkewMs: -12,
  sources: [{ name: 'firewall', type: 'syslog', status: 'healthy', eventsPerSecond: 2.5, lastEventAt: 50, lastError: null }],
  buffer: { events: 3, bytes: 900, capacityBytes: 1_073_741_824, oldestEventAt: 40, droppedTotal: 0 },
}

export function collectorWith(collector: Partial<Collector>): Collector {
  const usual = { id: 'co1', name: 'fra-1', hostname: 'fra-1', release: '1.0.0', os: 'Debian 12', osFamily: 'linux' } as const
  return { ...usual, status: 'pending', lastSeenAt: undefined, report: undefined, version: 1, createdAt: 1, updatedAt: 1, ...collector }
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

/** A channel of the tests. */
export function channelWith(channel: Partial<Channel>): Channel {
  const usual = { id: 'ch1', name: 'SOC', settings: { type: 'slack' }, sealedSecrets: 's1.sealed', secretNames: ['url'] } as const
  const health = { isEnabled: true, lastDeliveryAt: undefined, skippedCount: 0 } as const
  return { ...usual, ...health, language: 'en', version: 1, createdAt: 1, updatedAt: 1, ...channel }
}

/** A route to the sample channel. */
export function channelRouteWith(route: Partial<ChannelRoute>): ChannelRoute {
  const usual = { id: 'cr1', name: 'High', events: ['alert.created'], filter: '', channelIds: ['ch1'] } as const
  const terms = { quietHours: undefined, throttleMinutes: 0, digestMinutes: 0, escalation: undefined, isEnabled: true } as const
  return { ...usual, ...terms, version: 1, createdAt: 1, updatedAt: 1, ...route }
}

/** A message of the sample route to the sample channel. */
export function channelMessageWith(message: Partial<NewChannelMessage>): NewChannelMessage {
  return { id: 'cm1', channelId: 'ch1', routeId: 'cr1', reason: 'event', scheduledAt: 1_000, createdAt: 1_000, ...message }
}

/** An asset as an import states it. */
export function statedAsset(facts: Partial<NewAsset>, id = 'as1'): UpsertInput<NewAsset> {
  return { id, facts: { hostname: 'web-1', ipAddresses: ['10.0.0.5'], criticality: 'high', ...facts } }
}

export function vulnerabilityWith(facts: Partial<Vulnerability>): Vulnerability {
  return { id: 'CVE-1', title: 'Old TLS', severity: 'high', cves: ['CVE-2026-1'], cvss: 7.5, exploitCount: 0, ...facts }
}

export function findingWith({ vulnerability, ...finding }: Partial<Omit<SeenFinding, 'vulnerability'>> & { readonly vulnerability?: Partial<Vulnerability> }): SeenFinding {
  return {
    isOpen: true, firstFoundAt: 500, lastFoundAt: 900, ports: ['443/tcp'], proof: 'seen', solution: 'update', ...finding,
    vulnerability: vulnerabilityWith(vulnerability ?? {}),
  }
}

export function statedPerson(facts: Partial<NewDirectoryUser>, id = 'p1'): UpsertInput<NewDirectoryUser> {
  return { id, facts: { name: 'alice', email: 'alice@example.org', department: 'finance', aliases: ['corp\\alice'], ...facts } }
}

export function statedSubdomain(facts: Partial<NewSubdomain>, id = 's1'): UpsertInput<NewSubdomain> {
  return { id, facts: { name: 'www.acme.example', domain: 'acme.example', ip: '192.0.2.30', sources: ['dns'], lastSeenAt: 1_000, ...facts } }
}

export function dataSubjectRequestWith(facts: Partial<DataSubjectRequest>): DataSubjectRequest {
  return {
    id: 'r1', type: 'access', law: 'gdpr', subjectRef: 'ticket 4711', status: 'open', note: '', receivedAt: 1_000, dueAt: 5_000, closedAt: undefined,
    version: 1, createdAt: 1_000, updatedAt: 1_000, ...facts,
  }
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
  await store.signOn.put('a', signOnWith({}), { expectedVersion: 0, at: 1_000 })
  await store.signOn.useAssertion('a', usedAssertion, 1_000)
  await store.reports.putBranding('a', { name: 'Acme SOC', logo: { png: Buffer.from('a picture'), width: 2, height: 1 } }, { expectedVersion: 0, at: 1_000 })
  await store.provisioning.insertToken('a', provisioningTokenWith({}))
  await store.provisioning.putUser('a', provisionedUserWith({}))
  await store.provisioning.putGroup('a', provisionedGroupWith({}))
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
  await store.collectors.insert('a', collectorWith({}), 'hash of a credential')
  await store.collectors.insert('a', collectorWith({ id: 'co7', status: 'online', lastSeenAt: 8 }), 'hash 7')
  await store.collectors.insert('a', collectorWith({ id: 'co8', status: 'retired' }), 'hash 8')
  await store.collectors.insertToken('a', { hash: 'hash of a token', name: 'fra', createdAt: 1, expiresAt: 900 })
  await store.metrics.record('a', metricPoints)
  await store.webhooks.insert('a', webhookWith({}))
  await store.webhookDeliveries.insert('a', [webhookEventWith({})], [newDeliveryWith({})])
  await store.channels.insert('a', channelWith({}))
  await store.channelRoutes.insert('a', channelRouteWith({}))
  await store.channelMessages.insert('a', channelMessageWith({}), { ...webhookEventWith({}), type: 'alert.created' })
  await store.assets.upsert('a', [statedAsset({})], 1_000)
  await store.assets.observe('a', [sightingWith({
    id: 'as9', facts: { hostname: 'pc-9', riskScore: 700 }, identifiers: [{ kind: 'scanner', value: 'c1:7' }],
    logons: new Map([['ann', 1]]),
  })], { at: 1_000 })
  await store.findings.putVulnerabilities('a', [vulnerabilityWith({})], 1_000)
  await store.findings.record('a', [{ assetId: 'as1', isComplete: true, findings: [findingWith({})] }], { source: 'c1', at: 1_000, runAt: 40 })
  await store.compliance.begin('a', evidenceJobWith({}))
  await store.compliance.saveAssessment('a', assessmentWith({}))
  await store.compliance.putAttestation('a', 'iso27001', attestationWith({}))
  await store.compliance.updateNote('a', 'iso27001', { control: 'A.8.17', owner: 'ann' }, { expectedVersion: undefined, at: 1_000 })
  await store.reports.insert('a', reportWith({}))
  await store.reports.putContent('a', 'rp1', { definition: '{}', file: Buffer.from('%PDF') })
  await store.reportSchedules.insert('a', reportScheduleWith({}))
  await store.backtests.insert('a', backtestWith({}))
  await store.rulePipelines.insert('a', rulePipelineWith({}))
  await store.directoryUsers.upsert('a', [statedPerson({})], 1_000)
  await store.indicators.upsert('a', [statedIndicator({}), statedIndicator({ value: '192.0.2.9', validFrom: 100, validUntil: 5_000 }, 'i2')], 1_000)
  await store.subdomains.upsert('a', [statedSubdomain({})], 1_000)
  await store.dataSubjectRequests.insert('a', dataSubjectRequestWith({}))
  await store.erasures.put('a', erasureWith({}))
  await fillIncidents(store)
  await store.playbooks.insert('a', playbookWith({}))
  await store.playbooks.insertRun('a', startRun(playbookWith({}), { id: 'run1', subjectId: 'in1', requestedBy: 'ann@example.org' }, 1_000))
}

/** An incident with a comment and an alert of its own. */
async function fillIncidents(store: StateStore): Promise<void> {
  const terms = { at: 1_002, by: 'ann@example.org', expectedVersion: undefined }
  await store.alerts.insert('a', [newAlertWith({ id: 'm8', dedupKey: 'of an incident', matchedAt: 1_002, ruleId: 'rule8', eventRef: { occurredAt: 7, by: 'offset', number: 3 }, memberRefs: [{ occurredAt: 6, by: 'offset', number: 2 }] })])
  const alert = await store.alerts.get('a', 'm8')
  await store.incidents.insert('a', newIncidentWith({}), alert === undefined ? [] : [alert], terms)
  await store.incidents.addComment('a', 'in1', { id: 'c8', text: 'ours' }, terms)
}

/** An erasure that waits. */
export function erasureWith(erasure: Partial<Erasure>): Erasure {
  return {
    requestId: 'dr1', status: 'queued', sealedIdentifiers: 's1.sealed', requestedBy: 'ann@example.org', requestedAt: 1_000,
    finishedAt: undefined, eventCount: 0, rowCount: 0, kept: [], error: '', ...erasure,
  }
}

/** A collection of evidence that waits. */
export function evidenceJobWith(job: Partial<EvidenceJob>): EvidenceJob {
  const usual = { id: 'ej1', status: 'queued', frameworks: ['iso27001'], controls: [], from: 0, to: 1_000, requestedBy: 'ann@example.org' } as const
  return { ...usual, requestedAt: 1_000, finishedAt: undefined, progress: 0, result: undefined, error: '', ...job }
}

/** A backtest that waits. */
export function backtestWith(backtest: Partial<StoredBacktest>): StoredBacktest {
  return {
    id: 'bt1', ruleIds: ['r1'], definition: '', exceptions: [], isCompared: false, from: 0, to: 900, status: 'queued',
    requestedBy: 'ann@example.org', requestedAt: 1_000, finishedAt: undefined, result: '', error: '', ...backtest,
  }
}

export function rulePipelineWith(pipeline: Partial<StoredRulePipeline>): StoredRulePipeline {
  return {
    id: 'pl1', name: 'Own fields', text: 'transformations: [{ type: field_name_prefix, prefix: win. }]', priority: 10, isEnabled: true,
    version: 1, createdBy: 'ann@example.org', updatedBy: 'ann@example.org', createdAt: 1, updatedAt: 1, ...pipeline,
  }
}

export function reportWith(report: Partial<StoredReport>): StoredReport {
  const usual = { id: 'rp1', kind: 'compliance', framework: 'iso27001', format: 'pdf', language: 'en', from: undefined, to: 900 } as const
  return {
    ...usual, status: 'queued', title: '', scheduleId: '', requestedBy: 'ann@example.org', requestedAt: 1_000, finishedAt: undefined,
    size: 0, sha256: '', error: '', ...report,
  }
}

/** A schedule of reports of the tests. */
export function reportScheduleWith(schedule: Partial<ReportSchedule>): ReportSchedule {
  const usual = { id: 'rs1', name: 'Weekly', kind: 'soc_weekly', framework: '', format: 'pdf', language: 'en', rangeDays: 7 } as const
  const runs = { nextRunAt: 9_000, timezone: 'UTC', lastRunAt: undefined, lastReportId: '' }
  return {
    ...usual, cron: '0 8 * * 1', channelIds: ['ch1'], recipients: ['bob@example.org'], isEnabled: true, ...runs, createdBy: 'ann@example.org',
    version: 1, createdAt: 1, updatedAt: 1, ...schedule,
  }
}

export function assessmentWith(assessment: Partial<StoredAssessment>): StoredAssessment {
  const evidence = [{ kind: 'clocks', ref: '/v1/events', at: 900, sha256: '0a' }]
  const signals = [{ signal: 'S5', value: 99.5, target: 99, status: 'pass', absence: undefined, reason: undefined, evidence }] as const
  const control = { control: 'A.8.17', status: 'compliant', method: 'automatic', isAssessable: true, signals, lostSince: undefined } as const
  return { framework: 'iso27001', jobId: 'ej1', at: 1_000, sha256: '0b', controls: [control], ...assessment }
}

export function attestationWith(attestation: Partial<Attestation>): Attestation {
  const usual = { control: 'A.5.1', status: 'compliant', by: 'ann@example.org', note: 'reviewed' } as const
  return { ...usual, at: 1_000, expiresAt: 2_000, proof: { url: 'https://example.org/policy' }, ...attestation }
}

/** A sighting of a machine by events. */
export function sightingWith({ facts, ...sighting }: Partial<Sighting>): Sighting {
  return {
    id: 'seen', at: 1_000, source: 'events', identifiers: [], isInventory: false, takesAddresses: false, logons: new Map(), ...sighting,
    facts: { hostname: '', ipAddresses: [], macAddresses: [], ...facts },
  }
}
