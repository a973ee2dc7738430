import { LatencyHistogram } from '@tripline/common/latency-histogram'
import type { Runtime } from '@tripline/common/runtime'
import { getBucketStart, counters, noLabel, otherLabel, resolutions } from '@tripline/model/metric'
import type { CounterName, GaugeName, LatencyName, MetricPoint } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import type { MetricTotal } from '@tripline/state/ports/metric-store'
import { limits } from './limits.ts'
import { PointBuffer } from './point-buffer.ts'
import { SlidingWindow } from './sliding-window.ts'

/** The amount to add, and the label. */
type CountOptions = { readonly by?: number; readonly label?: string }

/** A latency summary. */
export type LatencyView = {
  readonly count: number
  readonly sumMs: number
  /** Over the last five minutes; undefined where nothing was measured in them. */
  readonly meanMs: number | undefined
  readonly percentileMs: (share: number) => number | undefined
}

const rateShape = { slotMs: 1_000, slotCount: 60 }

/**
 * The registry of counters, gauges and latencies: stages, ingest, connectors and detection write to it, and all views
 * of metrics read from it. Rates cover the last minute and percentiles the last five, by the monotonic clock; series
 * are by the minutes of the wall clock.
 */
export class Meter {
  readonly #clock: Pick<Runtime, 'now' | 'elapsedMs'>
  readonly #tenants = new Map<TenantId, TenantNumbers>()

  constructor(clock: Pick<Runtime, 'now' | 'elapsedMs'>) {
    this.#clock = clock
  }

  /** Tenants with measured or restored metrics. */
  get tenants(): readonly TenantId[] {
    return [...this.#tenants.keys()]
  }

  /**
   * Adds to a counter. A counter has a bounded number of labels for each tenant (`limits.metrics.labelsMax`); further
   * labels are counted together as `(other)`, so sums stay true.
   *
   * @throws RangeError for an amount that is not a whole number from 0.
   */
  count(tenant: TenantId, name: CounterName, { by = 1, label = noLabel }: CountOptions = {}): void {
    const isCount = Number.isSafeInteger(by) && by >= 0
    if (!isCount) throw new RangeError(`${name} cannot be increased by ${by}; use a whole number from 0`)
    if (by === 0) return
    const numbers = this.#getTenant(tenant)
    const { label: boundLabel, counter } = this.#counter(numbers, name, label)
    counter.total += by
    if (counter.rate !== undefined) counter.rate.current(this.#clock.elapsedMs()).count += by
    numbers.pending.count(this.#minute(), name, boundLabel, by)
  }

  /** Records a duration, for one or several observations. */
  observe(tenant: TenantId, name: LatencyName, lengthMs: number, times = 1): void {
    const numbers = this.#getTenant(tenant)
    const { all, recent } = getLatency(numbers, name)
    all.count += times
    all.sumMs += Math.max(0, lengthMs) * times
    recent.current(this.#clock.elapsedMs()).add(lengthMs, times)
    numbers.pending.histogram(this.#minute(), name).add(lengthMs, times)
  }

  /** Records the value of a gauge; 0 is the same as no record. */
  peak(tenant: TenantId, name: GaugeName, label: string, value: number): void {
    if (value > 0) this.#getTenant(tenant).pending.peak(this.#minute(), name, label, Math.round(value))
  }

  /** The total since the tenant was created, or since the start where the counter table says so. */
  total(tenant: TenantId, name: CounterName, label = noLabel): number {
    return this.#tenants.get(tenant)?.counters.get(name)?.get(label)?.total ?? 0
  }

  /** The totals of a counter by label; an unlabelled counter has the empty label alone. */
  totals(tenant: TenantId, name: CounterName): ReadonlyMap<string, number> {
    const labels = this.#tenants.get(tenant)?.counters.get(name) ?? []
    return new Map([...labels].map(([label, { total }]) => [label, total]))
  }

  /** The rate per second over the last minute. */
  ratePerSecond(tenant: TenantId, name: CounterName, label = noLabel): number {
    const { slotMs, slotCount } = rateShape
    return this.lastMinute(tenant, name, label) / ((slotMs * slotCount) / 1_000)
  }

  /** The count of the last minute; 0 for rule counters, which have no rates. */
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

  /** Restores a tenant's totals; call it before counting. */
  restore(tenant: TenantId, totals: readonly MetricTotal[]): void {
    const numbers = this.#getTenant(tenant)
    for (const { name, label, value } of totals) this.#counter(numbers, name, label).counter.total += value
  }

  /** Removes and returns the points of a tenant that are to be stored. */
  drain(tenant: TenantId): MetricPoint[] {
    return this.#tenants.get(tenant)?.pending.drain() ?? []
  }

  /** Returns points that could not be stored. */
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

  /** The counter of a label, or of the overflow label. */
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

const latencyShape = { slotMs: 10_000, slotCount: 30 }

/** Windows for thousands of rules would be expensive, and no view shows their rates. */
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
