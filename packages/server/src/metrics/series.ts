import { LatencyHistogram, computePercentile } from '@tripline/common/latency-histogram'
import type { HistogramData } from '@tripline/common/latency-histogram'
import { getBucketStart } from '@tripline/model/metric'
import type { CounterName, GaugeName, LatencyName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import type { MetricStore, SeriesBucket, SeriesQuery } from '@tripline/state/ports/metric-store'
import { listBuckets } from './series-range.ts'
import type { SeriesRange } from './series-range.ts'

/** A value at the start of a bucket. */
export type SeriesPoint = { readonly startsAt: number; readonly value: number }

/** The percentiles of a bucket; null where nothing was measured. */
export type LatencyPoint = {
  readonly startsAt: number
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

/** The count of each bucket, 0 where nothing was counted; for one label or for all together. */
export async function readCountSeries(
  store: MetricStore,
  tenant: TenantId,
  { name, label, range }: { readonly name: CounterName; readonly label?: string; readonly range: SeriesRange },
): Promise<readonly SeriesPoint[]> {
  const found = await store.series(tenant, buildQuery(name, range, label))
  return mergeValues(found, range, (sum, value) => sum + value)
}

/** The same as a rate per second. */
export async function readRateSeries(
  store: MetricStore,
  tenant: TenantId,
  series: Parameters<typeof readCountSeries>[2],
): Promise<readonly SeriesPoint[]> {
  const seconds = series.range.lengthMs / 1_000
  return (await readCountSeries(store, tenant, series)).map(({ startsAt, value }) => ({ startsAt, value: value / seconds }))
}

/** The peak of a gauge in each bucket, by label; labels without data are left out. */
export async function readPeakSeries(
  store: MetricStore,
  tenant: TenantId,
  { name, range }: { readonly name: GaugeName; readonly range: SeriesRange },
): Promise<ReadonlyMap<string, readonly SeriesPoint[]>> {
  const byLabel = Map.groupBy(await store.series(tenant, buildQuery(name, range)), ({ label }) => label)
  return new Map([...byLabel].map(([label, found]) => [label, mergeValues(found, range, Math.max)]))
}

/** The percentiles of each bucket. */
export async function readLatencySeries(
  store: MetricStore,
  tenant: TenantId,
  { name, range }: { readonly name: LatencyName; readonly range: SeriesRange },
): Promise<readonly LatencyPoint[]> {
  const found = await store.series(tenant, buildQuery(name, range))
  const byStart = Map.groupBy(found, ({ startsAt }) => getBucketStart(startsAt, range.lengthMs))
  return listBuckets(range).map((startsAt) => {
    const { data, total } = mergeBuckets(byStart.get(startsAt) ?? [])
    const at = (share: number) => computePercentile(data, { share, total }) ?? null
    return { startsAt, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
  })
}

/** Most buckets are one stored bucket and need no merging: there may be thousands. */
function mergeBuckets([first, ...others]: readonly SeriesBucket[]): { readonly data: HistogramData; readonly total: number } {
  const data = first?.histogram ?? { sumMicros: 0, counts: [] }
  if (others.length === 0) return { data, total: first?.value ?? 0 }
  const merged = LatencyHistogram.of(data)
  for (const { histogram } of others) if (histogram !== undefined) merged.merge(LatencyHistogram.of(histogram))
  return { data: merged.data(), total: merged.count }
}

/** Whole buckets: the last one includes what began behind the end of the range. */
function buildQuery(name: SeriesQuery['name'], range: SeriesRange, label?: string): SeriesQuery {
  const to = (listBuckets(range).at(-1) ?? range.from) + range.lengthMs
  return { name, resolution: range.resolution, from: range.from, to, ...(label === undefined ? {} : { label }) }
}

function mergeValues(
  found: readonly SeriesBucket[],
  range: SeriesRange,
  merge: (one: number, other: number) => number,
): SeriesPoint[] {
  const values = new Map<number, number>()
  for (const { startsAt, value } of found) {
    const start = getBucketStart(startsAt, range.lengthMs)
    values.set(start, merge(values.get(start) ?? 0, value))
  }
  return listBuckets(range).map((startsAt) => ({ startsAt, value: values.get(startsAt) ?? 0 }))
}
