import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QuantileSketch, joinedKey } from './quantile-sketch.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_201)
const number = fc.oneof(fc.integer({ min: -1_000, max: 100_000 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
const numbers = fc.array(number, { minLength: 1, maxLength: 60 })

function exactPercentile(all: readonly number[], percentile: number): number {
  const sorted = all.toSorted((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil((percentile * sorted.length) / 100)) - 1]!
}

describe(`a quantile sketch, seed ${seed}`, () => {
  test('is within its relative error of the exact percentile, also after neighbours were joined', () => {
    fc.assert(fc.property(numbers, fc.integer({ min: 0, max: 100 }), fc.nat(4), (all, percentile, joinCount) => {
      const sketch = new QuantileSketch()
      for (const one of all) sketch.change(sketch.keyOf(one), 1)
      for (let i = 0; i < joinCount; i++) sketch.joinNeighbours()
      const exact = exactPercentile(all, percentile)
      // The smallest of all numbers are rounded themselves.
      const error = sketch.relativeError * Math.abs(exact) * (1 + 1e-9) + 1e-300
      expect(Math.abs(sketch.percentile(percentile)! - exact)).toBeLessThanOrEqual(error)
    }), { seed, numRuns: 500 })
  })

  test('loses what is taken out again', () => {
    fc.assert(fc.property(numbers, numbers, (staying, leaving) => {
      const sketch = new QuantileSketch()
      for (const one of [...leaving, ...staying]) sketch.change(sketch.keyOf(one), 1)
      for (const one of leaving) sketch.change(sketch.keyOf(one), -1)
      const other = new QuantileSketch()
      for (const one of staying) other.change(other.keyOf(one), 1)
      expect([sketch.total, sketch.binCount, sketch.percentile(50)]).toEqual([other.total, other.binCount, other.percentile(50)])
    }), { seed })
  })

  test('names the bins of before when it joins neighbours', () => {
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (one) => {
      const sketch = new QuantileSketch()
      const key = sketch.keyOf(one)
      sketch.joinNeighbours()
      // Rounding may put a number at the edge of a bin into the next one.
      expect(Math.abs(joinedKey(key) - sketch.keyOf(one))).toBeLessThanOrEqual(1)
    }), { seed })
  })

  test('is full at last, and joins neighbours until it is not', () => {
    const sketch = new QuantileSketch()
    for (let exponent = -700; exponent < 700; exponent++) sketch.change(sketch.keyOf(Math.exp(exponent)), 1)
    expect(sketch.isFull).toBe(true)
    sketch.joinNeighbours()
    expect({ total: sketch.total, error: sketch.relativeError.toFixed(4) }).toEqual({ total: 1_400, error: '0.0100' })
  })
})
