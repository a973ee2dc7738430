import { expect, test } from 'vitest'
import { listTicks } from './list-ticks.ts'

const minute = 60_000
const hour = 60 * minute

test.for<[from: string, lengthMs: number, offsetMinutes: number, ticks: readonly string[]]>([
  ['2026-11-30T11:56:40Z', 15 * minute, 0, ['12:00', '12:05', '12:10']],
  ['2026-11-30T12:12:00Z', 24 * hour, 0, ['18:00', '00:00', '06:00', '12:00']],
  // Of India and of New York: 00:00, 06:00, 12:00 and 18:00 there.
  ['2026-11-30T12:12:00Z', 24 * hour, 330, ['12:30', '18:30', '00:30', '06:30']],
  ['2026-11-30T12:12:00Z', 24 * hour, -300, ['17:00', '23:00', '05:00', '11:00']],
  ['2026-11-30T12:00:00Z', hour, 0, ['12:00', '12:15', '12:30', '12:45']],
  ['2026-11-30T12:00:01Z', 4_000, 0, ['12:00', '12:00', '12:00', '12:00']],
])('from %s over %i ms, %i minutes from UTC', ([from, lengthMs, offsetMinutes, ticks]) => {
  const start = Date.parse(from)
  const listed = listTicks(start, start + lengthMs, { offsetMs: offsetMinutes * minute, countMax: 6 })
  expect(listed.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(ticks)
})

test.for([1, 999, minute, 24 * hour, 90 * 24 * hour, 4_000 * 24 * hour])('over %i ms no more than fit, in order and within', (lengthMs) => {
  const from = Date.parse('2026-11-30T12:34:56.789Z')
  for (const countMax of [1, 2, 6, 10]) {
    const ticks = listTicks(from, from + lengthMs, { offsetMs: 0, countMax })
    expect(ticks.length).toBeLessThanOrEqual(countMax)
    expect(ticks.every((at, index) => at >= (ticks[index - 1] ?? from) && at < from + lengthMs)).toBe(true)
  }
})

test('an axis without a length has none', () => {
  expect(listTicks(0, 0, { offsetMs: 0, countMax: 6 })).toEqual([])
})
