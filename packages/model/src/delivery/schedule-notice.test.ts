import { expect, test } from 'vitest'
import { scheduleNotice } from './schedule-notice.ts'

const allDays = [1, 2, 3, 4, 5, 6, 7]
const night = { from: 22 * 60, to: 7 * 60, days: allDays, exceptSeverities: ['critical'] } as const
const lunch = { ...night, from: 12 * 60, to: 13 * 60 }
const plain = { quietHours: undefined, throttleMinutes: 0, digestMinutes: 0 }

// The instants were computed with Python's zoneinfo.
test.for<[title: string, quietHours: typeof night | typeof lunch, timezone: string, now: string, expected: string]>([
  ['a night in Seoul', night, 'Asia/Seoul', '2026-11-20T14:00:00Z', '2026-11-20T22:00:00Z'],
  ['the night in which Berlin loses an hour', night, 'Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
  ['the night in which Berlin gains one', night, 'Europe/Berlin', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
  ['the night in which New York gains one', night, 'America/New_York', '2026-11-01T03:00:00Z', '2026-11-01T12:00:00Z'],
  ['noon in Kathmandu, at a quarter', lunch, 'Asia/Kathmandu', '2026-11-20T06:45:00Z', '2026-11-20T07:15:00Z'],
  ['the end itself', lunch, 'Asia/Kathmandu', '2026-11-20T07:15:00Z', '2026-11-20T07:15:00Z'],
  ['the minute before', lunch, 'Asia/Kathmandu', '2026-11-20T06:14:59Z', '2026-11-20T06:14:59Z'],
  ['a night that began on Sunday', { ...night, days: [7] }, 'Europe/Berlin', '2026-11-23T02:00:00Z', '2026-11-23T06:00:00Z'],
  ['a night that did not', { ...night, days: [1] }, 'Europe/Berlin', '2026-11-23T02:00:00Z', '2026-11-23T02:00:00Z'],
])('%s', ([, quietHours, timezone, now, expected]) => {
  const scheduled = (severity: 'high' | 'critical'): number =>
    scheduleNotice({ ...plain, quietHours }, Date.parse(now), { lastAt: undefined, severity, timezone })
  expect(new Date(scheduled('high')).toISOString()).toBe(new Date(expected).toISOString())
  expect(scheduled('critical')).toBe(Date.parse(now))
})

test.for<[throttleMinutes: number, digestMinutes: number, lastAt: number | undefined, expected: number]>([
  [0, 0, 90, 100], [5, 0, undefined, 100], [5, 0, 97, 102], [5, 0, 95, 100], [5, 0, 10, 100], [0, 3, undefined, 103], [5, 3, 99, 104], [5, 9, 99, 109],
])('a pause of %s min, a digest of %s min, the last message at %s: sent at %s', ([throttleMinutes, digestMinutes, last, expected]) => {
  const lastAt = last === undefined ? undefined : last * 60_000
  const at = scheduleNotice({ quietHours: undefined, throttleMinutes, digestMinutes }, 6_000_000, { lastAt, severity: 'low', timezone: 'UTC' })
  expect(at / 60_000).toBe(expected)
})
