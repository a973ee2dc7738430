import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'

/** What was computed of a tenant. */
type Computed<Value> = {
  readonly value: Value
  /** The alerts that were read for it. */
  readonly alertCount: number
  readonly at: number
}

type Slot<Value> = {
  computed: Computed<Value> | undefined
  /** Counts the changes of the tenant's alerts. */
  changeCount: number
  /** The count when the last computation began. */
  computedCount: number
  running: Promise<Computed<Value>> | undefined
}

/**
 * Keeps what is computed of all open alerts of a tenant until they change. Requests that come meanwhile share one
 * computation; after a change it is computed again, at the next request, but of many alerts not before a rest in proportion to
 * their number: until then, and while it is computed, requests get what was computed before.
 */
export class RiskCache<Value> {
  readonly #slots = new Map<TenantId, Slot<Value>>()
  readonly #compute: (tenant: TenantId) => Promise<Computed<Value>>
  readonly #now: () => number
  readonly #onFailure: (error: unknown) => void

  constructor(options: {
    readonly compute: (tenant: TenantId) => Promise<Computed<Value>>
    readonly now: () => number
    /** Called where a computation in the background fails; the next request tries again. */
    readonly onFailure: (error: unknown) => void
  }) {
    this.#compute = options.compute
    this.#now = options.now
    this.#onFailure = options.onFailure
  }

  /** The alerts, or the settings, of a tenant changed. */
  invalidate(tenant: TenantId): void {
    const slot = this.#slots.get(tenant)
    if (slot !== undefined) slot.changeCount++
  }

  async get(tenant: TenantId): Promise<Value> {
    const slot = this.#slots.get(tenant) ?? { computed: undefined, changeCount: 1, computedCount: 0, running: undefined }
    this.#slots.delete(tenant)
    this.#slots.set(tenant, slot)
    this.#evict()
    const { computed } = slot
    if (computed === undefined) return (await this.#computeOnce(tenant, slot)).value
    const ageMs = this.#now() - computed.at
    const isChanged = slot.changeCount !== slot.computedCount || ageMs >= limits.risk.ageMs
    if (!isChanged) return computed.value
    if (computed.alertCount <= limits.risk.atOnceMax) return (await this.#computeOnce(tenant, slot)).value
    if (ageMs >= computed.alertCount * limits.risk.restMsOfAlert) void this.#computeOnce(tenant, slot).catch(this.#onFailure)
    return computed.value
  }

  /** A computation that began before the last change is not shared: it may have read the alerts as they were. */
  async #computeOnce(tenant: TenantId, slot: Slot<Value>): Promise<Computed<Value>> {
    while (slot.running !== undefined) {
      const isCurrent = slot.computedCount === slot.changeCount
      // Its failure is the answer to those who began it; this request computes for itself.
      const computed = await slot.running.catch(() => undefined)
      if (isCurrent && computed !== undefined) return computed
    }
    slot.computedCount = slot.changeCount
    slot.running = this.#compute(tenant)
    try {
      slot.computed = await slot.running
      return slot.computed
    } catch (error) {
      slot.computedCount--
      throw error
    } finally {
      slot.running = undefined
    }
  }

  /** Forgets the tenants that were asked for longest ago. */
  #evict(): void {
    for (const [tenant, { running }] of this.#slots) {
      if (this.#slots.size <= limits.risk.tenantsMax) return
      if (running === undefined) this.#slots.delete(tenant)
    }
  }
}
