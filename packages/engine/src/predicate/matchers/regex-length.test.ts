import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RegexTest } from '../predicate.ts'
import { checkRegex } from './re2.ts'
import { compileRegex } from './regex.ts'
import { computeShortestMatch } from './regex-length.ts'
import { RE2JS } from 're2js'

test.for<[source: string, length: number]>([
  ['', 0],
  ['abc', 3],
  ['^abc$', 3],
  ['a?b*c+', 1],
  ['a{3}b{2,}c{0,9}', 5],
  ['a{3}?b', 4],
  [String.raw`\s[a-f0-9]{64}\s[a-f]{16}`, 82],
  ['.{1000,}', 1000],
  ['ab(cd|e)f', 3],
  ['a|bcd', 0],
  ['(?i)abc', 0],
  [String.raw`\x41bc`, 0],
  [String.raw`\bab\B`, 2],
])('of %j is %i', ([source, length]) => {
  expect(computeShortestMatch(source)).toBe(length)
})

test('no shorter text is matched', () => {
  const piece = fc.constantFrom('a', 'é', '😀', '.', '[ab]', '(a|b)', '(', ')', '?', '*', '+', '{2}', '{0,1}', '{2,}?', '^', '$', '|', String.raw`\b`, String.raw`\d`)
  const source = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', '1', '\n'), maxLength: 8 })
  fc.assert(fc.property(source, text, (pattern, value) => {
    const one: RegexTest = { kind: 'regex', source: pattern, ignoresCase: false, isMultiline: false, dotMatchesNewline: false }
    fc.pre(checkRegex(one) === undefined)
    if (RE2JS.compile(pattern).test(value)) expect([compileRegex(one)(value), value.length >= computeShortestMatch(pattern)]).toEqual([true, true])
  }), { numRuns: 10_000 })
})
