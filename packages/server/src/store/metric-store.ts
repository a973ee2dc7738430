import type { HistogramData } from '../domain/latency-histogram.ts'
import type { CounterName, MetricPoint, Resolution, SeriesName } from '../domain/metric.ts'
import type { TenantId } from '../domain/tenant.ts'

/** Keeps what was measured of tenants over time, and the totals of what was counted. */
export type MetricStore = {
  /**
   * Adds points, each to its buckets of all resolutions, and what was counted to the totals; all or none. What a bucket
   * has is added to: counts and histograms sum up, of peaks the highest stays.
   */
  readonly record: (tenant: TenantId, points: readonly MetricPoint[]) => Promise<void>
  /** The totals of those counters that the table of counters keeps. */
  readonly totals: (tenant: TenantId) => Promise<readonly MetricTotal[]>
  /** The buckets of a series that begin in a range, by time and label; those in which nothing happened are absent. */
  readonly series: (tenant: TenantId, query: SeriesQuery) => Promise<readonly SeriesBucket[]>
  /** What was counted with each label in buckets that begin in a range, the most first. */
  readonly sums: (tenant: TenantId, query: SeriesQuery & { readonly limit: number }) => Promise<readonly LabelSum[]>
  /** Forgets the buckets that are older than their resolution is kept for, and says how many. */
  readonly removeOld: (tenant: TenantId, at: number) => Promise<number>
}

export type MetricTotal = { readonly name: CounterName; readonly label: string; readonly value: number }

export type SeriesQuery = {
  readonly name: SeriesName
  readonly resolution: Resolution
  readonly from: number
  /** The instant after the last. */
  readonly to: number
  /** One label alone; without it, all. */
  readonly label?: string
}

export type SeriesBucket = {
  readonly startsAt: number
  readonly label: string
  /** A count or a peak; of a histogram, how much is in it. */
  readonly value: number
  readonly histogram: HistogramData | undefined
}

export type LabelSum = { readonly label: string; readonly sum: number }
