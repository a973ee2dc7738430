import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'

type Usage = {
  /** Milliseconds of the event loop, of which the older ones count exponentially less. */
  workMs: number
  atMs: number
}

/**
 * How much of the event loop each tenant used lately. A tenant is heavy while it uses more than a small part of it; the others
 * are light: what they ask for is done at once, and heavy tenants leave them room.
 */
export class TenantLoad {
  readonly #elapsedMs: () => number
  /** By tenant; the one that was idle for longest first. */
  readonly #usage = new Map<TenantId, Usage>()
  readonly #heavy = new Set<TenantId>()

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Records work of a tenant; 0 records that it asked for some. */
  charge(tenant: TenantId, workMs: number): void {
    const atMs = this.#elapsedMs()
    const usage = { workMs: this.#getUsedMs(tenant, atMs) + workMs, atMs }
    this.#usage.delete(tenant)
    this.#usage.set(tenant, usage)
    if (usage.workMs > limits.fairness.heavyMs) this.#heavy.add(tenant)
    this.#forgetIdle(atMs)
  }

  isHeavy(tenant: TenantId): boolean {
    if (!this.#heavy.has(tenant)) return false
    if (this.#getUsedMs(tenant, this.#elapsedMs()) > limits.fairness.heavyMs) return true
    this.#heavy.delete(tenant)
    return false
  }

  /** Whether a tenant that is not heavy was active lately. */
  get hasLight(): boolean {
    this.#forgetIdle(this.#elapsedMs())
    for (const tenant of this.#heavy) this.isHeavy(tenant)
    return this.#usage.size > this.#heavy.size
  }

  #getUsedMs(tenant: TenantId, nowMs: number): number {
    const { workMs, atMs } = this.#usage.get(tenant) ?? { workMs: 0, atMs: nowMs }
    return workMs * Math.exp((atMs - nowMs) / limits.fairness.usageMs)
  }

  #forgetIdle(nowMs: number): void {
    for (const [tenant, { atMs }] of this.#usage) {
      if (nowMs - atMs <= limits.fairness.activeMs) return
      this.#usage.delete(tenant)
      this.#heavy.delete(tenant)
    }
  }
}
