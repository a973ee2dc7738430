import type { DomainEvent } from '@tripline/model/delivery/domain-event'
import type { TenantId } from '@tripline/model/tenant'

/** Who receives domain events; each has positions of its own. */
export type EventConsumer = {
  /** Its positions are stored under this name: it never changes. */
  readonly name: string
  /** The topic under which pipeline metrics show what waits for it. */
  readonly topic: string
  /**
   * Handles events of a tenant, which come in order and one call at a time; events of other tenants may be handled meanwhile.
   * After an error, and after a restart, the same events come again, perhaps in other batches: their ids tell. The signal
   * aborts when the server stops.
   */
  readonly handle: (tenant: TenantId, events: readonly DomainEvent[], signal: AbortSignal) => Promise<void>
}
