import type { Stores } from '../../src/store/state-store.ts'
import { auditFactsWith, newAlertWith, requestKey, ruleWith, userWith } from './state-samples.ts'

const none = { count: 0, isExact: true }
const noVerdicts = { true_positive: 0, false_positive: 0, benign: 0, unreviewed: 0 }
const terms = { expectedVersion: undefined, at: 50 }

/**
 * A call of each store that reads or changes something that tenant 'a' has, and what it answers to a tenant that
 * does not have it. The names are checked to be all there are.
 */
export const tenantCalls: readonly (readonly [name: string, call: (stores: Stores, tenant: string) => Promise<unknown>, nothing: unknown])[] = [
  ['users.get', ({ users }, tenant) => users.get(tenant, 'u1'), undefined],
  ['users.findByEmail', ({ users }, tenant) => users.findByEmail(tenant, 'ann@example.org'), undefined],
  ['users.list', ({ users }, tenant) => users.list(tenant), []],
  ['users.passwordHash', ({ users }, tenant) => users.passwordHash(tenant, 'u1'), undefined],
  ['users.update', ({ users }, tenant) => users.update(tenant, 'u1', { name: 'Mallory' }, terms), { outcome: 'missing' }],
  ['users.insert', ({ users }, tenant) => users.insert(tenant, userWith({}), undefined), 'inserted'],
  ['apiKeys.get', ({ apiKeys }, tenant) => apiKeys.get(tenant, 'k1'), undefined],
  ['apiKeys.list', ({ apiKeys }, tenant) => apiKeys.list(tenant), []],
  ['apiKeys.revoke', ({ apiKeys }, tenant) => apiKeys.revoke(tenant, 'k1', 50), false],
  ['sessions.get', ({ sessions }, tenant) => sessions.get(tenant, 's1'), undefined],
  ['sessions.list', ({ sessions }, tenant) => sessions.list(tenant, 'u1'), []],
  [
    'sessions.rotate',
    ({ sessions }, tenant) => sessions.rotate(tenant, { used: 'hash of r1', next: 'hash of r2' }, { at: 50, idleUntil: 150 }),
    { outcome: 'unknown' },
  ],
  ['sessions.end', ({ sessions }, tenant) => sessions.end(tenant, 's1', 50, 'logout'), false],
  ['sessions.endAll', ({ sessions }, tenant) => sessions.endAll(tenant, 'u1', 50, 'revoked'), []],
  ['sessions.removeOld', ({ sessions }, tenant) => sessions.removeOld(tenant, 5_000), 0],
  ['rules.get', ({ rules }, tenant) => rules.get(tenant, 'rule1'), undefined],
  ['rules.list', ({ rules }, tenant) => rules.list(tenant), []],
  ['rules.update', ({ rules }, tenant) => rules.update(tenant, 'rule1', { isEnabled: false }, terms), { outcome: 'missing' }],
  ['rules.remove', ({ rules }, tenant) => rules.remove(tenant, 'rule1'), false],
  ['rules.insert', ({ rules }, tenant) => rules.insert(tenant, [ruleWith({ title: 'Other' })]), 1],
  ['alerts.get', ({ alerts }, tenant) => alerts.get(tenant, 'm1'), undefined],
  ['alerts.list', ({ alerts }, tenant) => alerts.list(tenant, { sort: [], limit: 10 }), { alerts: [], next: undefined, total: none }],
  ['alerts.update', ({ alerts }, tenant) => alerts.update(tenant, 'm1', { status: 'resolved' }, terms), { outcome: 'missing' }],
  ['alerts.comments', ({ alerts }, tenant) => alerts.comments(tenant, 'm1'), []],
  ['alerts.evidence', ({ alerts }, tenant) => alerts.evidence(tenant, 'm1'), []],
  ['alerts.verdicts', ({ alerts }, tenant) => alerts.verdicts(tenant, 'rule1'), noVerdicts],
  ['alerts.insert', ({ alerts }, tenant) => alerts.insert(tenant, [newAlertWith({})]), [{ outcome: 'created', alertId: 'm1' }]],
  ['audit.list', ({ audit }, tenant) => audit.list(tenant, { limit: 10 }), []],
  ['audit.verify', ({ audit }, tenant) => audit.verify(tenant), { entryCount: 0, firstSeq: 0, lastSeq: 0, brokenAt: undefined, problem: undefined }],
  ['audit.removeOld', ({ audit }, tenant) => audit.removeOld(tenant, 5_000), 0],
  ['audit.append', ({ audit }, tenant) => audit.append(tenant, auditFactsWith({})).then(({ seq }) => seq), 1],
  ['requests.begin', ({ requests }, tenant) => requests.begin(tenant, requestKey, 'hash of a body', 1_001), { outcome: 'begun' }],
  ['requests.finish', ({ requests }, tenant) => requests.finish(tenant, requestKey, { status: 201, headers: {}, body: '' }), false],
  ['requests.abandon', ({ requests }, tenant) => requests.abandon(tenant, requestKey), false],
  ['requests.abandonAll', ({ requests }, tenant) => requests.abandonAll(tenant), 0],
  ['checkpoints.load', ({ checkpoints }, tenant) => checkpoints.load(tenant, 'detect', 'engine'), undefined],
  ['checkpoints.parts', ({ checkpoints }, tenant) => checkpoints.parts(tenant, 'detect'), []],
  ['requests.removeOld', ({ requests }, tenant) => requests.removeOld(tenant, 1_000 + 86_400_000), 0],
]

/** Calls whose rows would need more than an answer to compare; each has a test of its own. */
export const callsTestedElsewhere: readonly string[] = ['apiKeys.insert', 'apiKeys.noteUse', 'sessions.insert', 'rules.put', 'checkpoints.save']

/** All that tenant 'a' has, to be compared before and after what another tenant did. */
export async function everythingOf({ users, apiKeys, sessions, rules, alerts, audit, requests, checkpoints }: Stores, tenant: string): Promise<unknown> {
  return {
    users: await users.list(tenant),
    passwordHash: await users.passwordHash(tenant, 'u1'),
    apiKeys: await apiKeys.list(tenant),
    sessions: await sessions.list(tenant, 'u1'),
    rules: await rules.list(tenant),
    alerts: await alerts.list(tenant, { sort: [], limit: 10 }),
    comments: await alerts.comments(tenant, 'm1'),
    evidence: await alerts.evidence(tenant, 'm1'),
    audit: await audit.list(tenant, { limit: 10 }),
    request: await requests.begin(tenant, requestKey, 'hash of a body', 1_001),
    checkpoint: await checkpoints.load(tenant, 'detect', 'engine'),
    verdicts: await alerts.verdicts(tenant, 'rule1'),
  }
}
