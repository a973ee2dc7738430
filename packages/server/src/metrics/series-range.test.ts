import { describe, expect, test } from 'vitest'
import { listBuckets, intervals, readSeriesRange } from './series-range.ts'
import type { Interval } from './series-range.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.UTC(2026, 10, 20, 12, 0, 30)

/** The number and length of the buckets of a range, given by its age, or why it is rejected. */
function read(beganMs: number | undefined, endedMs: number | undefined, interval?: Interval): string {
  const at = (agoMs: number | undefined) => (agoMs === undefined ? undefined : now - agoMs)
  try {
    const range = readSeriesRange({ from: at(beganMs), to: at(endedMs), interval }, now)
    const buckets = listBuckets(range)
    expect(buckets.every((startsAt) => startsAt % range.lengthMs === 0)).toBe(true)
    expect(buckets[0]).toBeLessThanOrEqual(at(beganMs) ?? now - hour)
    expect(buckets.at(-1)! + range.lengthMs).toBeGreaterThanOrEqual(range.to)
    expect(range.lengthMs).toBe(intervals[range.interval].lengthMs)
    return `${buckets.length} x ${range.interval} of ${range.resolution}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('the interval suits the range', () => {
  test.for<[title: string, beganMs: number | undefined, endedMs: number | undefined, answer: string]>([
    ['the last hour', undefined, undefined, '61 x 1m of minute'],
    ['the hour before what is stated', undefined, 2 * hour, '61 x 1m of minute'],
    ['whole minutes', hour + 30_000, 30_000, '60 x 1m of minute'],
    ['six hours', 6 * hour, 0, '361 x 1m of minute'],
    ['more than six hours', 6 * hour + 1, 0, '73 x 5m of fiveMinutes'],
    ['a day', day, 0, '289 x 5m of fiveMinutes'],
    ['more than a day', day + 1, 0, '97 x 15m of fiveMinutes'],
    ['a week', 7 * day, 0, '673 x 15m of fiveMinutes'],
    ['more than a week', 7 * day + 1, 0, '169 x 1h of hour'],
    ['an hour of last week, of which no minutes are kept', 5 * day, 5 * day - hour, '13 x 5m of fiveMinutes'],
    ['an hour of last month', 30 * day, 30 * day - hour, '2 x 1h of hour'],
    ['an hour of last year', 400 * day, 400 * day - hour, '2 x 1h of hour'],
    ['the next hour', 0, -hour, '61 x 1m of minute'],
  ])('%s', ([, beganMs, endedMs, answer]) => {
    expect(read(beganMs, endedMs)).toBe(answer)
  })
})

describe('a requested interval is used or rejected', () => {
  test.for<[title: string, beganMs: number, interval: Interval, answer: string]>([
    ['2,200 minutes', 2_200 * minute - 30_000, '1m', '2200 x 1m of minute'],
    [
      '2,201 minutes', 2_200 * minute, '1m',
      'the interval 1m makes 2201 points of the range; the limit is 2200; the smallest allowed is 5m',
    ],
    [
      'a week of minutes', 7 * day, '1m',
      'the interval 1m makes 10081 points of the range; the limit is 2200; the smallest allowed is 5m',
    ],
    [
      'two weeks of five minutes', 14 * day, '5m',
      'the interval 5m makes 4033 points of the range; the limit is 2200; the smallest allowed is 15m',
    ],
    ['twenty days of quarters', 20 * day, '15m', '1921 x 15m of fiveMinutes'],
    ['83 days of hours', 83 * day, '1h', '1993 x 1h of hour'],
    ['90 days of hours', 90 * day, '1h', '2161 x 1h of hour'],
    [
      '92 days of hours', 92 * day, '1h',
      'the range has more than 2200 hours, the limit of the longest interval, 1h; request a shorter range',
    ],
  ])('%s', ([, beganMs, interval, answer]) => {
    expect(read(beganMs, 0, interval)).toBe(answer)
  })

  test('minutes that are not kept any more', () => {
    expect(read(3 * day, 3 * day - hour, '1m')).toBe('the interval 1m is not stored that far back; the smallest allowed is 5m')
  })

  test('any 2,200 buckets that end now are stored', () => {
    for (const [name, { lengthMs }] of Object.entries(intervals)) {
      expect(read(2_199 * lengthMs, 0, name as Interval)).toMatch(new RegExp(`^2200 x ${name}`))
    }
  })
})

const backwards = [[0, 0], [0, hour]] as const

test.for(backwards)('a range from %d to %d ms ago is empty', ([beganMs, endedMs]) => {
  expect(read(beganMs, endedMs)).toBe("'from' must be before 'to'")
})
