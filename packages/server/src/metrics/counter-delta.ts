import type { CounterName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import type { Meter } from './meter.ts'

/** Totals that are kept elsewhere, by the counter that follows them. */
export type FollowedTotals = { readonly [name in CounterName]?: number }

/** Feeds counters with the growth of totals that are kept elsewhere, so that these have rates and series too. */
export class CounterDelta {
  readonly #meter: Pick<Meter, 'count'>
  readonly #last = new Map<TenantId, Map<string, number>>()

  constructor(meter: Pick<Meter, 'count'>) {
    this.#meter = meter
  }

  /** Sets a tenant's starting totals. Without it they start at 0. */
  begin(tenant: TenantId, totals: FollowedTotals): void {
    this.#last.set(tenant, new Map(Object.entries(totals)))
  }

  /** Totals may go back after a restart; then counting continues from there. */
  update(tenant: TenantId, totals: FollowedTotals): void {
    const last = this.#last.get(tenant) ?? new Map<string, number>()
    this.#last.set(tenant, last)
    for (const [name, total] of Object.entries(totals) as [CounterName, number][]) {
      this.#meter.count(tenant, name, { by: Math.max(0, total - (last.get(name) ?? 0)) })
      last.set(name, total)
    }
  }
}
