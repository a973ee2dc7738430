import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCase } from '../event/fold-case.ts'
import { checkRegex } from '../predicate/matchers/re2.ts'
import { compileRegex } from '../predicate/matchers/regex.ts'
import type { RegexTest } from '../predicate/predicate.ts'
import { extractRegexLiterals } from './regex-literal.ts'

function regex(source: string, ignoresCase = false): RegexTest {
  return { kind: 'regex', source, ignoresCase, isMultiline: false, dotMatchesNewline: false }
}

describe('literalsOfRegex', () => {
  test.for<[string, string[]]>([
    ['cmd.{0,5}(?:/c|/r).+powershell.+(?:\\$input|noexit).+"', ['powershell', '$input noexit']],
    ['abcd.*abcdefgh.*abcdef.*abcde', ['abcdefgh', 'abcdef', 'abcde']],
    ['abcdef.*abc', ['abcdef']],
    ['(?:abcdef.*ghijkl)+', ['abcdef', 'ghijkl']],
    ['(?:abcdef.*ghijklm|nopqrs)x*', ['ghijklm nopqrs']],
  ])('of %s are %j', ([source, want]) => {
    expect(extractRegexLiterals(regex(source)).map((literals) => literals.join(' '))).toEqual(want)
  })

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
    ['food?bar', 'foobar foodbar'],
    ['food*bar', 'foo'],
    ['food{0,2}bar', 'foo'],
    ['food{2}bar', 'food'],
    ['food+bar', 'food'],
    ['foo(bar)?baz', 'foobaz foobarbaz'],
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
    ['\\n\\n\\t\\r', '\n\n\t\r'],
    ['(?i)forever', 'forever'],
    ['(?i)desktop', 'desktop deſktop'],
    ['(?i)s{3}abc', 'abc'],
    ['[xy]?C:\\\\', 'C:\\'],
    ['z[xy]?C:', 'zC: zxC: zyC:'],
    ['fo??obar', 'fobar foobar'],
    ['(?:ab|c)?def', 'def'],
    ['&(?:ab|c)?def', '&def &abdef &cdef'],
    ['\\Qa|b\\E', undefined],
  ])('of %s is %j', ([source, want]) => {
    expect(extractRegexLiterals(regex(source))[0]?.join(' ')).toBe(want)
  })

  test('where case does not count, what folds to the same is looked for too, or ends it', () => {
    expect(extractRegexLiterals(regex('mask\\.exe', true))).toEqual([['mask.exe', 'maſk.exe']])
    expect(extractRegexLiterals(regex('mask\\.exe'))).toEqual([['mask.exe']])
    expect(extractRegexLiterals(regex('aé.exe', true))).toEqual([['exe']])
  })

  test('is in every text in which the expression is found', () => {
    const piece = fc.constantFrom(
      'abc', 'K', 's', 'é', '.', '\\.', '\\w', '\\d', '[ab]', '[^]]', '(abc)', '(?:ab|c)', '\\n', '?', '*', '+', '{2}', '{0,1}', '^', '$', '|', '(?i)', 'x',
    )
    const source = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n', 'abc', 'K', 'k', 's', '\u212a', 'ſ', 'é', 'É', 'x', '.', '1'), maxLength: 12 })
    let foundCount = 0
    fc.assert(
      fc.property(source, text, fc.boolean(), (pattern, value, ignoresCase) => {
        const one = regex(pattern, ignoresCase)
        fc.pre(checkRegex(one) === undefined)
        const groups = extractRegexLiterals(one)
        if (groups.length === 0 || !compileRegex(one)(value)) return
        foundCount += groups.length
        const folded = foldCase(value)
        for (const literals of groups) {
          expect(literals.filter((literal) => folded.includes(foldCase(literal)))).not.toEqual([])
        }
      }),
      { numRuns: 20_000 },
    )
    expect(foundCount).toBeGreaterThan(50)
  })
})
