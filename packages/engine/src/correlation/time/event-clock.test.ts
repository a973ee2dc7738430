import { describe, expect, test } from 'vitest'
import { EventClock } from './event-clock.ts'
import type { ClockSettings } from './event-clock.ts'

const clockWith = (settings: Partial<ClockSettings>): EventClock => {
  return new EventClock({ lateness: 0, tolerance: 300_000, now: () => Infinity, ...settings })
}

/** What an event states as its time, when it arrived, and what comes of it: a time, or undefined where it is late. */
type Row = [statedAt: number | undefined, receivedAt: number | undefined, at: number | undefined]

describe('the clock of events', () => {
  test.for<[title: string, settings: Partial<ClockSettings>, rows: readonly Row[], watermark: number]>([
    ['follows the newest event', {}, [[5, undefined, 5], [9, undefined, 9]], 9],
    ['takes an event of the same instant', {}, [[9, undefined, 9], [9, undefined, 9]], 9],
    ['leaves out what is older', {}, [[9, undefined, 9], [8, undefined, undefined]], 9],
    ['stays behind by the allowed lateness', { lateness: 4 }, [[9, undefined, 9], [5, undefined, 5], [4, undefined, undefined]], 5],
    ['believes an event as far ahead as it tolerates', { tolerance: 10 }, [[110, 100, 110]], 110],
    ['takes one further ahead as of its arrival, and stays', { tolerance: 10 }, [[50, 50, 50], [111, 100, 100]], 50],
    ['tolerates five minutes where nothing else is said', {}, [[1, 0, 1], [300_000, 0, 300_000], [300_001, 0, undefined]], 300_000],
    ['judges by its clock where the arrival is not known', { tolerance: 0, now: () => 7 }, [[6, undefined, 6], [8, undefined, 6]], 6],
    ['begins at its clock', { tolerance: 0, now: () => 7 }, [[8, undefined, 7]], -Infinity],
    ['has no watermark but the end where any lateness is allowed', { lateness: Infinity }, [[9, undefined, 9], [1, undefined, 1]], -Infinity],
    ['takes an event without a time as of its arrival', {}, [[undefined, 40, 40]], 40],
    ['takes one of which nothing is known as of the newest', {}, [[30, undefined, 30], [undefined, undefined, 30]], 30],
    ['takes the first of which nothing is known as of 1970', {}, [[undefined, undefined, 0]], 0],
  ])('%s', ([, settings, rows, watermark]) => {
    const clock = clockWith(settings)
    for (const [statedAt, receivedAt, at] of rows) expect(clock.observe(statedAt, receivedAt)).toBe(at)
    expect(clock.watermark).toBe(watermark)
  })

  test('counts what is late, from the future and without a time', () => {
    const clock = clockWith({ tolerance: 0 })
    for (const [statedAt, receivedAt] of [[100, 100], [101, 100], [50, 100], [undefined, 100], [200, 20]] as const) clock.observe(statedAt, receivedAt)
    // The last one is both: from the future, and late as of its arrival.
    expect(clock.counts).toEqual({ late: 2, future: 2, undated: 1 })
  })

  test('never goes back', () => {
    const clock = clockWith({})
    clock.advance(50)
    clock.advance(40)
    expect(clock.observe(49, undefined)).toBeUndefined()
    expect(clock.newestAt).toBe(50)
  })

  test('goes on from another', () => {
    const clock = clockWith({ lateness: 5 })
    clock.resume({ newestAt: 100, watermark: 95, counts: { late: 1, future: 2, undated: 3 } })
    expect(clock.observe(94, undefined)).toBeUndefined()
    expect(clock.counts).toEqual({ late: 2, future: 2, undated: 3 })
  })
})
