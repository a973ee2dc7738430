import { expect, test } from 'vitest'
import { LineSplitter } from './line-splitter.ts'

/** Splits the chunks with a limit of 8 bytes; a line over it is shown as `null`. */
function linesOf(chunks: readonly string[]): (string | null)[] {
  const splitter = new LineSplitter(8)
  const whole = chunks.flatMap((chunk) => Array.from(splitter.split(Buffer.from(chunk))))
  const lines = [...whole, ...splitter.end()]
  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, i) => i))
  return lines.map(({ bytes }) => bytes?.toString() ?? null)
}

test.for<[title: string, chunks: string[], lines: (string | null)[]]>([
  ['gives nothing for nothing', [], []],
  ['gives the last line without its line feed', ['a\nb'], ['a', 'b']],
  ['gives no line after the last line feed', ['a\nb\n'], ['a', 'b']],
  ['keeps empty lines, for they count', ['\n\na\n'], ['', '', 'a']],
  ['joins a line from several chunks', ['a', 'b', 'c\nd', 'e\n'], ['abc', 'de']],
  ['splits a line feed of its own', ['ab', '\n', 'c'], ['ab', 'c']],
  ['takes a line of exactly the limit', ['12345678\n'], ['12345678']],
  ['passes over a line above the limit', ['123456789\na\n'], [null, 'a']],
  ['passes over it in pieces too', ['12345', '6789', '0123', '\na'], [null, 'a']],
  ['passes over it at the end too', ['a\n12345', '6789'], ['a', null]],
])('%s', ([, chunks, lines]) => {
  expect(linesOf(chunks)).toEqual(lines)
})
