import type { Connector, ConnectorHealth, ConnectorStatus } from '../domain/connector.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { ChangeResult, ChangeTerms, Insertion } from './change.ts'

/** Keeps the connectors of tenants, how they were, what came in through them, and where polling them goes on. */
export type ConnectorStore = {
  /** Keeps a new connector, under the hash of its token if it has one; `taken` where the tenant has one of that name. */
  readonly insert: (tenant: TenantId, connector: Connector, tokenHash: string | undefined) => Promise<Insertion>
  /** Where senders with that token send to, enabled or not: asked before it is known who asks, so without a tenant. */
  readonly find: (tokenHash: string) => Promise<ConnectorWithTenant | undefined>
  readonly get: (tenant: TenantId, id: string) => Promise<Connector | undefined>
  /** All connectors of a tenant, by id. */
  readonly list: (tenant: TenantId) => Promise<readonly Connector[]>
  /** `taken` where another connector of the tenant has the name. */
  readonly update: (
    tenant: TenantId, id: string, change: ConnectorChange, terms: ChangeTerms,
  ) => Promise<ChangeResult<Connector> | { readonly outcome: 'taken' }>
  /** Removes it with all that is kept of it; says whether there was one. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
  /** Keeps how a connector is, and in its history when its status is another than before; its version stays. */
  readonly setHealth: (tenant: TenantId, id: string, health: ConnectorHealth, at: number) => Promise<boolean>
  /** The last changes of status, newest first. */
  readonly history: (tenant: TenantId, id: string, limit: number) => Promise<readonly ConnectorMoment[]>
  /** Forgets changes of status from before an instant, and says how many. */
  readonly removeOldHistory: (tenant: TenantId, before: number) => Promise<number>
  /** What came in through it in all; undefined where there is no such connector. */
  readonly totals: (tenant: TenantId, id: string) => Promise<ConnectorTotals | undefined>
  /** Adds what came in since the last time; nothing is kept of a connector that is gone. */
  readonly addTotals: (tenant: TenantId, id: string, totals: ConnectorTotals) => Promise<void>
  /** Where polling goes on; undefined at the beginning. */
  readonly cursor: (tenant: TenantId, id: string) => Promise<string | undefined>
  readonly setCursor: (tenant: TenantId, id: string, cursor: string | undefined) => Promise<void>
}

export type ConnectorWithTenant = { readonly tenant: TenantId; readonly connector: Connector }

export type ConnectorChange = Partial<Pick<Connector, 'name' | 'isEnabled' | 'config' | 'sealedSecrets'>>

/** When a connector became what it was from then on. */
export type ConnectorMoment = { readonly at: number; readonly status: ConnectorStatus; readonly message: string }

export type ConnectorTotals = {
  readonly receivedCount: number
  readonly failedCount: number
  readonly byteCount: number
  readonly lastEventAt: number | undefined
}
