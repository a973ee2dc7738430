import type { Account } from '@tripline/model/access/account'
import type { ApiKey } from '@tripline/model/access/api-key'
import type { Session, SessionStep } from '@tripline/model/access/session'
import { noSignOn } from '@tripline/model/access/sign-on'
import type { SignOn } from '@tripline/model/access/sign-on'
import type { User } from '@tripline/model/access/user'
import type { Tenant, TenantId } from '@tripline/model/tenant'
import type { Accounts, ApiKeys, Sessions, SignOns, Tenants, Users } from '@tripline/state/ports/access-stores'
import type { ExternalUsers } from '../src/access/external-users.ts'
import type { ExternalPrincipal } from '../src/access/tokens/token-principal.ts'

/** Accounts in memory, by address; what a test changes, the next question answers. */
export class MemoryAccounts implements Accounts {
  readonly accounts = new Map<string, Account>()

  async find(email: string): Promise<Account | undefined> {
    return this.accounts.get(email)
  }

  async replacePasswordHash(email: string, { from, to }: { readonly from: string; readonly to: string }): Promise<boolean> {
    const account = this.accounts.get(email)
    if (account?.passwordHash !== from) return false
    this.accounts.set(email, { ...account, passwordHash: to, hasOneTimePassword: false })
    return true
  }

  async useTotpStep(email: string, step: number): Promise<boolean> {
    const account = this.accounts.get(email)
    if (account === undefined || step <= account.totpStepUsed) return false
    this.accounts.set(email, { ...account, totpStepUsed: step })
    return true
  }
}

/** Every tenant there could be, active but those that a test switches off. */
export class MemoryTenants implements Tenants {
  readonly inactive = new Set<TenantId>()
  /** Of all of them. */
  settings: Tenant['settings'] = {}

  async get(tenant: TenantId): Promise<Pick<Tenant, 'isActive' | 'settings'>> {
    return { isActive: !this.inactive.has(tenant), settings: this.settings }
  }
}

/** Tenants without sign-on, but those that a test gives one. */
export class MemorySignOns implements SignOns {
  readonly settings = new Map<TenantId, SignOn>()

  async get(tenant: TenantId): Promise<SignOn> {
    return this.settings.get(tenant) ?? noSignOn
  }
}

export class MemoryUsers implements Users {
  readonly #users = new Map<string, User>()

  put(tenant: TenantId, user: User): void {
    this.#users.set(keyOf(tenant, user.id), user)
  }

  async get(tenant: TenantId, id: string): Promise<User | undefined> {
    return this.#users.get(keyOf(tenant, id))
  }
}

/** Adds each user of an external issuer under the subject of the token. */
export class MemoryExternalUsers implements ExternalUsers {
  readonly #users: MemoryUsers

  constructor(users: MemoryUsers) {
    this.#users = users
  }

  async provision(externalIssuer: string, { tenant, subject: id, roles, profile }: ExternalPrincipal): Promise<Pick<User, 'id'>> {
    const stamps = { interface: 'console', permissionsVersion: 1, version: 1, createdAt: 0, updatedAt: 0 } as const
    const user = { id, name: profile.name, email: profile.email ?? id, roles, isActive: true, externalIssuer, ...stamps }
    if (await this.#users.get(tenant, id) === undefined) this.#users.put(tenant, user)
    return { id }
  }
}

export class MemorySessions implements Sessions {
  readonly #sessions = new Map<string, Session>()

  async insert(tenant: TenantId, session: Session): Promise<void> {
    this.#sessions.set(keyOf(tenant, session.id), session)
  }

  async get(tenant: TenantId, id: string): Promise<Session | undefined> {
    return this.#sessions.get(keyOf(tenant, id))
  }

  async advance(tenant: TenantId, id: string, step: SessionStep): Promise<boolean> {
    const session = this.#sessions.get(keyOf(tenant, id))
    if (session === undefined || session.revokedAt !== undefined || session.generation !== step.from) return false
    this.#sessions.set(keyOf(tenant, id), { ...session, generation: step.from + 1, refreshedAt: step.refreshedAt })
    return true
  }

  async revoke(tenant: TenantId, id: string, revokedAt: number): Promise<boolean> {
    const session = this.#sessions.get(keyOf(tenant, id))
    if (session === undefined || session.revokedAt !== undefined) return false
    this.#sessions.set(keyOf(tenant, id), { ...session, revokedAt })
    return true
  }
}

export class MemoryApiKeys implements ApiKeys {
  readonly keys = new Map<string, ApiKey>()

  async insert(tenant: TenantId, key: ApiKey): Promise<'inserted' | 'taken'> {
    if (this.keys.has(key.publicId)) return 'taken'
    this.keys.set(key.publicId, { ...key, tenant })
    return 'inserted'
  }

  async find(publicId: string): Promise<ApiKey | undefined> {
    return this.keys.get(publicId)
  }

  async revoke(tenant: TenantId, publicId: string, revokedAt: number): Promise<boolean> {
    const key = this.keys.get(publicId)
    if (key?.tenant !== tenant) return false
    this.keys.set(publicId, { ...key, revokedAt: key.revokedAt ?? revokedAt })
    return true
  }
}

/** As JSON no two pairs read the same. */
function keyOf(tenant: TenantId, id: string): string {
  return JSON.stringify([tenant, id])
}
