import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCase } from '../event/fold.ts'
import { checkRegex, compileRegex } from '../predicate/matchers/regex.ts'
import type { RegexTest } from '../predicate/predicate.ts'
import { literalsOfRegex } from './regex-literal.ts'

function regex(source: string, ignoresCase = false): RegexTest {
  return { kind: 'regex', source, ignoresCase, isMultiline: false, dotMatchesNewline: false }
}

describe('literalsOfRegex', () => {
  test.for<[string, string | undefined]>([
    ['powershell', 'powershell'],
    ['.*foo.*barbaz.*', 'barbaz'],
    ['^foo$', 'foo'],
    ['foo\\.exe', 'foo.exe'],
    ['foo\\d+barx', 'barx'],
    ['foo[abc]ba', 'fooaba foobba foocba'],
    ['foo[a-c]ba', 'foo'],
    ['foo[]]barx', 'barx'],
    ['foo[[:alpha:]]barx', 'barx'],
    ['food?', 'foo'],
    ['food*bar', 'foo'],
    ['food{0,2}bar', 'foo'],
    ['food{2}bar', 'food'],
    ['food+bar', 'food'],
    ['foo(bar)?baz', 'foo'],
    ['(foobar)', 'foobar'],
    ['(?:foobar)+', 'foobar'],
    ['(foobar)?x', undefined],
    ['foo|bar', 'foo bar'],
    ['foo|b', undefined],
    ['(foo|bar)x(barbaz|foofoo)', 'fooxbarbaz fooxfoofoo barxbarbaz barxfoofoo'],
    ['-(w|r)\\w', '-w -r'],
    ['fo&&?', 'fo&'],
    ['a+?&&', '&&'],
    ['`', '`'],
    ['a{2,3}?bcd', 'bcd'],
    ['foo\\\\Policies', 'foo\\\\Policies'.replaceAll('\\\\', '\\')],
    ['(a|b)foo', 'afoo bfoo'],
    ['\\wfoo\\w', 'foo'],
    ['\\dx&', Array.from('0123456789', (digit) => `${digit}x&`).join(' ')],
    ['a{3}\\sbc', '\tbc \nbc \fbc \rbc  bc'],
    ['fo', 'fo'],
    ['f', undefined],
    ['\\x66oo', undefined],
    ['a{b}cd', 'a{b}cd'],
    ['(?i)forever', 'forever'],
    ['(?i)desktop', 'ktop'],
    ['\\Qa|b\\E', undefined],
  ])('of %s is %j', ([source, want]) => {
    expect(literalsOfRegex(regex(source))?.join(' ')).toBe(want)
  })

  test('where case does not count, characters that fold beyond ASCII end it', () => {
    expect(literalsOfRegex(regex('mask.exe', true))).toEqual(['exe'])
    expect(literalsOfRegex(regex('mask.exe'))).toEqual(['mask'])
  })

  test('is in every text in which the expression is found', () => {
    const piece = fc.constantFrom(
      'abc', 'K', 's', 'é', '.', '\\.', '\\w', '\\d', '[ab]', '[^]]', '(abc)', '(?:ab|c)', '?', '*', '+', '{2}', '{0,1}', '^', '$', '|', '(?i)', 'x',
    )
    const source = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'abc', 'K', 'k', 's', '\u212a', 'ſ', 'é', 'É', 'x', '.', '1'), maxLength: 12 })
    let foundCount = 0
    fc.assert(
      fc.property(source, text, fc.boolean(), (pattern, value, ignoresCase) => {
        const one = regex(pattern, ignoresCase)
        fc.pre(checkRegex(one) === undefined)
        const literals = literalsOfRegex(one)
        if (literals === undefined || !compileRegex(one)(value)) return
        foundCount++
        const folded = foldCase(value)
        expect(literals.filter((literal) => folded.includes(foldCase(literal)))).not.toEqual([])
      }),
      { numRuns: 20_000 },
    )
    expect(foundCount).toBeGreaterThan(50)
  })
})
