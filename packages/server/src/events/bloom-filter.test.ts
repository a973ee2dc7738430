import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FilterBuilder, decodeFilter } from './bloom-filter.ts'
import { tokenOf } from './json-literal.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

function filterOf(values: readonly unknown[]) {
  const builder = new FilterBuilder()
  builder.addColumn(['Field'], values.map(tokenOf), undefined)
  return decodeFilter(builder.encode())
}

test(`knows all that was added (seed ${seed})`, () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '\\', 'é', 'K'), maxLength: 90 })
  fc.assert(fc.property(fc.array(fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1, maxLength: 50 }), (values) => {
    const filter = filterOf(values)
    for (const value of values) {
      const folded = String(value).toLowerCase()
      if (typeof value === 'number') expect(filter.mayHaveNumber(value)).toBe(true)
      expect(filter.mayHaveText(folded)).toBe(true)
      expect(filter.mayHold(folded.slice(1, -1))).toBe(true)
    }
  }), { seed })
})

test('rules out nearly all that was not', () => {
  const values = Array.from({ length: 2_000 }, (_, i) => `C:\\Programs\\tool-${i}.exe`)
  const filter = filterOf(values)
  const others = Array.from({ length: 2_000 }, (_, i) => `d:\\other-${i * 7}.dll`)
  expect(others.filter((other) => filter.mayHaveText(other)).length).toBeLessThan(200)
  expect(others.filter((other) => filter.mayHold(other)).length).toBeLessThan(50)
})

test('knows of numbers that it does not list which texts they can have', () => {
  const builder = new FilterBuilder()
  builder.addColumn(['Field'], ['12345', '67890'], 'integer')
  const filter = decodeFilter(builder.encode())
  expect([filter.mayHaveText('99'), filter.mayHaveNumber(99), filter.mayHaveText('x99')]).toEqual([true, true, false])
  expect([filter.mayHold('2345'), filter.mayHold('x2345')]).toEqual([true, false])
})
