import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'

type Usage = {
  /** Milliseconds of processor time of the event loop's thread, of which the older ones count exponentially less. */
  workMs: number
  atMs: number
  /** Turns that it waits for as a heavy tenant; meanwhile its work does not count less. */
  waitCount: number
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
    const waitCount = this.#usage.get(tenant)?.waitCount ?? 0
    this.#set(tenant, { workMs: Math.min(this.#getUsedMs(tenant, atMs) + workMs, limits.fairness.usageMs), atMs, waitCount })
    this.#forgetIdle(atMs)
  }

  /** Records that a tenant asked for much work, such as more than its share: it is heavy. */
  expectMuch(tenant: TenantId): void {
    this.charge(tenant, limits.fairness.usageMs)
  }

  /** Records that a heavy tenant waits for a turn: it stays heavy while it does. */
  beginWait(tenant: TenantId): void {
    this.#changeWaits(tenant, 1)
  }

  endWait(tenant: TenantId): void {
    this.#changeWaits(tenant, -1)
  }

  #changeWaits(tenant: TenantId, change: 1 | -1): void {
    const atMs = this.#elapsedMs()
    const waitCount = Math.max(0, (this.#usage.get(tenant)?.waitCount ?? 0) + change)
    this.#set(tenant, { workMs: this.#getUsedMs(tenant, atMs), atMs, waitCount })
  }

  #set(tenant: TenantId, usage: Usage): void {
    this.#usage.delete(tenant)
    this.#usage.set(tenant, usage)
    if (usage.workMs > limits.fairness.heavyMs) this.#heavy.add(tenant)
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
    const { workMs, atMs, waitCount } = this.#usage.get(tenant) ?? { workMs: 0, atMs: nowMs, waitCount: 0 }
    return waitCount > 0 ? workMs : workMs * Math.exp((atMs - nowMs) / limits.fairness.usageMs)
  }

  #forgetIdle(nowMs: number): void {
    for (const [tenant, { atMs, waitCount }] of this.#usage) {
      if (nowMs - atMs <= limits.fairness.activeMs) return
      if (waitCount > 0) continue
      this.#usage.delete(tenant)
      this.#heavy.delete(tenant)
    }
  }
}
