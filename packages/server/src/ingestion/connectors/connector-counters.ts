import type { Runtime } from '@tripline/common/runtime'
import type { IngestCounts } from '@tripline/model/connector'
import type { TenantId } from '@tripline/model/tenant'
import type { ConnectorStore, ConnectorTotals } from '@tripline/state/ports/connector-store'

/** Recent traffic of a connector. */
type ConnectorActivity = {
  readonly eventsInLastMinute: number
  /** Since the server started. */
  readonly lastEventAt: number | undefined
  /** Events in each half minute of the last 15 minutes, oldest first; the last one is under way. */
  readonly spans: readonly ConnectorSpan[]
  /** When a poll last read all that the source had, since its settings were last changed; undefined before. */
  readonly caughtUpAt: number | undefined
  /** Counts that are not part of the stored totals yet. */
  readonly unsaved: ConnectorTotals
}

/** What came in half a minute. */
type ConnectorSpan = { readonly receivedCount: number; readonly refusedCount: number }

/** Called with each arrival, to record time series. */
export type OnArrival = (tenant: TenantId, connectorId: string, arrival: IngestCounts) => void

const windowSeconds = 60
/** Seconds of a span of which the counts are kept, and how many of these are. */
export const spanSeconds = 30
const spanMs = spanSeconds * 1_000
const spansKept = 30
const noTotals: ConnectorTotals = { receivedCount: 0, failedCount: 0, byteCount: 0, lastEventAt: undefined }
const emptySpan: ConnectorSpan = { receivedCount: 0, refusedCount: 0 }

/** Counts the events that arrive through connectors: for status views, and to be added to the stored totals. */
export class ConnectorCounters {
  readonly #now: Runtime['now']
  readonly #onArrival: OnArrival
  readonly #counts = new Map<TenantId, Map<string, Count>>()
  readonly #caughtUp = new Map<TenantId, Map<string, number>>()

  constructor({ now }: Pick<Runtime, 'now'>, onArrival: OnArrival = () => {}) {
    this.#now = now
    this.#onArrival = onArrival
  }

  /** Records an arrival; the only call that ingest makes. */
  readonly record = (tenant: TenantId, connectorId: string, arrival: IngestCounts): void => {
    const ofTenant = this.#counts.get(tenant) ?? new Map<string, Count>()
    this.#counts.set(tenant, ofTenant)
    const count = ofTenant.get(connectorId) ?? createCount()
    const at = this.#now()
    const second = Math.floor(at / 1_000)
    const lastEventAt = arrival.receivedCount > 0 ? at : count.lastEventAt
    const last = count.seconds.at(-1)
    const seconds = last?.second === second
      ? [...count.seconds.slice(0, -1), { second, eventCount: last.eventCount + arrival.receivedCount }]
      : [...count.seconds.filter((held) => held.second > second - windowSeconds), { second, eventCount: arrival.receivedCount }]
    const { receivedCount, failedCount, byteCount } = count.unsaved
    const unsaved = {
      receivedCount: receivedCount + arrival.receivedCount,
      failedCount: failedCount + arrival.refusedCount,
      byteCount: byteCount + arrival.byteCount,
      lastEventAt: arrival.receivedCount > 0 ? at : count.unsaved.lastEventAt,
    }
    addToSpan(count.spans, Math.floor(at / spanMs), arrival)
    ofTenant.set(connectorId, { ...count, unsaved, lastEventAt, seconds })
    this.#onArrival(tenant, connectorId, arrival)
  }

  get(tenant: TenantId, connectorId: string): ConnectorActivity {
    const count = this.#counts.get(tenant)?.get(connectorId)
    const first = Math.floor(this.#now() / spanMs) - spansKept + 1
    const spans = Array.from({ length: spansKept }, (_, index) => count?.spans.get(first + index) ?? emptySpan)
    const caughtUpAt = this.#caughtUp.get(tenant)?.get(connectorId)
    if (count === undefined) return { eventsInLastMinute: 0, lastEventAt: undefined, spans, caughtUpAt, unsaved: noTotals }
    const since = Math.floor(this.#now() / 1_000) - windowSeconds
    const recent = count.seconds.filter(({ second }) => second > since)
    const eventsInLastMinute = recent.reduce((sum, { eventCount }) => sum + eventCount, 0)
    return { eventsInLastMinute, lastEventAt: count.lastEventAt, spans, caughtUpAt, unsaved: count.unsaved }
  }

  /** Notes that a poll has read all that the source has now. */
  noteCaughtUp(tenant: TenantId, connectorId: string): void {
    const ofTenant = this.#caughtUp.get(tenant) ?? new Map<string, number>()
    this.#caughtUp.set(tenant, ofTenant)
    ofTenant.set(connectorId, this.#now())
  }

  /** Forgets how far a source was read, as it may be another one now. */
  forgetSource(tenant: TenantId, connectorId: string): void {
    this.#caughtUp.get(tenant)?.delete(connectorId)
  }

  forget(tenant: TenantId, connectorId: string): void {
    this.#counts.get(tenant)?.delete(connectorId)
    this.forgetSource(tenant, connectorId)
  }

  /** Adds the unsaved counts to the stored totals; counts that cannot be saved stay for the next time. */
  async save(connectors: Pick<ConnectorStore, 'addTotals'>): Promise<void> {
    for (const [tenant, ofTenant] of this.#counts) {
      for (const [id, { unsaved }] of ofTenant) {
        if (unsaved === noTotals) continue
        this.#setUnsaved(tenant, id, noTotals)
        try {
          await connectors.addTotals(tenant, id, unsaved)
        } catch (error) {
          this.#setUnsaved(tenant, id, addTotals(this.get(tenant, id).unsaved, unsaved))
          throw error
        }
      }
    }
  }

  #setUnsaved(tenant: TenantId, id: string, unsaved: ConnectorTotals): void {
    const ofTenant = this.#counts.get(tenant)
    const count = ofTenant?.get(id)
    if (count !== undefined) ofTenant?.set(id, { ...count, unsaved })
  }
}

type Count = {
  readonly unsaved: ConnectorTotals
  readonly lastEventAt: number | undefined
  /** The seconds of the last minute with arrivals. */
  readonly seconds: readonly { readonly second: number; readonly eventCount: number }[]
  /** The last half minutes with arrivals, by their number since 1970. */
  readonly spans: Map<number, ConnectorSpan>
}

function createCount(): Count {
  return { unsaved: noTotals, lastEventAt: undefined, seconds: [], spans: new Map() }
}

/** Adds an arrival to its half minute, and forgets those that are too old. */
function addToSpan(spans: Count['spans'], number: number, { receivedCount, refusedCount }: IngestCounts): void {
  const { receivedCount: received, refusedCount: refused } = spans.get(number) ?? emptySpan
  spans.set(number, { receivedCount: received + receivedCount, refusedCount: refused + refusedCount })
  for (const held of spans.keys()) if (held <= number - spansKept) spans.delete(held)
}

/** Adds totals; `later` decides the time of the last event. */
export function addTotals(later: ConnectorTotals, earlier: ConnectorTotals): ConnectorTotals {
  return {
    receivedCount: later.receivedCount + earlier.receivedCount,
    failedCount: later.failedCount + earlier.failedCount,
    byteCount: later.byteCount + earlier.byteCount,
    lastEventAt: later.lastEventAt ?? earlier.lastEventAt,
  }
}
