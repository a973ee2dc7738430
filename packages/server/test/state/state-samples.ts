import type { NewAlert } from '../../src/domain/alert.ts'
import type { AuditFacts } from '../../src/domain/audit.ts'
import type { ApiKey } from '../../src/domain/api-key.ts'
import type { Rule } from '../../src/domain/rule.ts'
import type { Session } from '../../src/domain/session.ts'
import type { Tenant } from '../../src/domain/tenant.ts'
import type { User } from '../../src/domain/user.ts'
import type { StateStore } from '../../src/store/state-store.ts'

/** A tenant of the tests; what a test is about is handed in. */
export function tenantWith(tenant: Partial<Tenant>): Tenant {
  return { id: 'a', name: 'Acme', isActive: true, settings: { plan: 'pro' }, version: 1, createdAt: 1, updatedAt: 1, ...tenant }
}

export function userWith(user: Partial<User>): User {
  const usual = { id: 'u1', email: 'Ann@example.org', name: 'Ann', roles: ['analyst'], isActive: true } as const
  return { ...usual, version: 1, createdAt: 1, updatedAt: 1, ...user }
}

export function apiKeyWith(key: Partial<ApiKey>): ApiKey {
  const usual = { id: 'k1', name: 'reports', access: 'read_only', createdBy: 'u1', createdAt: 1 } as const
  return { ...usual, expiresAt: undefined, lastUsedAt: undefined, revokedAt: undefined, ...key }
}

export function sessionWith(session: Partial<Session>): Session {
  return { id: 's1', userId: 'u1', createdAt: 1, idleUntil: 100, endsAt: 1_000, ended: undefined, ...session }
}

export function ruleWith(rule: Partial<Rule>): Rule {
  const stated = { title: 'Whoami', level: 'high', maturity: 'stable', logsource: { product: 'windows' }, description: '', author: '' } as const
  const lists = { attack: { tactics: ['discovery'], techniques: ['T1033'] }, falsePositives: [], references: [], tags: ['attack.t1033'] }
  const here = { isEnabled: true, lifecycle: 'published', origin: 'builtin', version: 1, createdAt: 1, updatedAt: 1 } as const
  return { id: 'rule1', ...stated, ...lists, ...here, date: undefined, modified: '2026-01-02', definition: 'title: Whoami', ...rule }
}

/** A match that makes an alert or comes to one. */
export function newAlertWith(match: Partial<NewAlert>): NewAlert {
  const event = { processName: 'whoami.exe', commandLine: 'whoami /all', user: 'alice', host: 'web-1', statedTime: '' }
  const attack = { tactics: ['discovery'], techniques: ['T1033'] }
  const facts = { id: 'm1', ruleId: 'rule1', ruleTitle: 'Whoami', level: 'high', event, attack, source: 'sysmon', sourceIp: '' } as const
  const known = { enrichment: {}, assetCriticality: '', matchedAt: 1_000, dedupKey: 'key', dedupMs: 100, evidence: '{"n":1}' }
  return { ...facts, ...known, ...match }
}

export function auditFactsWith(facts: Partial<AuditFacts>): AuditFacts {
  const actor = { type: 'user', id: 'u1', email: 'ann@example.org' } as const
  const usual = { at: 1_000, actor, action: 'alert.update', target: { type: 'alert', id: 'm1' }, outcome: 'success' } as const
  return { ...usual, ip: '192.0.2.1', userAgent: undefined, requestId: 'req_1', diff: { status: ['open', 'resolved'] }, ...facts }
}

/** Seals the trails of the tests. */
export const auditKey = Buffer.from('a key of the tests')

export const requestKey = { route: 'POST /v1/connectors', key: 'key 1' }

/** Fills a store with tenants 'a' and 'b': 'a' has one of everything, 'b' nothing. */
export async function fill(store: StateStore): Promise<void> {
  await store.tenants.insert(tenantWith({}))
  await store.tenants.insert(tenantWith({ id: 'b', name: 'Bolt' }))
  await store.users.insert('a', userWith({}), 'hash of a password')
  await store.apiKeys.insert('a', apiKeyWith({}), 'hash of k1')
  await store.sessions.insert('a', sessionWith({}), 'hash of r1')
  await store.rules.insert('a', [ruleWith({})])
  await store.alerts.insert('a', [newAlertWith({})])
  await store.alerts.update('a', 'm1', { comment: { id: 'c1', author: 'Ann', text: 'seen' } }, { expectedVersion: 1, at: 1_001 })
  await store.audit.append('a', auditFactsWith({}))
  await store.checkpoints.save('a', 'detect', { put: new Map([['engine', Buffer.from('state')]]) })
  await store.requests.begin('a', requestKey, 'hash of a body', 1_000)
}
