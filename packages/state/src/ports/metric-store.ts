import type { HistogramData } from '@tripline/common/latency-histogram'
import type { CounterName, MetricPoint, Resolution, SeriesName } from '@tripline/model/metric'
import type { TenantId } from '@tripline/model/tenant'
import { limits } from '../limits.ts'

const { minuteKeptMs, fiveMinutesKeptMs, hourKeptMs } = limits.metrics

/** The retention of each resolution: as far back as the longest range that ends now. */
export const resolutionKeptMs: { readonly [resolution in Resolution]: number } = {
  minute: minuteKeptMs,
  fiveMinutes: fiveMinutesKeptMs,
  hour: hourKeptMs,
}

/** Stores time series and counter totals of tenants. */
export type MetricStore = {
  /**
   * Adds points to the buckets of all resolutions, and counts to the totals, all or none. Counts and histograms are
   * summed; of peaks the highest stays.
   */
  readonly record: (tenant: TenantId, points: readonly MetricPoint[]) => Promise<void>
  /** The stored counter totals. */
  readonly totals: (tenant: TenantId) => Promise<readonly MetricTotal[]>
  /** The buckets of a series in a range, by time and label; empty buckets are absent. */
  readonly series: (tenant: TenantId, query: SeriesQuery) => Promise<readonly SeriesBucket[]>
  /** The sum by label over a range, largest first. */
  readonly sums: (tenant: TenantId, query: SeriesQuery & { readonly limit: number }) => Promise<readonly LabelSum[]>
  /** Removes buckets beyond the retention of their resolution; returns how many. */
  readonly removeOld: (tenant: TenantId, at: number) => Promise<number>
}

export type MetricTotal = { readonly name: CounterName; readonly label: string; readonly value: number }

export type SeriesQuery = {
  readonly name: SeriesName
  readonly resolution: Resolution
  readonly from: number
  /** Exclusive. */
  readonly to: number
  /** One label; default: all. */
  readonly label?: string
}

export type SeriesBucket = {
  readonly startsAt: number
  readonly label: string
  /** A count or a peak; for a histogram, the number of its values. */
  readonly value: number
  readonly histogram: HistogramData | undefined
}

export type LabelSum = { readonly label: string; readonly sum: number }
