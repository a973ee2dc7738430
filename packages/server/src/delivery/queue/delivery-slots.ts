import type { TenantId } from '@tripline/model/tenant'

type SlotBounds = { readonly tenantMax: number; readonly serverMax: number }

type Use = { count: number; failingCount: number }

/**
 * Bulkheads for deliveries under way: bounds for a tenant and for the server. Webhooks whose last attempt failed get at most
 * half of each, so that receivers that hang never take the slots of those that answer.
 */
export class DeliverySlots {
  readonly #bounds: SlotBounds
  readonly #server: Use = { count: 0, failingCount: 0 }
  readonly #tenants = new Map<TenantId, Use>()

  constructor(bounds: SlotBounds) {
    this.#bounds = bounds
  }

  /** Takes a slot if there is one. */
  tryTake(tenant: TenantId, isFailing: boolean): boolean {
    const use = this.#tenants.get(tenant) ?? { count: 0, failingCount: 0 }
    const { tenantMax, serverMax } = this.#bounds
    if (!hasRoom(use, tenantMax, isFailing) || !hasRoom(this.#server, serverMax, isFailing)) return false
    this.#tenants.set(tenant, use)
    change(use, isFailing, 1)
    change(this.#server, isFailing, 1)
    return true
  }

  release(tenant: TenantId, isFailing: boolean): void {
    const use = this.#tenants.get(tenant)
    if (use === undefined) return
    change(use, isFailing, -1)
    change(this.#server, isFailing, -1)
    if (use.count === 0) this.#tenants.delete(tenant)
  }
}

function hasRoom({ count, failingCount }: Use, max: number, isFailing: boolean): boolean {
  return count < max && (!isFailing || failingCount < max / 2)
}

function change(use: Use, isFailing: boolean, by: 1 | -1): void {
  use.count += by
  if (isFailing) use.failingCount += by
}
