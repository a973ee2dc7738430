import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BloomFilterBuilder, decodeBloomFilter } from './bloom-filter.ts'
import { toToken } from './json-literal.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

function filterOf(values: readonly unknown[]) {
  const builder = new BloomFilterBuilder()
  builder.addColumn(['Field'], values.map(toToken), undefined)
  return decodeBloomFilter(builder.encode()).filter
}

test(`contains all that was added (seed ${seed})`, () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '\\', 'é', 'K'), maxLength: 90 })
  fc.assert(fc.property(fc.array(fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1, maxLength: 50 }), (values) => {
    const filter = filterOf(values)
    for (const value of values) {
      const folded = String(value).toLowerCase()
      if (typeof value === 'number') expect(filter.mayEqualNumber(value)).toBe(true)
      expect(filter.mayEqualText(folded)).toBe(true)
      expect(filter.mayContainText(folded.slice(1, -1))).toBe(true)
    }
  }), { seed })
})

test('rules out nearly everything else', () => {
  const values = Array.from({ length: 2_000 }, (_, i) => `C:\\Programs\\tool-${i}.exe`)
  const filter = filterOf(values)
  const others = Array.from({ length: 2_000 }, (_, i) => `d:\\other-${i * 7}.dll`)
  expect(others.filter((other) => filter.mayEqualText(other)).length).toBeLessThan(200)
  expect(others.filter((other) => filter.mayContainText(other)).length).toBeLessThan(50)
})

test('knows which texts unlisted numbers can have', () => {
  const builder = new BloomFilterBuilder()
  builder.addColumn(['Field'], ['12345', '67890'], 'integer')
  const { filter } = decodeBloomFilter(builder.encode())
  expect([filter.mayEqualText('99'), filter.mayEqualNumber(99), filter.mayEqualText('x99')]).toEqual([true, true, false])
  expect([filter.mayContainText('2345'), filter.mayContainText('x2345')]).toEqual([true, false])
})
