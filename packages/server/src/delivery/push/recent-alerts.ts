import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'
import type { EventMessage } from './event-feed.ts'

/** Keeps the last alerts of each tenant in the order of publishing, which the store does not know. */
export class RecentAlerts {
  /** The tenant that published last comes last, and so does the alert in its map. */
  readonly #byTenant = new Map<TenantId, Map<string, EventMessage>>()
  #count = 0

  /** Adds an alert; returns false if it was there already. */
  add(tenant: TenantId, alert: EventMessage): boolean {
    const alerts = this.#byTenant.get(tenant) ?? new Map<string, EventMessage>()
    if (alerts.has(alert.key)) return false
    this.#byTenant.delete(tenant)
    this.#byTenant.set(tenant, alerts)
    alerts.set(alert.key, alert)
    this.#count++
    // One more than is replayed: the alert that the client saw last.
    if (alerts.size > limits.push.replayAlertsMax + 1) this.#evictOldest(alerts)
    if (this.#count > limits.push.recentAlertsMax) this.#evictQuietest()
    return true
  }

  /** The alerts published after one; undefined if that one is not kept. */
  getAfter(tenant: TenantId, alertId: string): readonly EventMessage[] | undefined {
    const alerts = this.#byTenant.get(tenant)
    if (alerts?.has(alertId) !== true) return undefined
    const ids = [...alerts.keys()]
    return [...alerts.values()].slice(ids.indexOf(alertId) + 1)
  }

  #evictOldest(alerts: Map<string, EventMessage>): void {
    const [first] = alerts.keys()
    if (first !== undefined && alerts.delete(first)) this.#count--
  }

  #evictQuietest(): void {
    const [quiet] = this.#byTenant
    if (quiet === undefined) return
    this.#byTenant.delete(quiet[0])
    this.#count -= quiet[1].size
  }
}
