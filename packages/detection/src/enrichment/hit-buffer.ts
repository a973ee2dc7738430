import type { TenantId } from '@tripline/model/tenant'
import type { IndicatorStore } from '@tripline/state/ports/enrichment/indicator-store'
import { limits } from '../limits.ts'

/** A buffer of indicator hits, so that an alert waits for no extra disk write. */
export class HitBuffer {
  readonly #indicators: Pick<IndicatorStore, 'noteHits'>
  readonly #waiting = new Map<TenantId, { hits: Map<string, number>; at: number }>()
  #waitingCount = 0

  constructor(indicators: Pick<IndicatorStore, 'noteHits'>) {
    this.#indicators = indicators
  }

  /** Whether it is time to flush. */
  get isFull(): boolean {
    return this.#waitingCount >= limits.enrichment.waitingHitsMax
  }

  add(tenant: TenantId, id: string, at: number, count = 1): void {
    const waiting = this.#waiting.get(tenant) ?? { hits: new Map<string, number>(), at }
    if (!waiting.hits.has(id)) this.#waitingCount++
    waiting.hits.set(id, (waiting.hits.get(id) ?? 0) + count)
    waiting.at = Math.max(waiting.at, at)
    this.#waiting.set(tenant, waiting)
  }

  /** Writes the hits, tenant by tenant; hits that cannot be written stay buffered. */
  async flush(): Promise<void> {
    // Hits that arrive during the flush are left for the next one.
    const waiting = [...this.#waiting]
    for (const [tenant, { hits, at }] of waiting) {
      this.#waiting.delete(tenant)
      this.#waitingCount -= hits.size
      try {
        await this.#indicators.noteHits(tenant, hits, at)
      } catch (error) {
        for (const [id, count] of hits) this.add(tenant, id, at, count)
        throw error
      }
    }
  }
}
