import type { DomainEvent } from '@tripline/model/delivery/domain-event'
import type { TenantId } from '@tripline/model/tenant'

/**
 * The transactional outbox: the domain events of each tenant, numbered from 1 in the order of their commits. The stores
 * write them in the transaction of the change (docs/decisions/0036-domain-events.md); consumers read them behind positions
 * of their own.
 */
export type DomainEventStore = {
  /** Reads events of a tenant behind a number, in order and at most `limit`. Removed and corrupted ones are left out. */
  readonly read: (tenant: TenantId, after: number, limit: number) => Promise<DomainEventPage>
  /** The number of the last event of each tenant that has any. */
  readonly heads: () => Promise<ReadonlyMap<TenantId, number>>
  /** The positions of a consumer, by tenant: the number of the last event that it has handled. */
  readonly positions: (consumer: string) => Promise<ReadonlyMap<TenantId, number>>
  readonly savePosition: (tenant: TenantId, consumer: string, seq: number) => Promise<void>
  /** Removes the oldest events of a tenant up to a number, at most `limit`; returns how many. */
  readonly trim: (tenant: TenantId, through: number, limit: number) => Promise<number>
  /** Removes events that happened before an instant; returns how many. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
  /**
   * Publishes the creation of stored alerts, for those of a release without an outbox; unknown alerts are left out. Returns
   * how many were published.
   */
  readonly announceAlerts: (tenant: TenantId, alertIds: readonly string[]) => Promise<number>
}

type DomainEventPage = {
  readonly events: readonly DomainEvent[]
  /** The number up to which events were read: that many less the number of events are missing. */
  readonly readTo: number
}
