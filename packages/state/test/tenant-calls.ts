import { newConnectorHealth } from '@tripline/model/connector'
import type { Stores } from '../src/ports/state-store.ts'
import {
  auditFactsWith, bulkPartWith, connectorWith, newAlertWith, newIncidentWith, playbookWith, requestKey, ruleWith, savedViewWith,
  statedAsset, statedIndicator, statedPerson, userWith, webhookWith,
} from './state-samples.ts'

const none = { count: 0, isExact: true }
const noVerdicts = { true_positive: 0, false_positive: 0, benign: 0, unreviewed: 0 }
const rulesByHour = { name: 'rule_matches', resolution: 'hour', from: 0, to: 3_600_000 } as const
const noEntries = { entries: [], next: undefined, total: none }
type TenantCall = readonly [name: string, call: (stores: Stores, tenant: string) => Promise<unknown>, nothing: unknown]

const neverAborted = new AbortController().signal
const everyEntry = { limit: 10 }
const terms = { expectedVersion: undefined, at: 50 }

const result = { at: 50, durationMs: 3, httpStatus: 204, error: '', snippet: '', retryAfterMs: undefined }
const deliveredOutcome = { status: 'delivered', attempt: 1, dueAt: undefined, last: result, isGone: false } as const

async function readAll(chunks: AsyncIterable<readonly unknown[]>): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const entries of chunks) all.push(...entries)
  return all
}

/**
 * A call of each store method that reads or changes a resource of tenant 'a', and its result for a tenant without it. A
 * test checks that no method is missing.
 */
export const tenantCalls: readonly TenantCall[] = [
  ...([
    'alerts', 'matches', 'incidents', 'incidentTimeline', 'playbookRuns', 'audit', 'assets', 'directoryUsers', 'indicators', 'webhooks', 'webhookDeliveries',
  ] as const).flatMap((name): TenantCall[] => [
    [`${name}.list`, (stores, tenant) => stores[name].list(tenant, everyEntry), noEntries],
    [`${name}.scan`, (stores, tenant) => readAll(stores[name].scan(tenant, {}, { signal: neverAborted })), []],
  ]),
  ['users.get', ({ users }, tenant) => users.get(tenant, 'u1'), undefined],
  ['users.findByEmail', ({ users }, tenant) => users.findByEmail(tenant, 'ann@example.org'), undefined],
  ['users.list', ({ users }, tenant) => users.list(tenant), []],
  ['users.update', ({ users }, tenant) => users.update(tenant, 'u1', { name: 'Mallory' }, terms), { outcome: 'missing' }],
  ['users.insert', ({ users }, tenant) => users.insert(tenant, userWith({})), 'inserted'],
  ['users.remove', ({ users }, tenant) => users.remove(tenant, 'u1'), false],
  ['apiKeys.get', ({ apiKeys }, tenant) => apiKeys.get(tenant, 'k1'), undefined],
  ['apiKeys.list', ({ apiKeys }, tenant) => apiKeys.list(tenant), []],
  ['apiKeys.update', ({ apiKeys }, tenant) => apiKeys.update(tenant, 'k1', { name: 'mine' }, terms), { outcome: 'missing' }],
  ['apiKeys.revoke', ({ apiKeys }, tenant) => apiKeys.revoke(tenant, 'k1', 50), false],
  ['views.get', ({ views }, tenant) => views.get(tenant, 'v1'), undefined],
  ['views.list', ({ views }, tenant) => views.list(tenant, 'u1'), []],
  ['views.update', ({ views }, tenant) => views.update(tenant, 'v1', { name: 'mine' }, terms), { outcome: 'missing' }],
  ['views.remove', ({ views }, tenant) => views.remove(tenant, 'v1'), false],
  ['views.insert', ({ views }, tenant) => views.insert(tenant, savedViewWith({})), undefined],
  ['preferences.get', ({ preferences }, tenant) => preferences.get(tenant, 'u1'), { content: {}, version: 0 }],
  ['preferences.put', ({ preferences }, tenant) => preferences.put(tenant, 'u1', { theme: 'light' }, terms), { outcome: 'missing' }],
  ['sessions.get', ({ sessions }, tenant) => sessions.get(tenant, 's1'), undefined],
  ['sessions.list', ({ sessions }, tenant) => sessions.list(tenant, 'u1'), []],
  ['sessions.advance', ({ sessions }, tenant) => sessions.advance(tenant, 's1', { from: 1, refreshedAt: 50 }), false],
  ['sessions.revoke', ({ sessions }, tenant) => sessions.revoke(tenant, 's1', 50), false],
  ['sessions.revokeAll', ({ sessions }, tenant) => sessions.revokeAll(tenant, 'u1', 50), []],
  ['sessions.removeOld', ({ sessions }, tenant) => sessions.removeOld(tenant, 5_000), 0],
  ['rules.get', ({ rules }, tenant) => rules.get(tenant, 'rule1'), undefined],
  ['rules.list', ({ rules }, tenant) => rules.list(tenant), []],
  ['rules.update', ({ rules }, tenant) => rules.update(tenant, 'rule1', { isEnabled: false }, terms), { outcome: 'missing' }],
  ['rules.remove', ({ rules }, tenant) => rules.remove(tenant, 'rule1', 50), false],
  ['rules.insert', ({ rules }, tenant) => rules.insert(tenant, [ruleWith({ title: 'Other' })]), 1],
  ['alerts.get', ({ alerts }, tenant) => alerts.get(tenant, 'm1'), undefined],
  ['alerts.update', ({ alerts }, tenant) => alerts.update(tenant, 'm1', { status: 'resolved' }, terms), { outcome: 'missing' }],
  ['alerts.comments', ({ alerts }, tenant) => alerts.comments(tenant, 'm1'), []],
  ['alerts.evidence', ({ alerts }, tenant) => alerts.evidence(tenant, 'm1'), []],
  ['alerts.alertOfMatch', ({ alerts }, tenant) => alerts.alertOfMatch(tenant, 'm1'), undefined],
  ['alerts.verdicts', ({ alerts }, tenant) => alerts.verdicts(tenant, ['rule1']), new Map()],
  ['alerts.countOverTime', ({ alerts }, tenant) => alerts.countOverTime(tenant, {}, { edges: [0, 5_000], signal: neverAborted }), { counts: [], countedFrom: 0 }],
  ['alerts.newest', ({ alerts }, tenant) => alerts.newest(tenant, {}, { limit: 10 }), []],
  ['alerts.oldestAt', ({ alerts }, tenant) => alerts.oldestAt(tenant), undefined],
  ['ruleVersions.get', ({ ruleVersions }, tenant) => ruleVersions.get(tenant, 'rule1', 1), undefined],
  ['bulkChanges.get', ({ bulkChanges }, tenant) => bulkChanges.get(tenant, 'bulk1'), []],
  ['bulkChanges.remove', ({ bulkChanges }, tenant) => bulkChanges.remove(tenant, 'bulk1', 0), false],
  ['bulkChanges.removeOld', ({ bulkChanges }, tenant) => bulkChanges.removeOld(tenant, 9_000), 0],
  ['bulkChanges.insert', ({ bulkChanges }, tenant) => bulkChanges.insert(tenant, bulkPartWith({})), undefined],
  ['alerts.removeOld', ({ alerts }, tenant) => alerts.removeOld(tenant, { before: 5_000, limit: 9 }), 0],
  ['alerts.insert', ({ alerts }, tenant) => alerts.insert(tenant, [newAlertWith({})]), [{ outcome: 'created', alertId: 'm1' }]],
  ['incidents.get', ({ incidents }, tenant) => incidents.get(tenant, 'in1'), undefined],
  ['incidents.update', ({ incidents }, tenant) => incidents.update(tenant, 'in1', { title: 'Mine' }, { ...terms, by: 'mallory' }), { outcome: 'missing' }],
  ['incidents.addComment', ({ incidents }, tenant) => incidents.addComment(tenant, 'in1', { id: 'c9', text: 'mine' }, { ...terms, by: 'mallory' }), { outcome: 'missing' }],
  ['incidents.comments', ({ incidents }, tenant) => incidents.comments(tenant, 'in1'), []],
  ['incidents.addAlerts', ({ incidents }, tenant) => incidents.addAlerts(tenant, 'in1', [], { ...terms, by: 'mallory' }), { outcome: 'missing' }],
  ['incidents.removeAlerts', ({ incidents }, tenant) => incidents.removeAlerts(tenant, 'in1', ['m8'], { ...terms, by: 'mallory' }), { outcome: 'missing' }],
  ['incidents.note', ({ incidents }, tenant) => incidents.note(tenant, 'in1', { action: 'delivery', detail: {} }, { ...terms, by: 'mallory' }), { outcome: 'missing' }],
  ['incidents.alerts', ({ incidents }, tenant) => incidents.alerts(tenant, 'in1', 10), []],
  ['incidents.findGrouped', ({ incidents }, tenant) => incidents.findGrouped(tenant, ['m8']), new Set()],
  ['incidents.findJoinable', ({ incidents }, tenant) => incidents.findJoinable(tenant, [{ kind: 'host', value: 'web-1' }], { from: 0, to: 9_000 }), []],
  ['incidents.countActive', ({ incidents }, tenant) => incidents.countActive(tenant), 0],
  ['incidents.removeOld', ({ incidents }, tenant) => incidents.removeOld(tenant, { before: 5_000, limit: 9 }), 0],
  ['incidents.insert', ({ incidents }, tenant) => incidents.insert(tenant, newIncidentWith({}), [], { at: 50, by: 'mallory' }).then(({ id }) => id), 'in1'],
  ['playbooks.get', ({ playbooks }, tenant) => playbooks.get(tenant, 'pb1'), undefined],
  ['playbooks.list', ({ playbooks }, tenant) => playbooks.list(tenant), []],
  ['playbooks.update', ({ playbooks }, tenant) => playbooks.update(tenant, 'pb1', { name: 'Mine' }, terms), { outcome: 'missing' }],
  ['playbooks.remove', ({ playbooks }, tenant) => playbooks.remove(tenant, 'pb1'), false],
  ['playbooks.insert', ({ playbooks }, tenant) => playbooks.insert(tenant, playbookWith({})), 'inserted'],
  ['playbooks.getRun', ({ playbooks }, tenant) => playbooks.getRun(tenant, 'run1'), undefined],
  ['playbooks.unfinishedRuns', ({ playbooks }, tenant) => playbooks.unfinishedRuns(tenant, 10), []],
  ['playbooks.runsAbout', ({ playbooks }, tenant) => playbooks.runsAbout(tenant, 'incident', 'in1', 10), []],
  ['playbooks.removeOldRuns', ({ playbooks }, tenant) => playbooks.removeOldRuns(tenant, { before: 5_000, limit: 9 }), 0],
  ['audit.verify', ({ audit }, tenant) => audit.verify(tenant), { entryCount: 0, firstSeq: 0, lastSeq: 0, brokenAt: undefined, problem: undefined }],
  ['audit.removeOld', ({ audit }, tenant) => audit.removeOld(tenant, 5_000), 0],
  ['audit.append', ({ audit }, tenant) => audit.append(tenant, auditFactsWith({})).then(({ seq }) => seq), 1],
  ['idempotencyKeys.begin', ({ idempotencyKeys }, tenant) => idempotencyKeys.begin(tenant, requestKey, 'hash of a body', 1_001), { outcome: 'begun' }],
  ['idempotencyKeys.finish', ({ idempotencyKeys }, tenant) => idempotencyKeys.finish(tenant, requestKey, { status: 201, headers: {}, body: '' }), false],
  ['idempotencyKeys.abandon', ({ idempotencyKeys }, tenant) => idempotencyKeys.abandon(tenant, requestKey), false],
  ['idempotencyKeys.abandonAll', ({ idempotencyKeys }, tenant) => idempotencyKeys.abandonAll(tenant), 0],
  ['checkpoints.load', ({ checkpoints }, tenant) => checkpoints.load(tenant, 'detect', 'engine'), undefined],
  ['checkpoints.parts', ({ checkpoints }, tenant) => checkpoints.parts(tenant, 'detect'), []],
  ['connectors.get', ({ connectors }, tenant) => connectors.get(tenant, 'p1'), undefined],
  ['connectors.list', ({ connectors }, tenant) => connectors.list(tenant), []],
  ['connectors.insert', ({ connectors }, tenant) => connectors.insert(tenant, connectorWith({}), undefined), 'inserted'],
  ['connectors.update', ({ connectors }, tenant) => connectors.update(tenant, 'p1', { name: 'Mine' }, terms), { outcome: 'missing' }],
  ['connectors.remove', ({ connectors }, tenant) => connectors.remove(tenant, 'p1', 50), false],
  ['connectors.setHealth', ({ connectors }, tenant) => connectors.setHealth(tenant, 'p1', { ...newConnectorHealth, status: 'healthy' }, 50), false],
  ['connectors.history', ({ connectors }, tenant) => connectors.history(tenant, 'p1', 10), []],
  ['connectors.removeOldHistory', ({ connectors }, tenant) => connectors.removeOldHistory(tenant, 5_000), 0],
  ['connectors.totals', ({ connectors }, tenant) => connectors.totals(tenant, 'p1'), undefined],
  ['connectors.cursor', ({ connectors }, tenant) => connectors.cursor(tenant, 'p1'), undefined],
  ['assets.get', ({ assets }, tenant) => assets.get(tenant, 'as1'), undefined],
  ['assets.findByHostname', ({ assets }, tenant) => assets.findByHostname(tenant, 'web-1'), undefined],
  ['assets.findByAddress', ({ assets }, tenant) => assets.findByAddress(tenant, '10.0.0.5'), undefined],
  ['assets.update', ({ assets }, tenant) => assets.update(tenant, 'as1', { owner: 'mallory' }, terms), { outcome: 'missing' }],
  ['assets.remove', ({ assets }, tenant) => assets.remove(tenant, 'as1'), false],
  ['assets.upsert', ({ assets }, tenant) => assets.upsert(tenant, [statedAsset({ owner: 'mallory' })], 50), ['created']],
  ['directoryUsers.get', ({ directoryUsers }, tenant) => directoryUsers.get(tenant, 'p1'), undefined],
  ['directoryUsers.findByName', ({ directoryUsers }, tenant) => directoryUsers.findByName(tenant, 'corp\\alice'), undefined],
  ['directoryUsers.update', ({ directoryUsers }, tenant) => directoryUsers.update(tenant, 'p1', { isPrivileged: true }, terms), { outcome: 'missing' }],
  ['directoryUsers.remove', ({ directoryUsers }, tenant) => directoryUsers.remove(tenant, 'p1'), false],
  ['directoryUsers.upsert', ({ directoryUsers }, tenant) => directoryUsers.upsert(tenant, [statedPerson({ department: 'it' })], 50), ['created']],
  ['indicators.get', ({ indicators }, tenant) => indicators.get(tenant, 'i1'), undefined],
  ['indicators.find', ({ indicators }, tenant) => indicators.find(tenant, [{ type: 'ip', value: '192.0.2.7' }]), []],
  ['indicators.update', ({ indicators }, tenant) => indicators.update(tenant, 'i1', { confidence: 1 }, terms), { outcome: 'missing' }],
  ['indicators.remove', ({ indicators }, tenant) => indicators.remove(tenant, 'i1'), false],
  ['indicators.upsert', ({ indicators }, tenant) => indicators.upsert(tenant, [statedIndicator({ confidence: 1 })], 50), ['created']],
  ['alerts.allVerdicts', ({ alerts }, tenant) => alerts.allVerdicts(tenant), noVerdicts],
  ['alerts.countByStatus', ({ alerts }, tenant) => alerts.countByStatus(tenant), []],
  ['alerts.countSince', ({ alerts }, tenant) => alerts.countSince(tenant, 0), 0],
  ['idempotencyKeys.removeOld', ({ idempotencyKeys }, tenant) => idempotencyKeys.removeOld(tenant, 1_000 + 86_400_000), 0],
  ['metrics.totals', ({ metrics }, tenant) => metrics.totals(tenant), []],
  ['metrics.series', ({ metrics }, tenant) => metrics.series(tenant, rulesByHour), []],
  ['metrics.sums', ({ metrics }, tenant) => metrics.sums(tenant, { ...rulesByHour, limit: 10 }), []],
  ['domainEvents.read', ({ domainEvents }, tenant) => domainEvents.read(tenant, 0, 10), { events: [], readTo: 0 }],
  ['domainEvents.trim', ({ domainEvents }, tenant) => domainEvents.trim(tenant, 9, 10), 0],
  ['domainEvents.removeOld', ({ domainEvents }, tenant) => domainEvents.removeOld(tenant, 5_000), 0],
  ['domainEvents.announceAlerts', ({ domainEvents }, tenant) => domainEvents.announceAlerts(tenant, ['m1']), 0],
  ['webhooks.get', ({ webhooks }, tenant) => webhooks.get(tenant, 'w1'), undefined],
  ['webhooks.count', ({ webhooks }, tenant) => webhooks.count(tenant), 0],
  ['webhooks.listSubscriptions', ({ webhooks }, tenant) => webhooks.listSubscriptions(tenant), []],
  ['webhooks.update', ({ webhooks }, tenant) => webhooks.update(tenant, 'w1', { name: 'Mine' }, terms), { outcome: 'missing' }],
  ['webhooks.setHealth', ({ webhooks }, tenant) => webhooks.setHealth(tenant, 'w1', { ...webhookWith({}), failureCount: 4 }), false],
  ['webhooks.insert', ({ webhooks }, tenant) => webhooks.insert(tenant, webhookWith({})), 'inserted'],
  ['webhookDeliveries.get', ({ webhookDeliveries }, tenant) => webhookDeliveries.get(tenant, 'd1'), undefined],
  ['webhookDeliveries.countPending', ({ webhookDeliveries }, tenant) => webhookDeliveries.countPending(tenant, 'w1'), 0],
  ['webhookDeliveries.listPending', ({ webhookDeliveries }, tenant) => webhookDeliveries.listPending(tenant, 'w1', 10), []],
  ['webhookDeliveries.listEvents', ({ webhookDeliveries }, tenant) =>
    webhookDeliveries.listEvents(tenant, { from: 0, to: 5_000, types: ['alert.created'], limit: 10 }), []],
  ['webhookDeliveries.settle', ({ webhookDeliveries }, tenant) => webhookDeliveries.settle(tenant, 'd1', deliveredOutcome), false],
  ['webhookDeliveries.cancelPending', ({ webhookDeliveries }, tenant) => webhookDeliveries.cancelPending(tenant, 'w1'), 0],
  ['webhooks.remove', ({ webhooks }, tenant) => webhooks.remove(tenant, 'w1'), false],
  ['metrics.removeOld', ({ metrics }, tenant) => metrics.removeOld(tenant, 1e13), 0],
]

/** Calls whose rows would need more than a result to compare; each has a test of its own. */
export const callsTestedElsewhere: readonly string[] = [
  'connectors.addTotals', 'connectors.setCursor', 'connectors.find',
  'indicators.noteHits', 'apiKeys.find', 'apiKeys.insert', 'apiKeys.noteUse', 'sessions.insert', 'rules.put', 'metrics.record',
  'incidents.moveAlerts', 'incidents.markMerged', 'playbooks.insertRun', 'playbooks.saveRun', 'checkpoints.save', 'domainEvents.heads', 'domainEvents.positions', 'domainEvents.savePosition',
  'webhooks.addSkipped', 'webhookDeliveries.insert', 'webhookDeliveries.listWaiting', 'webhookDeliveries.removeOld',
]

/** All resources of tenant 'a', to compare before and after another tenant's calls. */
export async function everythingOf(stores: Stores, tenant: string): Promise<unknown> {
  const { accounts, users, apiKeys, sessions, rules, alerts, audit, idempotencyKeys, checkpoints, connectors, metrics } = stores
  const { assets, bulkChanges, directoryUsers, domainEvents, incidents, incidentTimeline, indicators, preferences } = stores
  // Another tenant may add its own memberships.
  const { memberships, ...account } = (await accounts.find('ann@example.org')) ?? { memberships: [] }
  return {
    assets: await assets.list(tenant, everyEntry),
    persons: await directoryUsers.list(tenant, everyEntry),
    indicators: await indicators.list(tenant, everyEntry),
    account,
    memberships: memberships.filter((membership) => membership.tenant === tenant),
    users: await users.list(tenant),
    apiKeys: await apiKeys.list(tenant),
    sessions: await sessions.list(tenant, 'u1'),
    preferences: await preferences.get(tenant, 'u1'),
    bulkChange: await bulkChanges.get(tenant, 'bulk1'),
    rules: await rules.list(tenant),
    alerts: await alerts.list(tenant, everyEntry),
    comments: await alerts.comments(tenant, 'm1'),
    evidence: await alerts.evidence(tenant, 'm1'),
    playbooks: await stores.playbooks.list(tenant),
    playbookRuns: await stores.playbookRuns.list(tenant, everyEntry),
    incidents: await incidents.list(tenant, everyEntry),
    timeline: await incidentTimeline.list(tenant, everyEntry),
    incidentAlerts: await incidents.alerts(tenant, 'in1', 10),
    audit: (await audit.list(tenant, { limit: 10 })).entries,
    request: await idempotencyKeys.begin(tenant, requestKey, 'hash of a body', 1_001),
    checkpoint: await checkpoints.load(tenant, 'detect', 'engine'),
    verdicts: await alerts.verdicts(tenant, ['rule1']),
    connectors: await connectors.list(tenant),
    moments: await connectors.history(tenant, 'p1', 10),
    connectorTotals: await connectors.totals(tenant, 'p1'),
    cursor: await connectors.cursor(tenant, 'p1'),
    domainEvents: await domainEvents.read(tenant, 0, 100),
    totals: await metrics.totals(tenant),
    matches: await metrics.series(tenant, rulesByHour),
    webhooks: await stores.webhooks.list(tenant, everyEntry),
    deliveries: await stores.webhookDeliveries.list(tenant, everyEntry),
  }
}
