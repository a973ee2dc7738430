import { expect, test } from 'vitest'
import { parseLength, resolveRange, zoomOut } from './time-range.ts'
import { parseTypedTime } from './typed-time.ts'

const nowMs = Date.parse('2026-11-22T14:30:00Z')

test.for<[typed: string, offsetMinutes: number, time: string | undefined]>([
  ['2026-11-20 10:00', 0, '2026-11-20T10:00:00.000Z'],
  ['2026-11-20 10:00', 540, '2026-11-20T01:00:00.000Z'],
  ['2026-11-20', 0, '2026-11-20T00:00:00.000Z'],
  ['yesterday 14:00', 0, '2026-11-21T14:00:00.000Z'],
  // In Seoul it is already the 22nd, 23:30.
  ['yesterday 14:00', 540, '2026-11-21T05:00:00.000Z'],
  ['9:05', 0, '2026-11-22T09:05:00.000Z'],
  ['-3h', 0, '-3h'],
  ['now', 0, '2026-11-22T14:30:00.000Z'],
  ['2026-11-20T10:00:00Z', 540, '2026-11-20T10:00:00.000Z'],
  ['25:00', 0, undefined],
  ['2026-13-20 10:00', 0, undefined],
  ['soon', 0, undefined],
])('%s at UTC+%i min is %s', ([typed, offsetMinutes, time]) => {
  expect(parseTypedTime(typed, { nowMs, offsetMinutes })).toBe(time)
})

test.for<[range: { from?: string; to?: string }, hours: [number, number]]>([
  [{}, [-24, 0]],
  [{ from: '-15m' }, [-0.25, 0]],
  [{ from: '-4h', to: '-1h' }, [-4, -1]],
  [{ from: '2026-11-22T10:30:00Z', to: '2026-11-22T12:30:00Z' }, [-4, -2]],
])('%o', ([range, [from, to]]) => {
  expect(resolveRange(range, nowMs)).toEqual({ from: nowMs + from * 3_600_000, to: nowMs + to * 3_600_000 })
})

test('zooming out keeps the middle, and never reaches into the future', () => {
  expect(zoomOut({ from: '-4h', to: '-3h' }, nowMs)).toEqual({ from: '2026-11-22T10:00:00.000Z', to: '2026-11-22T12:00:00.000Z' })
  expect(zoomOut({ from: '-4h' }, nowMs)).toEqual({ from: '2026-11-22T08:30:00.000Z', to: undefined })
})

test.for([
  ['30s', 30_000], ['5m', 300_000], ['2h', 7_200_000], ['1d', 86_400_000], ['1w', 604_800_000], ['5', NaN], ['-5m', NaN], ['5y', NaN],
] as const)('%s is %d milliseconds', ([text, lengthMs]) => {
  expect(parseLength(text)).toBe(lengthMs)
})
