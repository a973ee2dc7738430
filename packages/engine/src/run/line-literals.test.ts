import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldCase } from '../event/fold-case.ts'
import { extractLineLiterals } from './line-literals.ts'

const seed = 20_261_122

function literalsOf(...texts: string[]): readonly string[] | undefined {
  const needles = texts.map((text) => ({ field: undefined, kind: 'text', anchor: 'anywhere', text } as const))
  return extractLineLiterals(needles)?.map((literal) => String.fromCharCode(...literal))
}

test.for<[texts: string[], literals: string[] | undefined]>([
  [['mimikatz'], ['mimikatz']],
  [['abc'], ['abc']],
  [['ab'], undefined],
  [['mimikatz', 'ab'], undefined],
  [['mimikatz', 'mimikatz'], ['mimikatz']],
  [[String.raw`c:\windows\temp`], ['windows']],
  [[String.raw`a\b\c`], undefined],
  [['say "hello"'], ['hello']],
  [['abc\ndefg'], ['defg']],
  [['éabcé'], ['abc']],
  [['same length', 'other length'], ['same length', 'other length']],
  [['0123456789abcdefg'], ['0123456789abcdef']],
  [['4688'], undefined],
  [['-1.5e10'], undefined],
  [['e--'], undefined],
  [['4688 x'], ['4688 x']],
  [['true'], ['true']],
  [[], []],
])('of %j the literals are %j', ([texts, literals]) => {
  expect(literalsOf(...texts)).toEqual(literals)
})

test('a number that is looked for has no literal', () => {
  expect(extractLineLiterals([{ field: undefined, kind: 'number', value: 4688 }])).toBeUndefined()
})

test(`where a text is in a leaf, its literal is in the line, seed ${seed}`, () => {
  const pieces = ['a', 'bc', 'Foo', ' ', '\\', '"', '/', '\n', 'é', '\u007f', '~', '!', '1', '2e5', '-', '😀', '\0']
  const someText = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((some) => some.join(''))
  let literalCount = 0
  fc.assert(fc.property(someText, someText, someText, fc.boolean(), (before, text, after, isNested) => {
    const leaf = `${before}${text}${after}`
    const line = foldCase(JSON.stringify(isNested ? { a: [{ b: leaf }] } : { a: leaf }))
    for (const literal of literalsOf(foldCase(text)) ?? []) {
      literalCount++
      expect(line).toContain(literal)
    }
  }), { seed, numRuns: 2_000 })
  expect(literalCount).toBeGreaterThan(200)
})
