import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LatencyHistogram } from './latency-histogram.ts'

function histogramOf(lengthsMs: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram()
  for (const lengthMs of lengthsMs) histogram.add(lengthMs)
  return histogram
}

/** The obvious way: sort, and take the one at the rank. */
function percentileOf(lengthsMs: readonly number[], share: number): number | undefined {
  const sorted = [...lengthsMs].sort((one, other) => one - other)
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]
}

test.for<[lengthsMs: number[], share: number, answer: number | undefined]>([
  [[], 0.5, undefined],
  [[0], 0.5, 0],
  [[0.001, 0.002, 0.003], 0.5, 0.002],
  [[0.031], 1, 0.031],
  [[0.032], 1, 0.0325],
  [[1, 1, 1, 100], 0.75, 1.0075],
  [[1, 1, 1, 100], 0.76, 100.3515],
  [[-5], 0.5, 0],
  [[1e12], 1, 4_227_858.4315],
])('%j at %d is %d', ([lengthsMs, share, answer]) => {
  expect(histogramOf(lengthsMs).percentileMs(share)).toBe(answer)
})

test('NaN is refused', () => {
  expect(() => new LatencyHistogram().add(Number.NaN)).toThrow(RangeError)
})

/** From a microsecond to an hour, each order of size as often as the next. */
const lengthMs = fc.double({ min: -3, max: 6.5, noNaN: true }).map((exponent) => 10 ** exponent)
const lengthsMs = fc.array(lengthMs, { minLength: 1, maxLength: 200 })

describe('of random lengths', () => {
  test('a percentile is accurate to 1/32 or half a microsecond', () => {
    fc.assert(fc.property(lengthsMs, fc.double({ min: 0, max: 1, noNaN: true }), (lengths, share) => {
      const exact = percentileOf(lengths, share)!
      const error = Math.abs(histogramOf(lengths).percentileMs(share)! - exact)
      // Rounded to microseconds first, then put into a bucket.
      expect(error).toBeLessThanOrEqual(exact / 32 + 0.000_52)
    }), { seed: 1 })
  })

  test('merging parts in any order gives the whole', () => {
    fc.assert(fc.property(fc.array(lengthsMs, { maxLength: 5 }), (parts) => {
      const merged = new LatencyHistogram()
      for (const part of parts.toReversed()) merged.merge(LatencyHistogram.of(histogramOf(part).data()))
      expect(merged.data()).toEqual(histogramOf(parts.flat()).data())
    }), { seed: 2 })
  })

  test('count, sum and mean are exact', () => {
    fc.assert(fc.property(lengthsMs, fc.integer({ min: 1, max: 5 }), (lengths, times) => {
      const histogram = new LatencyHistogram()
      for (const length of lengths) histogram.add(length, times)
      const sum = lengths.reduce((total, length) => total + length, 0) * times
      expect(histogram.count).toBe(lengths.length * times)
      expect(Math.abs(histogram.sumMs - sum)).toBeLessThan(0.001 * histogram.count)
      expect(histogram.meanMs! * histogram.count).toBeCloseTo(histogram.sumMs, 3)
    }), { seed: 3 })
  })
})

test('the number of buckets is bounded', () => {
  const histogram = new LatencyHistogram()
  for (let micros = 0; micros < 2 ** 33; micros = micros * 1.001 + 1) histogram.add(micros / 1_000)
  expect(histogram.data().counts.length).toBe(464)
})
