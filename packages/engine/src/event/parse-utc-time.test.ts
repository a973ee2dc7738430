import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseInstant } from './parse-time.ts'
import { parseUtcTime } from './parse-utc-time.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_129)

describe(`times in the most common format, seed ${seed}`, () => {
  test('agree with Date', () => {
    let readCount = 0
    fc.assert(fc.property(fc.date({ min: new Date(0), max: new Date(Date.UTC(2399, 11, 31)), noInvalidDate: true }), (date) => {
      const text = date.toISOString()
      const ms = parseUtcTime(text)
      if (ms !== undefined) readCount++
      expect([undefined, date.getTime()]).toContain(ms)
      expect(parseInstant(text)).toBe(date.getTime())
    }), { seed, numRuns: 2_000 })
    expect(readCount).toBeGreaterThan(1_500)
  })

  test.for<[text: string, fraction: number | undefined]>([
    ['2026-01-05T08:00:00Z', 0],
    ['2026-01-05T08:00:00.1Z', 100],
    ['2026-01-05T08:00:00.12Z', 120],
    ['2026-01-05T08:00:00.123Z', 123],
    ['2026-01-05T08:00:00.123999Z', 123],
    ['2026-01-05T08:00:00.123999999Z', 123],
    ['2026-01-05T08:00:00.1239999999Z', undefined],
    ['2026-01-05T08:00:00.Z', undefined],
    ['2026-01-05T08:00:00', undefined],
    ['2026-01-05 08:00:00Z', undefined],
    ['2026-01-05T08:00:00+00:00', undefined],
    ['2026-01-05T08:00:60Z', undefined],
    ['2026-01-05T24:00:00Z', undefined],
    ['2026-01-29T08:00:00Z', undefined],
    ['2026-13-05T08:00:00Z', undefined],
    ['2026-00-05T08:00:00Z', undefined],
    ['1969-01-05T08:00:00Z', undefined],
    ['2026-01-05T08:0a:00Z', undefined],
    ['2026-01-05T08:00:00.12aZ', undefined],
    ['', undefined],
  ])('%s', ([text, fraction]) => {
    expect(parseUtcTime(text)).toBe(fraction === undefined ? undefined : Date.UTC(2026, 0, 5, 8) + fraction)
  })

  test('round fractions like the slow path', () => {
    fc.assert(fc.property(fc.stringMatching(/^\d{1,9}$/), (fraction) => {
      const text = `2026-01-05T08:00:00.${fraction}Z`
      expect(parseUtcTime(text)).toBe(parseInstant(text.replace('Z', '+00:00')))
    }), { seed, numRuns: 2_000 })
  })
})
