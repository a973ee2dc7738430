import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileRe2 } from '../matchers/re2.ts'
import { compileRegex, toRe2Source } from '../matchers/regex.ts'
import type { RegexTest } from '../predicate.ts'
import { compileSearch } from './compile-search.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_123)

/** A test with the flags that some letters stand for, as in `(?ims)`. */
function regexTest(source: string, flags: string): RegexTest {
  return {
    kind: 'regex', source,
    ignoresCase: flags.includes('i'), isMultiline: flags.includes('m'), dotMatchesNewline: flags.includes('s'),
  }
}

/** The search of our own alone, which has no answer where RE2 is asked. */
function searchOf(source: string, flags = ''): ((text: string) => boolean | undefined) | undefined {
  const regex = regexTest(source, flags)
  return compileSearch(toRe2Source(regex), regex)
}

describe('each form', () => {
  test.for<[source: string, flags: string, found: readonly string[], notFound: readonly string[]]>([
    ['', '', ['', 'a'], []],
    ['abc', '', ['xabcx'], ['ab', 'ABC']],
    ['abc', 'i', ['xaBcx'], ['ab']],
    ['a.c', '', ['abc', 'a\tc'], ['a\nc', 'ac']],
    ['a.c', 's', ['a\nc'], ['ac']],
    ['[a-c_]x', '', ['_x', 'bx'], ['dx', 'Bx']],
    ['[a-c]x', 'i', ['Bx'], ['Dx']],
    ['[^a-c]x', '', ['dx', '\nx'], ['bx', 'x']],
    ['[^k]x', 'i', ['jx'], ['Kx', 'kx']],
    ['[]a]x', '', [']x'], ['x']],
    ['[^]a]x', '', ['bx'], [']x']],
    [String.raw`[\]\w-]x`, '', [']x', '-x', '_x'], [' x']],
    [String.raw`[^\s\x41]x`, '', ['ax'], ['Ax', ' x']],
    [String.raw`[a\-c]x`, '', ['-x'], ['bx']],
    [String.raw`\d\D\s\S\w\W`, '', ['1a a_-'], ['aa a_-']],
    [String.raw`\s`, '', ['\t', '\n', '\f', '\r', ' '], ['\v', 'a']],
    [String.raw`\t\n\r\f\v\a\x7e\.\/\"`, '', ['\t\n\r\f\v\x07~./"'], ['\t']],
    ['a|b|', '', ['', 'c'], []],
    ['x(?:a|bc)y', '', ['xay', 'xbcy'], ['xby']],
    ['x(a|)y', '', ['xy'], ['xby']],
    ['xa*y', '', ['xy', 'xaay'], ['xby']],
    ['xa+y', '', ['xaay'], ['xy']],
    ['xa?y', '', ['xay', 'xy'], ['xaay']],
    ['xa{2}y', '', ['xaay'], ['xay', 'xaaay']],
    ['xa{2,}y', '', ['xaay', 'xaaaay'], ['xay']],
    ['xa{0,2}y', '', ['xy', 'xaay'], ['xaaay']],
    ['x(ab){2,3}y', '', ['xababy'], ['xaby', 'xababababy']],
    ['xa*?b+?c??d{2,3}?y', '', ['xabddy'], ['xady']],
    ['x[a-c]{16,}', '', [`x${'abc'.repeat(6)}`], [`x${'abc'.repeat(5)}xab`]],
    ['(x|[a-c]{20}y)', '', ['x', `${'c'.repeat(21)}y`], [`${'c'.repeat(19)}y`]],
    ['([^b]{17}y){2,}', 'i', [`${'a'.repeat(17)}Y`.repeat(2)], [`${'a'.repeat(17)}y${'aB'.repeat(9)}y`]],
    ['x{,2}{', '', ['x{,2}{'], ['x']],
    ['^a', '', ['ab'], ['ba', '\na']],
    ['^a', 'm', ['b\na'], ['ba']],
    ['a$', '', ['ba', 'a\n'], ['ab', 'a\nb', 'a\n\n']],
    ['a$', 'm', ['a\nb'], ['ab']],
    ['^$', '', ['', '\n'], ['a', '\n\n']],
    ['^$', 'm', ['', 'a\n'], ['a']],
    [String.raw`\Aa\z`, 'm', ['a'], ['a\n', 'b\na']],
    [String.raw`\ba\b`, '', ['a', '-a-', '\na'], ['ba', 'a1', '_a']],
    [String.raw`a\B`, '', ['ab'], ['a', 'a-']],
    [String.raw`\B`, '', ['', 'ab', '-'], ['a']],
    ['a(?i)b', '', ['ab', 'aB'], ['Ab']],
    ['(?i:a)b', '', ['Ab'], ['AB']],
    ['(x(?i)a|b)c', '', ['xAc', 'Bc'], ['BC', 'XAc']],
    ['(?-i:a)b', 'i', ['aB'], ['AB']],
    ['(?s:.)(?m:^)a', '', ['\na'], ['ba']],
    ['(a*)*b', 'i', ['AAb'], ['aaaa']],
    ['(?:^)*a', '', ['ba'], ['b']],
  ])('%j with %j', ([source, flags, found, notFound]) => {
    const search = searchOf(source, flags)
    if (search === undefined) throw new Error('is left to RE2')
    const reference = compileRe2(regexTest(source, flags))
    for (const text of [...found, ...notFound]) {
      expect([text, search(text), reference.test(text)]).toEqual([text, found.includes(text), found.includes(text)])
    }
  })
})

test.for<[source: string, flags: string]>([
  [String.raw`\pL`, ''], [String.raw`\Qa\E`, ''], [String.raw`\x{61}`, ''], [String.raw`\07`, ''], ['[[:alpha:]]', ''],
  ['(?U)a+', ''], ['(?P<name>a)', ''], ['a(?i)*', ''], ['é', 'i'], ['[a-ÿ]', 'i'], ['x{01}', ''],
  ['(?:a{1000}){2}', ''], ['(((a{30}){30}){30}){30}', ''], ['('.repeat(51) + ')'.repeat(51), ''],
  // What RE2 refuses, so that its words are heard.
  ['a**', ''], ['*', ''], ['(', ''], [')', ''], ['[a', ''], ['[b-a]', ''], ['a{2,1}', ''], ['a{1001}', ''], [String.raw`\y`, ''],
  ['(?=a)', ''], ['(?<!a)', ''], ['\\', ''],
])('%j is left to RE2', ([source, flags]) => {
  expect(searchOf(source, flags)).toBeUndefined()
})

test.for<[source: string, text: string, answer: boolean | undefined]>([
  ['[bc]d?', 'aé', undefined],
  ['[bc]d?', 'abé', true],
  ['^[bc]', 'aé', false],
  ['xb+', 'é', false],
  ['xb+', 'éxb', true],
  ['[é]b+', 'ab', false],
])('%j in %j, which is not ASCII: %s', ([source, text, answer]) => {
  expect(searchOf(source)?.(text)).toBe(answer)
})

test('a table that is full is begun anew, and one that is full again and again is given up', () => {
  const search = searchOf('(?:a|b)*a[ab]{16}[cd]')
  const reference = /a[ab]{16}[cd]/
  const bits = (seed: number): string => {
    let state = seed
    return Array.from({ length: 4_000 }, () => {
      state = Math.imul(state, 1_103_515_245) + 12_345
      return (state & 0x1_0000) === 0 ? 'a' : 'b'
    }).join('')
  }
  const texts = Array.from({ length: 40 }, (_, i) => bits(i) + (i % 2 === 0 ? 'c' : ''))
  const answers = texts.map((text) => search?.(text))
  const answered = texts.filter((_, i) => answers[i] !== undefined)
  expect(answers.filter((answer) => answer !== undefined)).toEqual(answered.map((text) => reference.test(text)))
  expect(answered.length).toBeGreaterThan(0)
  expect(answers.at(-1)).toBeUndefined()
})

const single = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'k', 'S', '_', '-', ' ', '1', '.') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...String.raw`[ab] [^a] [^a\n] [a-c1] [\w-] [^\s] [\W_] []a] [^]a] [a-] [\]b] [--/] [a-c-e] [\d-z] [^\S\n] [^é]`.split(' '),
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(...String.raw`\s \S \d \D \w \W \t \n \x61 \. \- \_ \\`.split(' ')) },
  { weight: 3, arbitrary: fc.constantFrom(...String.raw`^ $ \b \B \A \z`.split(' ')) },
  { weight: 1, arbitrary: fc.constantFrom(...String.raw`(?i) (?s) (?m) (?-i) (?im-s) { } ] {,2} {01} é \pL \07`.split(' '), '') },
)

const repetition = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 5, arbitrary: fc.constantFrom(...'* + ? {0} {2} {1,3} {0,2} {2,} {0,} *? +? ?? {1,2}? **'.split(' ')) },
)

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 5 },
    fc.tuple(single, repetition).map((parts) => parts.join('')),
    fc.array(tie('expression'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('expression'), tie('expression')).map((parts) => parts.join('|')),
    fc.tuple(fc.constantFrom('(', '(?:', '(?i:', '(?s:', '(?m:', '(?-s:'), tie('expression'), fc.constant(')'), repetition)
      .map((parts) => parts.join('')),
  ),
}))

const flagLetters = fc.subarray(['i', 'm', 's']).map((letters) => letters.join(''))
const texts = fc.string({
  unit: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('a', 'b', 'c', 'A', 'B', 'k', 'K', 'S', '1', '_', ' ', '-', '\n', '\t', '.') },
    { weight: 1, arbitrary: fc.constantFrom('é', 'ſ', '\u212a', '😀', '\ud83d') },
  ),
  maxLength: 14,
})

test(`random expressions are found where RE2 finds them, seed ${seed}`, () => {
  let answeredCount = 0
  fc.assert(fc.property(expression, flagLetters, fc.array(texts, { minLength: 1, maxLength: 6 }), (source, flags, values) => {
    const search = searchOf(source, flags)
    // What is taken is never refused by RE2.
    if (search === undefined) return
    const reference = compileRe2(regexTest(source, flags))
    const found = compileRegex(regexTest(source, flags))
    for (const value of values) {
      const wanted = reference.test(value)
      const answer = search(value)
      if (answer !== undefined) answeredCount++
      expect([value, answer ?? wanted, found(value)]).toEqual([value, wanted, wanted])
    }
  }), { seed, numRuns: 6_000 })
  expect(answeredCount).toBeGreaterThan(5_000)
})
