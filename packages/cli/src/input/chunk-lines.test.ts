import { assert, asyncProperty, array, integer, constantFrom } from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { chunkLines } from './chunk-lines.ts'

/** The lines of all pieces; one over the limit is shown as `null`. Lines of a piece end with it. */
async function linesOf(chunks: readonly (string | Buffer)[]): Promise<(string | null)[]> {
  const lines: (string | null)[] = []
  for await (const { bytes, endsWithLongLine } of chunkLines(chunks.map((chunk) => Buffer.from(chunk)))) {
    const texts = Buffer.from(bytes).toString().split('\n')
    if (texts.at(-1) === '') texts.pop()
    lines.push(...texts.slice(0, endsWithLongLine ? -1 : undefined))
    if (endsWithLongLine) lines.push(null)
  }
  return lines
}

/** How many bytes each piece has. */
async function sizesOf(chunks: readonly (string | Buffer)[]): Promise<number[]> {
  const sizes: number[] = []
  for await (const { bytes } of chunkLines(chunks.map((chunk) => Buffer.from(chunk)))) sizes.push(bytes.length)
  return sizes
}

const long = 'x'.repeat(limits.lineBytesMax)

test.for<[title: string, chunks: string[], lines: (string | null)[]]>([
  ['gives nothing for nothing', [], []],
  ['gives the last line without its line feed', ['a\nb'], ['a', 'b']],
  ['gives no line after the last line feed', ['a\nb\n'], ['a', 'b']],
  ['keeps empty lines, for they count', ['\n\na\n'], ['', '', 'a']],
  ['joins a line from several chunks', ['a', 'b', 'c\nd', 'e\n'], ['abc', 'de']],
  ['splits a line feed of its own', ['ab', '\n', 'c'], ['ab', 'c']],
])('%s', async ([, chunks, lines]) => {
  expect(await linesOf(chunks)).toEqual(lines)
})

test.for<[title: string, chunks: string[], lines: (string | null)[]]>([
  ['takes a line of exactly the limit', [`${long}\na\n`], [long, 'a']],
  ['takes it at the end too', [`a\n${long}`], ['a', long]],
  ['passes over a line above the limit', [`a\n${long}x\nb\n\nc`], ['a', null, 'b', '', 'c']],
  ['passes over it at the end too', [`a\n${long}x`], ['a', null]],
  ['passes over it at the end with its line feed', [`a\n${long}x\n`], ['a', null]],
  ['passes over several in a row', [`${long}x\n${long}${long}\n${long}x\na`], [null, null, null, 'a']],
  ['passes over one whose end begins a chunk', [`${long}x`, '\na\n'], [null, 'a']],
])('%s', async ([, chunks, lines]) => {
  // Whole, and in chunks that cut everywhere else.
  expect(await linesOf(chunks)).toEqual(lines)
  const bytes = Buffer.from(chunks.join(''))
  const starts = Array.from({ length: Math.ceil(bytes.length / 65_537) }, (_, index) => index * 65_537)
  expect(await linesOf(starts.map((start) => bytes.subarray(start, start + 65_537)))).toEqual(lines)
})

test('ends a piece with its chunk, and cuts large chunks', async () => {
  expect(await sizesOf(['a\nb\n', 'c\n', 'd', 'e\nf'])).toEqual([4, 2, 3, 1])
  const lines = Buffer.from('0123456\n'.repeat((3 * limits.pieceBytesMax) / 8))
  expect(await sizesOf([lines])).toEqual(Array(3).fill(limits.pieceBytesMax))
})

test('keeps every line wherever the input is cut', async () => {
  const anyLines = array(constantFrom('', 'a', 'bc', '\r'))
  const anyPlaces = array(integer({ min: 0, max: 12 }))
  await assert(asyncProperty(anyLines, anyPlaces, async (lines, cuts) => {
    const text = lines.map((line) => `${line}\n`).join('')
    const places = [0, ...cuts.filter((place) => place < text.length).toSorted((a, b) => a - b), text.length]
    expect(await linesOf(places.slice(1).map((end, index) => text.slice(places[index], end)))).toEqual(lines)
  }))
})
