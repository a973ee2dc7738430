import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyOne, anyRun, literal, normalizePattern, parsePattern, printPattern } from './pattern.ts'

const text = fc.string({ unit: fc.constantFrom('\\', '*', '?', 'a', 'B', 'é', '😀'), maxLength: 12 })

describe('patterns', () => {
  test('have no empty literals beside wildcards', () => {
    expect(parsePattern('*a?')).toEqual([anyRun, literal('a'), anyOne])
  })

  test('printed patterns read back as themselves', () => {
    fc.assert(
      fc.property(text, (source) => {
        const pattern = parsePattern(source)
        expect(parsePattern(printPattern(pattern))).toEqual(pattern)
      }),
      { numRuns: 2000 },
    )
  })

  test.for<[string, string]>([
    ['a**b', 'a*b'],
    ['**', '*'],
    ['*?*', '*?*'],
    ['\\\\*', '\\\\*'],
    ['C:\\Windows\\\\*', 'C:\\Windows\\\\*'],
    ['a\\', 'a\\'],
  ])('normalizes %j to %j', ([source, want]) => {
    expect(printPattern(normalizePattern(parsePattern(source)))).toBe(want)
  })
})
