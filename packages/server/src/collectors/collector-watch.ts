import type { Runtime } from '@tripline/common/runtime'
import type { TenantId } from '@tripline/model/tenant'
import type { ConnectorTotals } from '@tripline/state/ports/connector-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { addTotals, ConnectorCounters } from '../ingestion/connectors/connector-counters.ts'
import type { OnArrival } from '../ingestion/connectors/connector-counters.ts'
import { limits } from '../limits.ts'

type WatchState = Pick<StateStore, 'collectors' | 'tenants'>

/** A collector, with times on the monotonic clock. */
type Watched = {
  /** Since when it is silent. */
  readonly heardMs: number
  /** When it last reported; undefined if it did not in this process. */
  readonly reportedMs: number | undefined
  /** Whether it is marked as offline since. */
  readonly isOffline: boolean
}

/** A stored event as far as it is counted. */
type StoredEvent = { readonly bytes: Uint8Array; readonly arrival: { readonly connectorId?: string } }

/**
 * Watches which collectors are heard, on the monotonic clock, so that a clock that is set takes no collector offline; and
 * counts the events of each. After a start, and after this process stood still for a while, all have time to report again.
 */
export class CollectorWatch {
  readonly #state: WatchState
  readonly #io: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly #counters: ConnectorCounters
  readonly #watched = new Map<TenantId, Map<string, Watched>>()
  #checkedMs: number

  constructor(state: WatchState, io: Pick<Runtime, 'now' | 'elapsedMs'>, onStored?: OnArrival) {
    this.#state = state
    this.#io = io
    this.#counters = new ConnectorCounters(io, onStored)
    this.#checkedMs = io.elapsedMs()
  }

  /** Remembers the collectors that there are, as if they were heard now. */
  async open(): Promise<void> {
    for (const { id: tenant } of await this.#state.tenants.list()) {
      for (const { id, status } of await this.#state.collectors.list(tenant)) if (status !== 'retired') this.watch(tenant, id)
    }
  }

  /** Begins to watch a collector. */
  watch(tenant: TenantId, id: string): void {
    this.#set(tenant, id, undefined)
  }

  /** Notes that a collector reported. */
  hear(tenant: TenantId, id: string): void {
    this.#set(tenant, id, this.#io.elapsedMs())
  }

  forget(tenant: TenantId, id: string): void {
    this.#watched.get(tenant)?.delete(id)
    this.#counters.forget(tenant, id)
  }

  /** Milliseconds since a heartbeat; undefined if there was none in this process. */
  getSilenceMs(tenant: TenantId, id: string): number | undefined {
    const { reportedMs } = this.#watched.get(tenant)?.get(id) ?? {}
    return reportedMs === undefined ? undefined : this.#io.elapsedMs() - reportedMs
  }

  /** Marks the collectors as offline that were not heard for too long. */
  async check(): Promise<void> {
    const nowMs = this.#io.elapsedMs()
    const { checkMs, offlineMs } = limits.collectors
    // What could not arrive while this process stood still is awaited again.
    const pauseMs = nowMs - this.#checkedMs - checkMs
    this.#checkedMs = nowMs
    for (const [tenant, ofTenant] of this.#watched) {
      for (const [id, watched] of ofTenant) {
        const { heardMs, isOffline } = watched
        const sinceMs = pauseMs > checkMs ? Math.min(heardMs + pauseMs, nowMs) : heardMs
        ofTenant.set(id, { ...watched, heardMs: sinceMs })
        if (isOffline || nowMs - sinceMs < offlineMs) continue
        await this.#state.collectors.markOffline(tenant, id, this.#io.now())
        // Unless it was heard meanwhile.
        if (ofTenant.get(id)?.heardMs === sinceMs) ofTenant.set(id, { ...watched, heardMs: sinceMs, isOffline: true })
      }
    }
  }

  /** Counts stored events by the collectors that sent them. */
  countStored(tenant: TenantId, stored: readonly StoredEvent[]): void {
    const ofTenant = this.#watched.get(tenant)
    if (ofTenant === undefined) return
    const counts = new Map<string, { readonly receivedCount: number; readonly byteCount: number }>()
    for (const { arrival: { connectorId = '' }, bytes } of stored) {
      if (!ofTenant.has(connectorId)) continue
      const { receivedCount = 0, byteCount = 0 } = counts.get(connectorId) ?? {}
      counts.set(connectorId, { receivedCount: receivedCount + 1, byteCount: byteCount + bytes.length })
    }
    for (const [id, count] of counts) this.#counters.record(tenant, id, { ...count, refusedCount: 0 })
  }

  /** The totals of a collector's events, and those of the last minute. */
  async getTraffic(tenant: TenantId, id: string): Promise<CollectorTraffic> {
    const { unsaved, eventsInLastMinute } = this.#counters.get(tenant, id)
    const saved = await this.#state.collectors.totals(tenant, id)
    return { totals: saved === undefined ? unsaved : addTotals(unsaved, saved), eventsInLastMinute }
  }

  /** Adds what was counted to the stored totals. */
  async save(): Promise<void> {
    await this.#counters.save(this.#state.collectors)
  }

  #set(tenant: TenantId, id: string, reportedMs: number | undefined): void {
    const ofTenant = this.#watched.get(tenant) ?? new Map<string, Watched>()
    this.#watched.set(tenant, ofTenant.set(id, { heardMs: this.#io.elapsedMs(), reportedMs, isOffline: false }))
  }
}

export type CollectorTraffic = { readonly totals: ConnectorTotals; readonly eventsInLastMinute: number }
