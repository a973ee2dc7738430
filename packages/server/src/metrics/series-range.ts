import { AppError } from '../domain/app-error.ts'
import { getBucketStart, resolutions } from '../domain/metric.ts'
import type { Resolution } from '../domain/metric.ts'
import { limits } from '../limits.ts'
import { resolutionKeptMs } from '../store/metrics.ts'

/** Lengths that the buckets of an answer may have, and the resolution that each is made of. */
export const intervals = {
  '1m': { lengthMs: 60_000, resolution: 'minute' },
  '5m': { lengthMs: 300_000, resolution: 'fiveMinutes' },
  '15m': { lengthMs: 900_000, resolution: 'fiveMinutes' },
  '1h': { lengthMs: 3_600_000, resolution: 'hour' },
} as const satisfies { readonly [interval: string]: { readonly lengthMs: number; readonly resolution: Resolution } }
export type Interval = keyof typeof intervals

/** What was asked for; all of it may be left out. */
export type RangeRequest = {
  readonly from: number | undefined
  readonly to: number | undefined
  readonly interval: Interval | undefined
}

/** The buckets of an answer: they begin at multiples of their length in UTC, from `from` on and before `to`. */
export type SeriesRange = {
  readonly interval: Interval
  readonly from: number
  readonly to: number
  readonly lengthMs: number
  readonly resolution: Resolution
}

const hourMs = 3_600_000

/** How long ranges may be for each default; longer ones have an hour (D-09). */
const defaults: readonly (readonly [rangeMs: number, interval: Interval])[] = [
  [6 * hourMs, '1m'],
  [24 * hourMs, '5m'],
  [7 * 24 * hourMs, '15m'],
]

/**
 * Reads a range as D-09 says: the last hour by default, in buckets that suit its length. An interval that is not stated
 * is the next longer one where what it would be made of is not kept any more.
 *
 * @throws AppError INVALID_PARAMETER for a range that ends before it begins, and for an interval that makes more than
 *   `limits.metrics.pointsMax` points or is shorter than what is still kept, with the shortest that is allowed.
 */
export function readSeriesRange({ from: fromAsked, to: toAsked, interval }: RangeRequest, now: number): SeriesRange {
  // Without an end, what is counted at this very moment is in it.
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

/** The instants at which the buckets of a range begin. */
export function listBuckets({ from, to, lengthMs }: SeriesRange): readonly number[] {
  return Array.from({ length: Math.ceil((to - from) / lengthMs) }, (_, index) => from + index * lengthMs)
}

const names = Object.keys(intervals) as readonly Interval[]

function chooseInterval(rangeMs: number): Interval {
  return defaults.find(([lengthMs]) => rangeMs <= lengthMs)?.[1] ?? '1h'
}

function countPoints(from: number, to: number, name: Interval): number {
  const { lengthMs } = intervals[name]
  return Math.ceil((to - getBucketStart(from, lengthMs)) / lengthMs)
}

/** The longest interval is made of what is kept longest: before that there is nothing, which is answered as nothing. */
function isKept(from: number, name: Interval, now: number): boolean {
  const { lengthMs, resolution } = intervals[name]
  return resolution === 'hour' || getBucketStart(from, lengthMs) >= now - resolutionKeptMs[resolution] - resolutions[resolution]
}

function createIntervalError(points: number, interval: Interval, shortest: Interval | undefined): AppError {
  const { pointsMax } = limits.metrics
  if (shortest === undefined) {
    const message = `the range has more than ${pointsMax} hours; with the longest interval, 1h, that is the most there may be`
    return new AppError('INVALID_PARAMETER', message, { parameter: 'from' })
  }
  const isTooLong = points > pointsMax
  const why = isTooLong ? `makes ${points} points of the range, and at most ${pointsMax} are given` : 'is not kept that far back'
  const message = `the interval ${interval} ${why}; the smallest allowed is ${shortest}`
  return new AppError('INVALID_PARAMETER', message, { parameter: 'interval', value: interval, smallest_allowed: shortest })
}
