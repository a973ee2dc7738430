import type { ApiKey } from '../../src/domain/api-key.ts'
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

/** Fills a store with tenants 'a' and 'b': 'a' has one of everything, 'b' nothing. */
export async function fill(store: StateStore): Promise<void> {
  await store.tenants.insert(tenantWith({}))
  await store.tenants.insert(tenantWith({ id: 'b', name: 'Bolt' }))
  await store.users.insert('a', userWith({}), 'hash of a password')
  await store.apiKeys.insert('a', apiKeyWith({}), 'hash of k1')
  await store.sessions.insert('a', sessionWith({}), 'hash of r1')
}
