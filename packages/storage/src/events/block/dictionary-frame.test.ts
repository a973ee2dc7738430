import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldCase, collectLeafTexts } from '@tripline/engine/evaluate'
import { encodeDictionary } from './dictionary.ts'
import { DictionaryFrame } from './dictionary-frame.ts'
import { parseToken, toSearchableTexts } from './json-literal.ts'

const seed = Number(process.env['TRIPLINE_SEED'] ?? 20_261_121)

/** Dictionaries in one frame, each behind another part. */
function frameOf(columns: readonly (readonly string[])[], between = 'abc'): DictionaryFrame {
  const parts: Buffer[] = []
  let offset = 0
  const places = columns.map((tokens, i) => {
    const bytes = encodeDictionary(tokens)
    parts.push(Buffer.from(between), bytes)
    offset += between.length + bytes.length
    return { pathKey: `${i}`, offset: offset - bytes.length, length: bytes.length }
  })
  return new DictionaryFrame(Buffer.concat(parts), places)
}

function columnsWith(columns: readonly (readonly string[])[], text: string): string {
  const found = new Set<string>()
  frameOf(columns).addMatchingColumns(toSearchableTexts([text])!, found)
  return [...found].sort().join(' ')
}

test.for<[text: string, columns: readonly (readonly string[])[], found: string]>([
  ['abc', [['"x"'], ['"y"', '"xABCx"'], ['"abc"', '"abc"']], '1 2'],
  ['c:\\w', [['"C:\\\\Windows"'], ['"C:Windows"']], '0'],
  ['say "hi"', [['"Say \\"Hi\\""'], ['"say hi"']], '0'],
  ['4625', [['4625'], ['14625'], ['462', '7']], '0 1'],
  ['lead', [['["plumbum","Lead"]'], ['[{"metal":"lead"}]'], ['["gold"]']], '0 1'],
  ['1', [['[1.0]'], ['[2]'], ['1e3']], '0 2'],
  ['k', [['"\u00e2\u0084\u00aa"'], ['"\u00c3\u00a9"']], '0'],
  ['x', [['"\\u0078"'], ['["\\/"]'], ['"y"']], '0 1'],
])('finds the columns with %s', ([text, columns, found]) => {
  expect(columnsWith(columns, text)).toBe(found)
})

test(`finds every column that has a leaf with a text (seed ${seed})`, () => {
  const letter = fc.constantFrom('a', 'B', 'k', '1', '\\', '"', '\n', 'é', '\u212a', '\u017f', '😀')
  const word = fc.string({ unit: letter, maxLength: 5 })
  const scalar = fc.oneof(word, fc.constantFrom(0, -0, 10, 1.5, 1e21, 1e-7, 12345678901, true, null))
  const list = fc.array(fc.oneof(scalar, fc.record({ a: scalar })), { maxLength: 3 })
  const token = fc.oneof(
    fc.oneof(scalar, list).map((value) => JSON.stringify(value)),
    fc.constantFrom('1.0', '1e2', '-0', '"\\u0061"', '[1.50]', '["\\u212a"]', '"\\/"'),
  ).map((text) => Buffer.from(text, 'utf8').toString('latin1'))
  const needle = fc.oneof(word, fc.constantFrom('0', '1', 'ak', '1.5', 'true', 'e+2')).map(foldCase)
  fc.assert(fc.property(fc.array(fc.uniqueArray(token, { maxLength: 4 }), { maxLength: 5 }), needle, (columns, text) => {
    const written = toSearchableTexts([text])
    if (written === undefined) return
    const found = new Set<string>()
    frameOf(columns).addMatchingColumns(written, found)
    const holding = columns.flatMap((tokens, i) => {
      return tokens.some((one) => collectLeafTexts({ a: parseToken(one) }).some((leaf) => foldCase(leaf).includes(text))) ? [`${i}`] : []
    })
    expect(holding.filter((pathKey) => !found.has(pathKey))).toEqual([])
  }), { seed, numRuns: 2_000 })
})
