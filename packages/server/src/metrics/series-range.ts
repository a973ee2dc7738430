import { AppError } from '@tripline/contract/app-error'
import { getBucketStart, resolutions } from '@tripline/model/metric'
import type { Resolution } from '@tripline/model/metric'
import { resolutionKeptMs } from '@tripline/state/ports/metric-store'
import { limits } from './limits.ts'

/** The allowed bucket lengths, and the stored resolution that each is made of. */
export const intervals = {
  '1m': { lengthMs: 60_000, resolution: 'minute' },
  '5m': { lengthMs: 300_000, resolution: 'fiveMinutes' },
  '15m': { lengthMs: 900_000, resolution: 'fiveMinutes' },
  '1h': { lengthMs: 3_600_000, resolution: 'hour' },
} as const satisfies { readonly [interval: string]: { readonly lengthMs: number; readonly resolution: Resolution } }
export type Interval = keyof typeof intervals

/** The requested range; every part is optional. */
export type RangeRequest = {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly interval: Interval | undefined
}

/** The buckets of a series: they start at multiples of their length in UTC, from `from` inclusive to `to` exclusive. */
export type SeriesRange = {
  readonly interval: Interval
  readonly from: number
  readonly to: number
  readonly lengthMs: number
  readonly resolution: Resolution
}

const hourMs = 3_600_000

/** The longest range of each default interval; longer ranges use an hour. */
const defaults: readonly (readonly [rangeMs: number, interval: Interval])[] = [
  [6 * hourMs, '1m'],
  [24 * hourMs, '5m'],
  [7 * 24 * hourMs, '15m'],
]

const names = Object.keys(intervals) as readonly Interval[]

/**
 * Reads a range: by default the last hour, in buckets that suit its length
 * (docs/reference/console-api.md#pipeline-and-health-metrics). A default interval moves to the next longer one where
 * its resolution is not stored that far back.
 *
 * @throws AppError INVALID_PARAMETER for a range that ends before it begins, and for an interval that makes more than
 *   `limits.metrics.pointsMax` points or is not stored that far back, with the shortest that is allowed.
 */
export function readSeriesRange({ from: fromAsked, to: toAsked, interval }: RangeRequest, now: number): SeriesRange {
  // Without an end, what is counted at this very moment is included.
  const to = toAsked ?? now + 1
  const from = fromAsked ?? (toAsked ?? now) - hourMs
  if (from >= to) throw new AppError('INVALID_PARAMETER', "'from' must be before 'to'", { parameter: 'from' })
  const wanted = interval ?? chooseInterval((toAsked ?? now) - from)
  const isAllowed = (name: Interval) => countPoints(from, to, name) <= limits.metrics.pointsMax && isKept(from, name, now)
  const allowed = names.filter(isAllowed)
  const chosen = interval === undefined ? allowed.find((name) => intervals[name].lengthMs >= intervals[wanted].lengthMs) : wanted
  if (chosen === undefined || !allowed.includes(chosen)) throw createIntervalError(countPoints(from, to, wanted), wanted, allowed[0])
  const { lengthMs, resolution } = intervals[chosen]
  return { interval: chosen, from: getBucketStart(from, lengthMs), to, lengthMs, resolution }
}

/** The start instants of a range's buckets. */
export function listBuckets({ from, to, lengthMs }: SeriesRange): readonly number[] {
  return Array.from({ length: Math.ceil((to - from) / lengthMs) }, (_, index) => from + index * lengthMs)
}

function chooseInterval(rangeMs: number): Interval {
  return defaults.find(([lengthMs]) => rangeMs <= lengthMs)?.[1] ?? '1h'
}

function countPoints(from: number, to: number, name: Interval): number {
  const { lengthMs } = intervals[name]
  return Math.ceil((to - getBucketStart(from, lengthMs)) / lengthMs)
}

/** The longest interval uses the resolution that is stored longest; before that, series are empty. */
function isKept(from: number, name: Interval, now: number): boolean {
  const { lengthMs, resolution } = intervals[name]
  return resolution === 'hour' || getBucketStart(from, lengthMs) >= now - resolutionKeptMs[resolution] - resolutions[resolution]
}

function createIntervalError(points: number, interval: Interval, shortest: Interval | undefined): AppError {
  const { pointsMax } = limits.metrics
  if (shortest === undefined) {
    const message = `the range has more than ${pointsMax} hours, the limit of the longest interval, 1h; request a shorter range`
    return new AppError('INVALID_PARAMETER', message, { parameter: 'from' })
  }
  const isTooLong = points > pointsMax
  const why = isTooLong ? `makes ${points} points of the range; the limit is ${pointsMax}` : 'is not stored that far back'
  const message = `the interval ${interval} ${why}; the smallest allowed is ${shortest}`
  return new AppError('INVALID_PARAMETER', message, { parameter: 'interval', value: interval, smallest_allowed: shortest })
}
