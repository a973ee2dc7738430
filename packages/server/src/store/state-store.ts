import type { Account } from '../domain/account.ts'
import type { ApiKey } from '../domain/api-key.ts'
import type { Rule } from '../domain/rule.ts'
import type { Session, SessionStep } from '../domain/session.ts'
import type { Tenant, TenantId } from '../domain/tenant.ts'
import type { User } from '../domain/user.ts'
import type { AlertStore } from './alert-store.ts'
import type { AssetStore } from './asset-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { ChangeResult, ChangeTerms, Insertion } from './change.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import type { ConnectorStore } from './connector-store.ts'
import type { MetricStore } from './metric-store.ts'
import type { IndicatorStore } from './indicator-store.ts'
import type { DirectoryUserStore } from './directory-user-store.ts'
import type { RuleStore } from './rule-store.ts'

/**
 * Everything the server knows but the events: the seam behind which it is kept. The tenant is the first argument
 * of every call; the id of another tenant's thing is the id of nothing. Three things are asked before a tenant is known,
 * and so without one: accounts, and whose an API key or the token of a connector is. What a call resolved with is on disk.
 */
export type StateStore = Stores & {
  /**
   * Runs the work in one transaction: all of it is kept or, where it throws, nothing. Within it, only the stores that
   * are handed to it may be used; a call of the others waits for its end, and would be waited for.
   */
  readonly transaction: <T>(work: (stores: Stores) => Promise<T>) => Promise<T>
  /** Writes something and waits until it is on disk. @throws where nothing can be written. */
  readonly checkWritable: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Stores = {
  readonly tenants: TenantStore
  readonly accounts: AccountStore
  readonly users: UserStore
  readonly apiKeys: ApiKeyStore
  readonly sessions: SessionStore
  readonly rules: ChangingRuleStore
  readonly alerts: AlertStore
  readonly audit: AuditStore
  readonly requests: IdempotencyKeyStore
  readonly checkpoints: CheckpointStore
  readonly connectors: ConnectorStore
  readonly metrics: MetricStore
  readonly assets: AssetStore
  readonly persons: DirectoryUserStore
  readonly indicators: IndicatorStore
}

export type TenantStore = {
  readonly insert: (tenant: Tenant) => Promise<Insertion>
  readonly get: (tenant: TenantId) => Promise<Tenant | undefined>
  /** All tenants, by id: for those who run the server. */
  readonly list: () => Promise<readonly Tenant[]>
  readonly update: (
    tenant: TenantId,
    change: Partial<Pick<Tenant, 'name' | 'isActive' | 'settings'>>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Tenant>>
}

/** An account that nobody has logged in with yet. */
export type NewAccount = Pick<Account, 'email' | 'passwordHash' | 'totpSecret'> & Partial<Pick<Account, 'hasOneTimePassword'>>

/**
 * Accounts belong to no tenant: each is of a person, who may be a user of several, so no tenant's administrator may
 * change one alone. An email may be written in any way in which `normalizeAccountEmail` knows it.
 */
export type AccountStore = {
  readonly insert: (account: NewAccount) => Promise<Insertion>
  readonly find: (email: string) => Promise<Account | undefined>
  /** Every tenant that has a user of its email, active or not, by id: whose account it is. */
  readonly tenantsOf: (email: string) => Promise<readonly TenantId[]>
  /** Replaces a hash unless it changed meanwhile; tells whether it did. The new one is of a password of the person's own. */
  readonly replacePasswordHash: (email: string, change: { readonly from: string; readonly to: string }) => Promise<boolean>
  /** Sets the hash whatever it was, or takes it away; says whether there is such an account. */
  readonly setPasswordHash: (email: string, hash: string | undefined, use?: 'one_time') => Promise<boolean>
  /** Sets the secret of the codes, or takes it away; says whether there is such an account. Steps that were used stay used. */
  readonly setTotpSecret: (email: string, sealed: string | undefined) => Promise<boolean>
  /** Marks the code of a time step as used; false if that or a later one was used before. */
  readonly useTotpStep: (email: string, step: number) => Promise<boolean>
  /** Forgets an account that no tenant has a user of; says whether it did. */
  readonly remove: (email: string) => Promise<boolean>
}

export type UserChange = Partial<Pick<User, 'email' | 'name' | 'roles' | 'isActive'>>

export type UserStore = {
  readonly insert: (tenant: TenantId, user: User) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<User | undefined>
  readonly findByEmail: (tenant: TenantId, email: string) => Promise<User | undefined>
  /** All users of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly User[]>
  /** `taken` where another user of the tenant has the email. Other roles, or another `isActive`, count `permissionsVersion` up. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: UserChange,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<User> | { readonly outcome: 'taken' }>
  /** Forgets a user with the sessions; says whether there was one. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

export type ApiKeyChange = Partial<Pick<ApiKey, 'name' | 'expiresAt' | 'apiProfile' | 'allowedCidrs'>>

export type ApiKeyStore = {
  /** Adds a key, unless its public id is taken, by whichever tenant. */
  readonly insert: (tenant: TenantId, key: ApiKey) => Promise<Insertion>
  /** Whose the key is, revoked or not; asked before the tenant is known. */
  readonly find: (publicId: string) => Promise<ApiKey | undefined>
  readonly get: (tenant: TenantId, publicId: string) => Promise<ApiKey | undefined>
  /** All keys of a tenant, oldest first, revoked ones too. */
  readonly list: (tenant: TenantId) => Promise<readonly ApiKey[]>
  readonly update: (tenant: TenantId, publicId: string, change: ApiKeyChange, terms: ChangeTerms) => Promise<ChangeResult<ApiKey>>
  /** Revokes a key; once revoked it stays as it is. False if the tenant has none of this id. */
  readonly revoke: (tenant: TenantId, publicId: string, revokedAt: number) => Promise<boolean>
  /** Notes the use; one that is earlier than the last changes nothing. */
  readonly noteUse: (tenant: TenantId, publicId: string, use: { readonly at: number; readonly ip: string }) => Promise<void>
}

export type SessionStore = {
  /** @throws Error when the id is taken or the tenant has no such user. */
  readonly insert: (tenant: TenantId, session: Session) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<Session | undefined>
  /** Sessions of a user, by id, those that are over too. */
  readonly list: (tenant: TenantId, userId: string) => Promise<readonly Session[]>
  /** Goes from one generation to the next; false if the session is not of `from` any more, or revoked. */
  readonly advance: (tenant: TenantId, id: string, step: SessionStep) => Promise<boolean>
  /** Revokes a session; once revoked it stays as it is. Says whether there was such a session that was not. */
  readonly revoke: (tenant: TenantId, id: string, revokedAt: number) => Promise<boolean>
  /** Revokes all sessions of a user that are not, and says which. */
  readonly revokeAll: (tenant: TenantId, userId: string, revokedAt: number) => Promise<readonly string[]>
  /** Forgets sessions that were last refreshed before an instant, and says how many. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
}

/** The rules of tenants, which change. */
export type ChangingRuleStore = RuleStore & {
  /** Adds rules whose ids the tenant does not have, leaves the others as they are, and says how many it added. */
  readonly insert: (tenant: TenantId, rules: readonly Rule[]) => Promise<number>
  readonly update: (tenant: TenantId, id: string, change: RuleChange, terms: ChangeTerms) => Promise<ChangeResult<Rule>>
  /** Says whether there was such a rule. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

export type RuleChange = Partial<Omit<Rule, 'id' | 'version' | 'createdAt' | 'updatedAt'>>

/** An idempotency key of a client, which counts within a tenant and route (D-41). */
export type IdempotencyKey = { readonly route: string; readonly key: string }

/** An answer that is given again. */
export type StoredResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** What is known of a request under its key: nothing, so it begins now; that it runs; its answer; another one under that key. */
export type IdempotencyOutcome =
  | { readonly outcome: 'begun' | 'running' | 'other_body' }
  | { readonly outcome: 'answered'; readonly answer: StoredResponse }

/** Requests that are done once however often they are sent, kept for a day. */
export type IdempotencyKeyStore = {
  readonly begin: (tenant: TenantId, key: IdempotencyKey, bodyHash: string, at: number) => Promise<IdempotencyOutcome>
  /** Keeps the answer; in the transaction of what was done, both are kept or neither is. Says whether the request was running. */
  readonly finish: (tenant: TenantId, key: IdempotencyKey, answer: StoredResponse) => Promise<boolean>
  /** Forgets a request that failed and may be sent again. */
  readonly abandon: (tenant: TenantId, key: IdempotencyKey) => Promise<boolean>
  /** Forgets all that run: at start, when those who ran them are gone. Says how many. */
  readonly abandonAll: (tenant: TenantId) => Promise<number>
  /** Forgets those that are a day old at that moment, and says how many. */
  readonly removeOld: (tenant: TenantId, at: number) => Promise<number>
}
