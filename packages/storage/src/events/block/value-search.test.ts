import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toToken } from './json-literal.ts'
import { ValueSearch } from './value-search.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_122)

const value = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'B', 'ab', 'İ', 'ı', 'K', 'ſ', 'é', '😀', '\\', '"', '\n', '\ud800'), maxLength: 5 }),
  fc.constantFrom(0, 12.5, true, null, ['ab', { a: 'AB' }]),
)

test(`finds each value that holds a text, while values are added (seed ${seed})`, () => {
  fc.assert(fc.property(fc.array(value, { minLength: 1, maxLength: 400 }), fc.constantFrom('ab', 'a', 'b', 'ba', '"', '2.5'), (values, text) => {
    const tokens: string[] = []
    const search = new ValueSearch(tokens)
    for (const [i, one] of values.entries()) {
      tokens.push(toToken(one))
      if (i % 97 !== 0 && i !== values.length - 1) continue
      const found = search.findCodes([text], tokens.length)!
      expect([...found]).toEqual([...new Set(found)].sort((a, b) => a - b))
      for (const [code, held] of values.slice(0, i + 1).entries()) {
        const holds = (typeof held === 'string' || typeof held === 'number') && String(held).toLowerCase().includes(text)
        if (holds) expect(found).toContain(code)
      }
    }
  }), { seed })
})

test('finds few others', () => {
  const tokens = Array.from({ length: 1_000 }, (_, i) => toToken(`value ${i}`))
  expect([...new ValueSearch(tokens).findCodes(['value 123', 'e 99'], tokens.length)!])
    .toEqual([99, 123, ...Array.from({ length: 10 }, (_, i) => 990 + i)])
})

test('does not find values that were added after the search began', () => {
  const tokens = ['"one"', '"one"']
  expect([...new ValueSearch(tokens).findCodes(['one'], 1)!]).toEqual([0])
})

test('knows nothing of letters beyond ASCII', () => {
  expect(new ValueSearch(['"é"']).findCodes(['é'], 1)).toBeUndefined()
})
