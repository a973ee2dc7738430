import { expect, test } from 'vitest'
import { packAsciiWords } from './ascii-swar.ts'

/** The words of a text as characters again; undefined where there are none. */
function laidOut(text: string): string | undefined {
  const words = packAsciiWords(text)
  if (words === undefined) return undefined
  const units = Array.from({ length: text.length - (text.length % 4) }, (_, i) => (words[i >> 2]! >>> (8 * (i % 4))) & 0xff)
  return String.fromCharCode(...units)
}

test.for<[what: string, text: string, words: string | undefined]>([
  ['whole words', 'C:\\Windows\\x', 'C:\\Windows\\x'],
  ['a rest', 'abcdefg', 'abcd'],
  ['nothing', '', ''],
  ['a zero character', 'ab\u0000d', 'ab\u0000d'],
  ['a letter that is not ASCII', 'abcé', undefined],
  ['half a surrogate pair', 'abc\ud800', undefined],
  ['a text that is too long', 'x'.repeat(65_537), undefined],
])('packs %s', ([, text, words]) => {
  expect(laidOut(text)).toBe(words)
})
