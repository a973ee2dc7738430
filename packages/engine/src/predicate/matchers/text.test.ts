import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCase } from '../../event/fold-case.ts'
import { parsePattern } from '../pattern.ts'
import type { Pattern } from '../pattern.ts'
import { compilePattern } from './text.ts'

function matches(pattern: Pattern, text: string, isCased = false): boolean {
  return compilePattern(pattern, isCased)(isCased ? text : foldCase(text))
}

/** The slow definition: every way a `*` can end is tried, character by character. */
function slowlyMatches(parts: Pattern, characters: readonly string[]): boolean {
  const [part, ...rest] = parts
  if (part === undefined) return characters.length === 0
  if (part.kind === 'any') return characters.some((_, i) => slowlyMatches(rest, characters.slice(i))) || slowlyMatches(rest, [])
  if (part.kind === 'text') {
    const wanted = Array.from(part.text)
    const stands = wanted.every((character, i) => foldCase(characters[i] ?? '') === foldCase(character))
    return stands && slowlyMatches(rest, characters.slice(wanted.length))
  }
  const [first] = characters
  if (first === undefined || (part.kind === 'oneOf' && !part.characters.includes(first))) return false
  return slowlyMatches(rest, characters.slice(1))
}

describe('compilePattern', () => {
  test.for<[string, string, boolean]>([
    ['abc', 'ABC', true],
    ['abc', 'abcd', false],
    ['*abc', 'xABC', true],
    ['abc*', 'abcx', true],
    ['*abc*', 'xabcx', true],
    ['a*c', 'ac', true],
    ['a*c', 'a\nb\nc', true],
    ['a*a', 'a', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['?', '😀', true],
    ['??', '😀', false],
    ['*?', '', false],
    ['*?😀', '😀😀', true],
    ['*a?b*', 'xxaabyy', true],
    ['*ab*ab*', 'xabxab', true],
    ['*ab*ab', 'xab', false],
    ['', '', true],
    ['', 'x', false],
    ['*', '', true],
    ['*', 'x', true],
    ['STRASSE', 'straße', false],
    ['ΣΑΣ', 'σας', false],
    ['ΣΑΣ', 'σασ', true],
    ['É', 'é', true],
    ['İ', 'i̇', false],
  ])('%j on %j is %s', ([pattern, text, want]) => {
    expect(matches(parsePattern(pattern), text)).toBe(want)
  })

  test('where case counts, it counts', () => {
    expect(matches(parsePattern('*Foo*'), 'xFoox', true)).toBe(true)
    expect(matches(parsePattern('*Foo*'), 'xfoox', true)).toBe(false)
  })

  test('agrees with the slow definition', () => {
    const part = fc.oneof(
      fc.constant({ kind: 'any' as const }),
      fc.constant({ kind: 'one' as const }),
      fc.constant({ kind: 'oneOf' as const, characters: '-/–' }),
      fc.string({ unit: fc.constantFrom('a', 'B', '-', '😀'), maxLength: 3 }).map((text) => ({ kind: 'text' as const, text })),
    )
    const pattern = fc.array(part, { maxLength: 6 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', '/', '😀'), maxLength: 8 })
    fc.assert(
      fc.property(pattern, text, (parts, value) => {
        expect(matches(parts, value)).toBe(slowlyMatches(parts, Array.from(value)))
      }),
      { numRuns: 5000 },
    )
  })
})
