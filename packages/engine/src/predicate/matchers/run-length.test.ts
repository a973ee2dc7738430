import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { hasRun, parseCountedDot } from './run-length.ts'

test.for<[source: string, length: number | undefined]>([
  ['.{1000,}', 1000],
  ['(.){200,}', 200],
  ['(?:.){3}', 3],
  ['.{3,9}', undefined],
  ['^.{3,}', undefined],
  ['a{3,}', undefined],
  ['.{3,}|a', undefined],
])('%j asks for %j characters in a row', ([source, length]) => {
  expect(parseCountedDot(source)).toBe(length)
})

test('finds what the regular expression finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\n', '\ud83d', '\ude00'), maxLength: 12 })
  fc.assert(fc.property(text, fc.integer({ min: 0, max: 6 }), fc.boolean(), (value, length, dotMatchesNewline) => {
    const regex = RE2JS.compile(`.{${length},}`, dotMatchesNewline ? RE2JS.DOTALL : 0)
    expect(hasRun(value, length, dotMatchesNewline)).toBe(regex.test(value))
  }), { numRuns: 2_000 })
})
