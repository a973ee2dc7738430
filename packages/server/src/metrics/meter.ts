import { LatencyHistogram } from '../domain/latency-histogram.ts'
import { getBucketStart, counters, noLabel, otherLabel, resolutions } from '../domain/metric.ts'
import type { CounterName, GaugeName, LatencyName, MetricPoint } from '../domain/metric.ts'
import type { TenantId } from '../domain/tenant.ts'
import { limits } from '../limits.ts'
import type { Runtime } from '../runtime.ts'
import type { MetricTotal } from '../store/metric-store.ts'
import { PointBuffer } from './point-buffer.ts'
import { SlidingWindow } from './sliding-window.ts'

/** How much is counted, and of what. */
export type CountOptions = { readonly by?: number; readonly label?: string }

/** What a latency came to. */
export type LatencyView = {
  readonly count: number
  readonly sumMs: number
  /** Of the last five minutes; undefined where nothing was measured in them. */
  readonly meanMs: number | undefined
  readonly percentileMs: (share: number) => number | undefined
}

/**
 * What stages, ingest, connectors and detection say what they did to, and everything that shows numbers asks. Rates are
 * over the last minute and percentiles over the last five, on a clock that never goes back; points of series are of
 * the minutes of the other one.
 */
export class Meter {
  readonly #clock: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly #tenants = new Map<TenantId, TenantNumbers>()

  constructor(clock: Pick<Runtime, 'now' | 'elapsedMs'>) {
    this.#clock = clock
  }

  /** Tenants of which anything was measured or restored. */
  get tenants(): readonly TenantId[] {
    return [...this.#tenants.keys()]
  }

  /**
   * Adds to a counter. Of one tenant a counter has so many labels (`limits.metrics.labelsMax`); what comes with
   * others is counted together as `(other)`, so that sums stay true.
   *
   * @throws RangeError for a part of a whole, or less than nothing.
   */
  count(tenant: TenantId, name: CounterName, { by = 1, label = noLabel }: CountOptions = {}): void {
    const isCount = Number.isSafeInteger(by) && by >= 0
    if (!isCount) throw new RangeError(`${name} is counted up by ${by}; it takes a whole number from 0 on`)
    if (by === 0) return
    const numbers = this.#getTenant(tenant)
    const { label: boundLabel, counter } = this.#counter(numbers, name, label)
    counter.total += by
    if (counter.rate !== undefined) counter.rate.current(this.#clock.elapsedMs()).count += by
    numbers.pending.count(this.#minute(), name, boundLabel, by)
  }

  /** Notes how long something took, or each of so many things. */
  observe(tenant: TenantId, name: LatencyName, lengthMs: number, times = 1): void {
    const numbers = this.#getTenant(tenant)
    const { all, recent } = getLatency(numbers, name)
    all.count += times
    all.sumMs += Math.max(0, lengthMs) * times
    recent.current(this.#clock.elapsedMs()).add(lengthMs, times)
    numbers.pending.histogram(this.#minute(), name).add(lengthMs, times)
  }

  /** Notes where a number stands that goes up and down; nothing is the same as 0. */
  peak(tenant: TenantId, name: GaugeName, label: string, value: number): void {
    if (value > 0) this.#getTenant(tenant).pending.peak(this.#minute(), name, label, Math.round(value))
  }

  /** All that was counted since the tenant is there, or since the start where the table of counters says so. */
  total(tenant: TenantId, name: CounterName, label = noLabel): number {
    return this.#tenants.get(tenant)?.counters.get(name)?.get(label)?.total ?? 0
  }

  /** The totals of a counter by label; without one, of the one label that is none. */
  totals(tenant: TenantId, name: CounterName): ReadonlyMap<string, number> {
    const labels = this.#tenants.get(tenant)?.counters.get(name) ?? []
    return new Map([...labels].map(([label, { total }]) => [label, total]))
  }

  /** How much came in each second of the last minute. */
  ratePerSecond(tenant: TenantId, name: CounterName, label = noLabel): number {
    const { slotMs, slotCount } = rateShape
    return this.lastMinute(tenant, name, label) / ((slotMs * slotCount) / 1_000)
  }

  /** How much came in the last minute; 0 of rules, whose rates nobody asks. */
  lastMinute(tenant: TenantId, name: CounterName, label = noLabel): number {
    const rate = this.#tenants.get(tenant)?.counters.get(name)?.get(label)?.rate
    return rate?.inView(this.#clock.elapsedMs()).reduce((sum, { count }) => sum + count, 0) ?? 0
  }

  latency(tenant: TenantId, name: LatencyName): LatencyView {
    const latency = this.#tenants.get(tenant)?.latencies.get(name)
    const merged = new LatencyHistogram()
    for (const histogram of latency?.recent.inView(this.#clock.elapsedMs()) ?? []) merged.merge(histogram)
    const { count, sumMs } = latency?.all ?? { count: 0, sumMs: 0 }
    return { count, sumMs, meanMs: merged.meanMs, percentileMs: (share) => merged.percentileMs(share) }
  }

  /** Begins a tenant's totals where they were; before anything of it is counted. */
  restore(tenant: TenantId, totals: readonly MetricTotal[]): void {
    const numbers = this.#getTenant(tenant)
    for (const { name, label, value } of totals) this.#counter(numbers, name, label).counter.total += value
  }

  /** Takes out what is to be kept of a tenant. */
  drain(tenant: TenantId): MetricPoint[] {
    return this.#tenants.get(tenant)?.pending.drain() ?? []
  }

  /** Puts back what could not be kept. */
  putBack(tenant: TenantId, points: readonly MetricPoint[]): void {
    this.#getTenant(tenant).pending.putBack(points)
  }

  #minute(): number {
    return getBucketStart(this.#clock.now(), resolutions.minute)
  }

  #getTenant(tenant: TenantId): TenantNumbers {
    const numbers = this.#tenants.get(tenant) ?? { counters: new Map(), latencies: new Map(), pending: new PointBuffer() }
    this.#tenants.set(tenant, numbers)
    return numbers
  }

  /** The counter of a label, or of those that there is no room for. */
  #counter({ counters }: TenantNumbers, name: CounterName, wanted: string): { label: string; counter: Counter } {
    const labels = counters.get(name) ?? new Map<string, Counter>()
    counters.set(name, labels)
    const { labelsMax, labelLengthMax } = limits.metrics
    const isRoom = labels.has(wanted) || (labels.size < labelsMax && wanted.length <= labelLengthMax)
    const label = isRoom ? wanted : otherLabel
    const counter = labels.get(label) ?? newCounter(name)
    labels.set(label, counter)
    return { label, counter }
  }
}

type TenantNumbers = {
  readonly counters: Map<CounterName, Map<string, Counter>>
  readonly latencies: Map<LatencyName, Latency>
  readonly pending: PointBuffer
}

type Counter = { total: number; readonly rate: SlidingWindow<{ count: number }> | undefined }

type Latency = { readonly all: { count: number; sumMs: number }; readonly recent: SlidingWindow<LatencyHistogram> }

const rateShape = { slotMs: 1_000, slotCount: 60 }
const latencyShape = { slotMs: 10_000, slotCount: 30 }

/** Thousands of rules would make thousands of windows, and nobody asks for their rates. */
function newCounter(name: CounterName): Counter {
  const { hasTotal } = counters[name]
  return { total: 0, rate: hasTotal ? new SlidingWindow(rateShape, () => ({ count: 0 })) : undefined }
}

function getLatency({ latencies }: TenantNumbers, name: LatencyName): Latency {
  let latency = latencies.get(name)
  if (latency === undefined) {
    latency = { all: { count: 0, sumMs: 0 }, recent: new SlidingWindow(latencyShape, () => new LatencyHistogram()) }
    latencies.set(name, latency)
  }
  return latency
}
