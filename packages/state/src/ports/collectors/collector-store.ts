import type { Collector, CollectorHeartbeat, EnrolmentToken } from '@tripline/model/collectors/collector'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from '../change.ts'
import type { ConnectorTotals } from '../connector-store.ts'

/** Stores the collectors of tenants with their last report and totals, and the tokens with which they enrol. */
export type CollectorStore = {
  /** Inserts a collector under the hash of its credential. */
  readonly insert: (tenant: TenantId, collector: Collector, credentialHash: string) => Promise<void>
  /** The collector of a credential. It is found before the tenant is known; a retired one is not found. */
  readonly find: (credentialHash: string) => Promise<CollectorWithTenant | undefined>
  readonly get: (tenant: TenantId, id: string) => Promise<Collector | undefined>
  /** All collectors of a tenant, by id, retired ones included. */
  readonly list: (tenant: TenantId) => Promise<readonly Collector[]>
  readonly update: (tenant: TenantId, id: string, change: CollectorChange, terms: ChangeTerms) => Promise<ChangeResult<Collector>>
  /** Stores what a heartbeat tells; the version stays. Returns false for a retired collector. */
  readonly noteHeartbeat: (tenant: TenantId, id: string, heartbeat: CollectorHeartbeat) => Promise<boolean>
  /** Marks a collector that was heard as offline; returns whether it was online or degraded. */
  readonly markOffline: (tenant: TenantId, id: string, at: number) => Promise<boolean>
  /** Retires a collector and removes its credential; a retired one stays as it is. */
  readonly retire: (tenant: TenantId, id: string, terms: ChangeTerms) => Promise<ChangeResult<Collector>>
  /** Removes a retired collector; returns whether there was one. */
  readonly removeRetired: (tenant: TenantId, id: string) => Promise<boolean>
  /** The totals of the events of a collector; undefined if there is none. */
  readonly totals: (tenant: TenantId, id: string) => Promise<ConnectorTotals | undefined>
  /** Adds to the totals; ignored for a removed collector. */
  readonly addTotals: (tenant: TenantId, id: string, totals: ConnectorTotals) => Promise<void>
  readonly insertToken: (tenant: TenantId, token: EnrolmentToken) => Promise<void>
  /** The tokens of a tenant that no collector used, oldest first. */
  readonly listTokens: (tenant: TenantId) => Promise<readonly EnrolmentToken[]>
  /** Takes a token, which then is gone. It is found before the tenant is known. */
  readonly takeToken: (hash: string) => Promise<TokenWithTenant | undefined>
  /** Removes tokens that ended before an instant; returns how many. */
  readonly removeOldTokens: (tenant: TenantId, before: number) => Promise<number>
}

type CollectorWithTenant = { readonly tenant: TenantId; readonly collector: Collector }
type TokenWithTenant = { readonly tenant: TenantId; readonly token: EnrolmentToken }
type CollectorChange = Partial<Pick<Collector, 'name'>>
