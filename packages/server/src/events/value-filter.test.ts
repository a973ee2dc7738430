import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FilterBuilder, decodeFilter } from './value-filter.ts'
import { tokenOf } from './token.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

function filterOf(values: readonly unknown[]) {
  const builder = new FilterBuilder()
  builder.addColumn(['Field'], values.map(tokenOf), true)
  return decodeFilter(builder.encode())
}

test(`knows all that was added (seed ${seed})`, () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '\\', 'é', 'K'), maxLength: 90 })
  fc.assert(fc.property(fc.array(fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true })), { minLength: 1, maxLength: 50 }), (values) => {
    const filter = filterOf(values)
    for (const value of values) {
      const folded = String(value).toLowerCase()
      if (typeof value === 'number') expect(filter.mayHaveNumber('field', value)).toBe(true)
      expect(filter.mayHaveText('FIELD', folded)).toBe(true)
      expect(filter.mayHold(folded.slice(1, -1))).toBe(true)
    }
  }), { seed })
})

test('rules out nearly all that was not', () => {
  const values = Array.from({ length: 2_000 }, (_, i) => `C:\\Programs\\tool-${i}.exe`)
  const filter = filterOf(values)
  const others = Array.from({ length: 2_000 }, (_, i) => `d:\\other-${i * 7}.dll`)
  expect(others.filter((other) => filter.mayHaveText('Field', other)).length).toBeLessThan(200)
  expect(others.filter((other) => filter.mayHold(other)).length).toBeLessThan(50)
  expect(values.filter((value) => filter.mayHaveText('Other', value.toLowerCase())).length).toBeLessThan(200)
})

test('says of lists of objects that it does not know', () => {
  const filter = filterOf([['a', { b: 1 }]])
  expect([filter.isUnknown('field'), filter.isUnknown('other'), filter.mayHaveText('field', 'a')]).toEqual([true, false, true])
})
