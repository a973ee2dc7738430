import type { ApiKey } from '../domain/api-key.ts'
import type { Rule } from '../domain/rule.ts'
import type { Session, SessionEnd } from '../domain/session.ts'
import type { Tenant, TenantId } from '../domain/tenant.ts'
import type { User } from '../domain/user.ts'
import type { AlertStore } from './alert-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import type { RuleStore } from './store.ts'

/**
 * Everything the server knows but the events: the seam behind which it is kept. The tenant is the first argument
 * of every call; the id of another tenant's thing is the id of nothing. What a call resolved with is on disk.
 */
export type StateStore = Stores & {
  /**
   * Runs the work in one transaction: all of it is kept or, where it throws, nothing. Within it, only the stores that
   * are handed to it may be used; a call of the others waits for its end, and would be waited for.
   */
  readonly transaction: <T>(work: (stores: Stores) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

export type Stores = {
  readonly tenants: TenantStore
  readonly users: UserStore
  readonly apiKeys: ApiKeyStore
  readonly sessions: SessionStore
  readonly rules: ChangingRuleStore
  readonly alerts: AlertStore
  readonly audit: AuditStore
  readonly requests: RequestStore
  readonly checkpoints: CheckpointStore
  readonly directory: Directory
}

/**
 * What became of a change. `unchanged`: the thing is already as it should be. `stale`: it has another version than
 * the one that was expected, and nothing was changed. `missing`: the tenant has no such thing.
 */
export type Change<T> =
  | { readonly outcome: 'changed' | 'unchanged'; readonly value: T }
  | { readonly outcome: 'stale'; readonly version: number }
  | { readonly outcome: 'missing' }

/** Under which version a change is to be made, when it is made, and nothing else in common. */
export type ChangeTerms = {
  /** The version that the caller has seen; undefined for whatever there is. */
  readonly expectedVersion: number | undefined
  readonly at: number
}

/** Whether something new was kept, or its id, name or email was there already and nothing was changed. */
export type Insertion = 'inserted' | 'taken'

export type TenantStore = {
  readonly insert: (tenant: Tenant) => Promise<Insertion>
  readonly get: (tenant: TenantId) => Promise<Tenant | undefined>
  /** All tenants, by id: for those who run the server. */
  readonly list: () => Promise<readonly Tenant[]>
  readonly update: (
    tenant: TenantId,
    change: Partial<Pick<Tenant, 'name' | 'isActive' | 'settings'>>,
    terms: ChangeTerms,
  ) => Promise<Change<Tenant>>
}

/** A change of a user; a password is handed over as its hash, and null takes it away. */
export type UserChange = Partial<Pick<User, 'email' | 'name' | 'roles' | 'isActive'>> & { readonly passwordHash?: string | null }

export type UserStore = {
  readonly insert: (tenant: TenantId, user: User, passwordHash: string | undefined) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<User | undefined>
  readonly findByEmail: (tenant: TenantId, email: string) => Promise<User | undefined>
  /** All users of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly User[]>
  /** The one call that hands out a hash of a password; undefined without user or password. */
  readonly passwordHash: (tenant: TenantId, id: string) => Promise<string | undefined>
  /** `taken` where another user of the tenant has the email. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: UserChange,
    terms: ChangeTerms,
  ) => Promise<Change<User> | { readonly outcome: 'taken' }>
}

export type ApiKeyStore = {
  /** Keeps the key under its hash; a hash is unique among all tenants. */
  readonly insert: (tenant: TenantId, key: ApiKey, hash: string) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<ApiKey | undefined>
  /** All keys of a tenant, by id, revoked ones too. */
  readonly list: (tenant: TenantId) => Promise<readonly ApiKey[]>
  /** Says whether there was such a key that was not revoked. */
  readonly revoke: (tenant: TenantId, id: string, at: number) => Promise<boolean>
  /** Notes the use; an earlier one changes nothing. */
  readonly noteUse: (tenant: TenantId, id: string, at: number) => Promise<void>
}

/** What became of a refresh token that was handed in. */
export type Rotation =
  | { readonly outcome: 'rotated'; readonly session: Session }
  /** It was used before: somebody has a copy, so its session was ended now, or had been. */
  | { readonly outcome: 'reused'; readonly session: Session }
  | { readonly outcome: 'ended'; readonly session: Session }
  | { readonly outcome: 'unknown' }

export type SessionStore = {
  /** Begins a session with its first refresh token, which is kept as its hash. */
  readonly insert: (tenant: TenantId, session: Session, tokenHash: string) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<Session | undefined>
  /** Sessions of a user, by id, those that are over too. */
  readonly list: (tenant: TenantId, userId: string) => Promise<readonly Session[]>
  /** Takes a refresh token in and puts the next one in its place; `idleUntil` moves on with it. */
  readonly rotate: (
    tenant: TenantId,
    tokens: { readonly used: string; readonly next: string },
    times: { readonly at: number; readonly idleUntil: number },
  ) => Promise<Rotation>
  /** Says whether there was such a session that was not over. */
  readonly end: (tenant: TenantId, id: string, at: number, because: SessionEnd) => Promise<boolean>
  /** Ends all sessions of a user and says which. */
  readonly endAll: (tenant: TenantId, userId: string, at: number, because: SessionEnd) => Promise<readonly string[]>
  /** Forgets sessions that could last no longer than until `before`. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
}

/** The rules of tenants, which change. */
export type ChangingRuleStore = RuleStore & {
  /** Adds rules whose ids the tenant does not have, leaves the others as they are, and says how many it added. */
  readonly insert: (tenant: TenantId, rules: readonly Rule[]) => Promise<number>
  readonly update: (tenant: TenantId, id: string, change: RuleChange, terms: ChangeTerms) => Promise<Change<Rule>>
  /** Says whether there was such a rule. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

export type RuleChange = Partial<Omit<Rule, 'id' | 'version' | 'createdAt' | 'updatedAt'>>

/** An idempotency key of a client, which counts within a tenant and route (D-41). */
export type RequestKey = { readonly route: string; readonly key: string }

/** An answer that is given again. */
export type KeptAnswer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** What is known of a request under its key: nothing, so it begins now; that it runs; its answer; another one under that key. */
export type RequestBegin =
  | { readonly outcome: 'begun' | 'running' | 'other_body' }
  | { readonly outcome: 'answered'; readonly answer: KeptAnswer }

/** Requests that are done once however often they are sent, kept for a day. */
export type RequestStore = {
  readonly begin: (tenant: TenantId, key: RequestKey, bodyHash: string, at: number) => Promise<RequestBegin>
  /** Keeps the answer; in the transaction of what was done, both are kept or neither is. Says whether the request was running. */
  readonly finish: (tenant: TenantId, key: RequestKey, answer: KeptAnswer) => Promise<boolean>
  /** Forgets a request that failed and may be sent again. */
  readonly abandon: (tenant: TenantId, key: RequestKey) => Promise<boolean>
  /** Forgets all that run: at start, when those who ran them are gone. Says how many. */
  readonly abandonAll: (tenant: TenantId) => Promise<number>
  /** Forgets those that are a day old at that moment, and says how many. */
  readonly removeOld: (tenant: TenantId, at: number) => Promise<number>
}

/** The only calls without a tenant: they say whose what somebody shows is, before it is known who asks. */
export type Directory = {
  /** The tenants with an active user of that email, by id. */
  readonly tenantsOfEmail: (email: string) => Promise<readonly TenantId[]>
  /** The key with that hash, revoked or not. */
  readonly apiKey: (hash: string) => Promise<{ readonly tenant: TenantId; readonly key: ApiKey } | undefined>
  /** The tenant in which that refresh token was given out. */
  readonly tenantOfToken: (tokenHash: string) => Promise<TenantId | undefined>
}
