import type { Account } from '@tripline/model/access/account'
import type { ApiKey } from '@tripline/model/access/api-key'
import type { Session, SessionStep } from '@tripline/model/access/session'
import type { User } from '@tripline/model/access/user'
import type { TimelineEntry } from '@tripline/model/incidents/incident'
import type { Notification } from '@tripline/model/delivery/notification'
import type { RuleMatch } from '@tripline/model/match'
import type { Rule } from '@tripline/model/rule'
import type { Tenant, TenantId } from '@tripline/model/tenant'
import type { AlertStore } from './alert-store.ts'
import type { AssetStore } from './assets/asset-store.ts'
import type { ExposureStore } from './assets/exposure-store.ts'
import type { FindingStore } from './assets/finding-store.ts'
import type { AuditStore } from './audit-store.ts'
import type { BulkChangeStore } from './bulk-change-store.ts'
import type { ChangeResult, ChangeTerms, Insertion } from './change.ts'
import type { ComplianceStore } from './compliance-store.ts'
import type { CheckpointStore } from './checkpoint-store.ts'
import type { CollectorStore } from './collectors/collector-store.ts'
import type { ConnectorStore } from './connector-store.ts'
import type { DataSubjectRequestStore } from './data-subject-request-store.ts'
import type { ErasureStore } from './erasure-store.ts'
import type { DomainEventStore } from './delivery/domain-event-store.ts'
import type { IncidentStore } from './incident-store.ts'
import type { JobStore } from './job-store.ts'
import type { MetricStore } from './metric-store.ts'
import type { IndicatorStore } from './enrichment/indicator-store.ts'
import type { DirectoryUserStore } from './enrichment/directory-user-store.ts'
import type { SubdomainStore } from './enrichment/subdomain-store.ts'
import type { TenantList } from './list-query.ts'
import type { PreferenceStore } from './preference-store.ts'
import type { PlaybookRunList, PlaybookStore } from './playbook-store.ts'
import type { ProvisioningStore } from './access/provisioning-store.ts'
import type { ReportScheduleStore } from './report-schedule-store.ts'
import type { ReportStore } from './report-store.ts'
import type { BacktestStore, RulePipelineStore, RuleStore, RuleVersionStore } from './rule-store.ts'
import type { SignOnStore } from './sign-on-store.ts'
import type { ViewStore } from './view-store.ts'
import type { ChannelMessageStore, ChannelRouteStore, ChannelStore } from './delivery/channel-store.ts'
import type { WebhookDeliveryStore, WebhookStore } from './delivery/webhook-store.ts'

/**
 * The server's state, except events, behind one interface. The tenant is the first argument of every call, and no call
 * finds another tenant's resources. Five lookups come before the tenant is known: accounts, API keys, connector tokens,
 * tokens of provisioning and the domains of sign-on. What a call resolved with is durable.
 */
export type StateStore = Stores & {
  /**
   * Runs work in one transaction: all of it is stored, or nothing if it throws. Use only the stores passed to it: a
   * call on the others would wait for the end of the transaction, a deadlock.
   */
  readonly transaction: <T>(work: (stores: Stores) => Promise<T>) => Promise<T>
  /** Calls back after each commit that published domain events of a tenant, with the number of the last; returns an end. */
  readonly watchDomainEvents: (listener: (tenant: TenantId, lastSeq: number) => void) => () => void
  /** The server's jobs, which belong to no tenant. */
  readonly jobs: JobStore
  /** Writes something and waits until it is durable. @throws if nothing can be written. */
  readonly checkWritable: () => Promise<void>
  /** The corrupted rows that reads met since it was opened: their number, by table. They are not used. */
  readonly getDamagedRows: () => ReadonlyMap<string, number>
  readonly close: () => Promise<void>
}

export type Stores = {
  readonly tenants: TenantStore
  readonly accounts: AccountStore
  readonly users: UserStore
  readonly apiKeys: ApiKeyStore
  readonly sessions: SessionStore
  /** How the users of a tenant log in at its identity provider. */
  readonly signOn: SignOnStore
  /** Users and groups that identity providers provision. */
  readonly provisioning: ProvisioningStore
  readonly rules: ChangingRuleStore
  readonly alerts: AlertStore
  /** The matches of rules, with the verdicts of their alerts. */
  readonly matches: TenantList<RuleMatch>
  readonly incidents: IncidentStore
  /** What happened to incidents. */
  readonly incidentTimeline: TenantList<TimelineEntry>
  readonly audit: AuditStore
  readonly idempotencyKeys: IdempotencyKeyStore
  readonly checkpoints: CheckpointStore
  readonly connectors: ConnectorStore
  readonly collectors: CollectorStore
  readonly metrics: MetricStore
  readonly playbooks: PlaybookStore
  readonly playbookRuns: PlaybookRunList
  readonly assets: AssetStore
  readonly findings: FindingStore
  readonly exposures: ExposureStore
  readonly directoryUsers: DirectoryUserStore
  readonly indicators: IndicatorStore
  readonly subdomains: SubdomainStore
  readonly dataSubjectRequests: DataSubjectRequestStore
  readonly erasures: ErasureStore
  readonly bulkChanges: BulkChangeStore
  readonly backtests: BacktestStore
  readonly ruleVersions: RuleVersionStore
  /** What rewrites the rules of a tenant. */
  readonly rulePipelines: RulePipelineStore
  readonly views: ViewStore
  readonly preferences: PreferenceStore
  readonly compliance: ComplianceStore
  readonly reports: ReportStore
  readonly reportSchedules: ReportScheduleStore
  readonly domainEvents: DomainEventStore
  readonly webhooks: WebhookStore
  readonly webhookDeliveries: WebhookDeliveryStore
  readonly channels: ChannelStore
  readonly channelRoutes: ChannelRouteStore
  readonly channelMessages: ChannelMessageStore
  /** What was sent to webhooks and channels, as one list. */
  readonly notifications: TenantList<Notification>
}

export type TenantStore = {
  readonly insert: (tenant: Tenant) => Promise<Insertion>
  readonly get: (tenant: TenantId) => Promise<Tenant | undefined>
  /** All tenants, by id: for operators of the server. */
  readonly list: () => Promise<readonly Tenant[]>
  readonly update: (
    tenant: TenantId,
    change: Partial<Pick<Tenant, 'name' | 'isActive' | 'settings'>>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Tenant>>
}

/** A new account, without any login. */
type NewAccount = Pick<Account, 'email' | 'passwordHash' | 'totpSecret'> & Partial<Pick<Account, 'hasOneTimePassword'>>

/**
 * Accounts belong to no tenant: a person may be a user of several, so no tenant's administrator may change an account
 * alone. Emails are normalised by `normalizeAccountEmail`.
 */
export type AccountStore = {
  readonly insert: (account: NewAccount) => Promise<Insertion>
  readonly find: (email: string) => Promise<Account | undefined>
  /** The tenants that have a user with its email, active or not, by id. */
  readonly tenantsOf: (email: string) => Promise<readonly TenantId[]>
  /** Replaces a hash unless it changed meanwhile; returns whether it did. The new password is not temporary. */
  readonly replacePasswordHash: (email: string, change: { readonly from: string; readonly to: string }) => Promise<boolean>
  /** Sets or removes the hash; returns whether the account exists. */
  readonly setPasswordHash: (email: string, hash: string | undefined, use?: 'one_time') => Promise<boolean>
  /** Sets or removes the TOTP secret; returns whether the account exists. Used time steps stay used. */
  readonly setTotpSecret: (email: string, sealed: string | undefined) => Promise<boolean>
  /** Marks a time step as used; returns false if that or a later one was used before. */
  readonly useTotpStep: (email: string, step: number) => Promise<boolean>
  /** Removes an account without users in any tenant; returns whether it did. */
  readonly remove: (email: string) => Promise<boolean>
}

export type UserChange = Partial<Pick<User, 'email' | 'name' | 'roles' | 'interface' | 'isActive' | 'tokensValidFrom'>>

export type UserStore = {
  readonly insert: (tenant: TenantId, user: User) => Promise<Insertion>
  readonly get: (tenant: TenantId, id: string) => Promise<User | undefined>
  readonly findByEmail: (tenant: TenantId, email: string) => Promise<User | undefined>
  /** All users of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly User[]>
  /**
   * `taken` if another user of the tenant has the email. A change of roles or `isActive` increments
   * `permissionsVersion`.
   */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: UserChange,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<User> | { readonly outcome: 'taken' }>
  /** Removes a user with the sessions; returns whether the user existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}

export type ApiKeyChange = Partial<
  Pick<ApiKey, 'name' | 'expiresAt' | 'apiProfile' | 'resources' | 'requestsPerMinute' | 'allowedCidrs'>
>

export type ApiKeyStore = {
  /** Inserts a key, unless its public id is taken in any tenant. */
  readonly insert: (tenant: TenantId, key: ApiKey) => Promise<Insertion>
  /** The key of a public id, revoked or not. It is found before the tenant is known. */
  readonly find: (publicId: string) => Promise<ApiKey | undefined>
  readonly get: (tenant: TenantId, publicId: string) => Promise<ApiKey | undefined>
  /** All keys of a tenant, oldest first, revoked ones included. */
  readonly list: (tenant: TenantId) => Promise<readonly ApiKey[]>
  readonly update: (tenant: TenantId, publicId: string, change: ApiKeyChange, terms: ChangeTerms) => Promise<ChangeResult<ApiKey>>
  /** Revokes a key; a revoked key stays as it is. Returns false if the tenant has no such key. */
  readonly revoke: (tenant: TenantId, publicId: string, revokedAt: number) => Promise<boolean>
  /** Records a use; one earlier than the last changes nothing. */
  readonly noteUse: (tenant: TenantId, publicId: string, use: { readonly at: number; readonly ip: string }) => Promise<void>
}

export type SessionStore = {
  /** @throws Error if the id is taken or the tenant has no such user. */
  readonly insert: (tenant: TenantId, session: Session) => Promise<void>
  readonly get: (tenant: TenantId, id: string) => Promise<Session | undefined>
  /** The sessions of a user, by id, ended ones included. */
  readonly list: (tenant: TenantId, userId: string) => Promise<readonly Session[]>
  /** Advances the generation; returns false if the session is not of `from` any more, or revoked. */
  readonly advance: (tenant: TenantId, id: string, step: SessionStep) => Promise<boolean>
  /** Revokes a session; a revoked session stays as it is. Returns whether it revoked one. */
  readonly revoke: (tenant: TenantId, id: string, revokedAt: number) => Promise<boolean>
  /** Revokes all active sessions of a user; returns their ids. */
  readonly revokeAll: (tenant: TenantId, userId: string, revokedAt: number) => Promise<readonly string[]>
  /** Removes sessions last refreshed before an instant; returns how many. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
}

/** The rules of tenants, with changes. */
export type ChangingRuleStore = RuleStore & {
  /** Inserts rules whose ids are new to the tenant and leaves the others alone; returns how many. */
  readonly insert: (tenant: TenantId, rules: readonly Rule[]) => Promise<number>
  readonly update: (tenant: TenantId, id: string, change: RulePatch, terms: ChangeTerms) => Promise<ChangeResult<Rule>>
  /** Returns whether the rule existed. */
  readonly remove: (tenant: TenantId, id: string, at: number) => Promise<boolean>
}

type RulePatch = Partial<Omit<Rule, 'id' | 'version' | 'createdAt' | 'updatedAt'>>

/**
 * An idempotency key of a client, scoped to a tenant and route
 * (docs/reference/console-api.md#rules-for-every-endpoint).
 */
export type IdempotencyKey = { readonly route: string; readonly key: string }

/** A stored response to repeat. */
export type StoredResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/**
 * The state of a request under its key: it begins now, it is running, its stored response, or another request has the
 * key.
 */
export type IdempotencyOutcome =
  | { readonly outcome: 'begun' | 'running' | 'other_body' }
  | { readonly outcome: 'answered'; readonly answer: StoredResponse }

/** Stores idempotency keys for a day, so that repeated requests run once. */
export type IdempotencyKeyStore = {
  readonly begin: (tenant: TenantId, key: IdempotencyKey, bodyHash: string, at: number) => Promise<IdempotencyOutcome>
  /** Stores the response, in the transaction of the request's effects. Returns whether the request was running. */
  readonly finish: (tenant: TenantId, key: IdempotencyKey, answer: StoredResponse) => Promise<boolean>
  /** Removes the key of a failed request, which may be sent again. */
  readonly abandon: (tenant: TenantId, key: IdempotencyKey) => Promise<boolean>
  /** Removes the keys of all running requests: at start, when their process is gone. Returns how many. */
  readonly abandonAll: (tenant: TenantId) => Promise<number>
  /** Removes keys that are a day old at a moment; returns how many. */
  readonly removeOld: (tenant: TenantId, at: number) => Promise<number>
}
