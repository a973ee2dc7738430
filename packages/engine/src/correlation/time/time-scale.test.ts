import { describe, expect, test } from 'vitest'
import { TimeScale, nanosPerMs } from './time-scale.ts'

const startAt = Date.UTC(2026, 10, 22, 12)
const dayMs = 86_400_000

describe('instants on a scale near the first event', () => {
  test.for<[title: string, ms: number, nanos: number]>([
    ['the first event', startAt, 0],
    ['a nanosecond later', startAt, 1],
    ['a hundred days later, to the nanosecond', startAt + 100 * dayMs, 999_999],
    ['two years before, to the microsecond', startAt - 730 * dayMs, 999_000],
    ['sixteen years later, to the millisecond', startAt + 16 * 365 * dayMs + 1, 0],
  ])('are exact: %s', ([, ms, nanos]) => {
    const scale = new TimeScale()
    scale.fromMs(startAt)
    expect(scale.toMs(scale.fromMs(ms, nanos))).toBe(ms)
    expect(scale.fromMs(ms, nanos) - scale.fromMs(ms)).toBe(nanos)
    expect(scale.fromMs(ms + 10_000, nanos) - scale.fromMs(ms, nanos)).toBe(10_000 * nanosPerMs)
  })

  test('the ends of time stay what they are', () => {
    const scale = new TimeScale()
    expect([scale.fromMs(Infinity), scale.fromMs(-Infinity), scale.toMs(Infinity), scale.baseMs]).toEqual([Infinity, -Infinity, Infinity, undefined])
  })

  test('a first event of a wrong year does not take the scale away', () => {
    const scale = new TimeScale()
    scale.fromMs(Date.UTC(1990, 0, 1))
    expect(scale.baseMs).toBe(Date.UTC(2010, 0, 1))
  })
})
