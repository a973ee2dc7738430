import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { IndicatorStore } from '../store/indicator-store.ts'

/** Hits of indicators that wait to be written, so that an alert does not wait for the disk once more. */
export class HitCounts {
  readonly #indicators: Pick<IndicatorStore, 'noteHits'>
  #waiting = new Map<TenantId, { hits: Map<string, number>; at: number }>()
  #waitingCount = 0

  constructor(indicators: Pick<IndicatorStore, 'noteHits'>) {
    this.#indicators = indicators
  }

  /** Whether it is time to write them. */
  get isFull(): boolean {
    return this.#waitingCount >= limits.enrichment.waitingHitsMax
  }

  add(tenant: TenantId, id: string, at: number): void {
    const waiting = this.#waiting.get(tenant) ?? { hits: new Map<string, number>(), at }
    if (!waiting.hits.has(id)) this.#waitingCount++
    waiting.hits.set(id, (waiting.hits.get(id) ?? 0) + 1)
    waiting.at = Math.max(waiting.at, at)
    this.#waiting.set(tenant, waiting)
  }

  /** Writes them; those of a tenant for whom that fails are lost with the error, as a crash would lose them. */
  async flush(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = new Map()
    this.#waitingCount = 0
    for (const [tenant, { hits, at }] of waiting) await this.#indicators.noteHits(tenant, hits, at)
  }
}
