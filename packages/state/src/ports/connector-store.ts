import type { Connector, ConnectorHealth, ConnectorStatus } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms, Insertion } from './change.ts'

/** Stores the connectors of tenants with their health, totals and polling positions. */
export type ConnectorStore = {
  /** Inserts a connector, under the hash of its token if it has one; `taken` if the tenant has one of that name. */
  readonly insert: (tenant: TenantId, connector: Connector, tokenHash: string | undefined) => Promise<Insertion>
  /** The connector of a token, enabled or not. It is found before the tenant is known. */
  readonly find: (tokenHash: string) => Promise<ConnectorWithTenant | undefined>
  readonly get: (tenant: TenantId, id: string) => Promise<Connector | undefined>
  /** All connectors of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly Connector[]>
  /** `taken` if another connector of the tenant has the name. */
  readonly update: (
    tenant: TenantId, id: string, change: ConnectorChange, terms: ChangeTerms,
  ) => Promise<ChangeResult<Connector> | { readonly outcome: 'taken' }>
  /** Removes a connector with everything stored of it; returns whether it existed. */
  readonly remove: (tenant: TenantId, id: string, at: number) => Promise<boolean>
  /** Stores the health of a connector, and a history entry if its status changes; the version stays. */
  readonly setHealth: (tenant: TenantId, id: string, health: ConnectorHealth, at: number) => Promise<boolean>
  /** The last status changes, newest first. */
  readonly history: (tenant: TenantId, id: string, limit: number) => Promise<readonly ConnectorMoment[]>
  /** Removes status changes before an instant; returns how many. */
  readonly removeOldHistory: (tenant: TenantId, before: number) => Promise<number>
  /** The totals of a connector; undefined if there is none. */
  readonly totals: (tenant: TenantId, id: string) => Promise<ConnectorTotals | undefined>
  /** Adds to the totals; ignored for a removed connector. */
  readonly addTotals: (tenant: TenantId, id: string, totals: ConnectorTotals) => Promise<void>
  /** The polling position; undefined at the beginning. */
  readonly cursor: (tenant: TenantId, id: string) => Promise<string | undefined>
  readonly setCursor: (tenant: TenantId, id: string, cursor: string | undefined) => Promise<void>
}

type ConnectorWithTenant = { readonly tenant: TenantId; readonly connector: Connector }

type ConnectorChange = Partial<Pick<Connector, 'name' | 'isEnabled' | 'config' | 'sealedSecrets'>>

/** A status change of a connector. */
export type ConnectorMoment = { readonly at: number; readonly status: ConnectorStatus; readonly message: string }

export type ConnectorTotals = {
  readonly receivedCount: number
  readonly failedCount: number
  readonly byteCount: number
  readonly lastEventAt: number | undefined
}
