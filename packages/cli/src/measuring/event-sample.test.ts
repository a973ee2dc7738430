import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { readSample, createSample } from './event-sample.ts'
import type { EventSample } from './event-sample.ts'

const textsOf = ({ seen, timed }: EventSample): string[] => [...seen, ...timed].flatMap(({ texts }) => texts)
const event = (number: number): string => `{"n":${number}}`

test.for<[title: string, lines: readonly string[], seen: readonly string[], timed: readonly string[], malformedCount: number]>([
  ['nothing', [], [], [], 0],
  ['one event', [event(1)], [], [event(1)], 0],
  ['an odd number of events', [1, 2, 3].map(event), [event(1)], [event(2), event(3)], 0],
  ['blank lines', ['', event(1), '  ', event(2), ''], [event(1)], [event(2)], 0],
  ['lines that hold no event', ['x', event(1), '[]', event(2)], [event(1)], [event(2)], 2],
])('halves %s', ([, lines, seen, timed, malformedCount]) => {
  const sample = createSample(lines)
  expect(sample.seen.flatMap(({ texts }) => texts)).toEqual(seen)
  expect(sample.timed.flatMap(({ texts }) => texts)).toEqual(timed)
  expect(sample).toMatchObject({ malformedCount, eventCount: seen.length + timed.length, timedCount: timed.length, stride: 1 })
})

test('a block holds the same lines as bytes and as texts, about as many as its bound', () => {
  const lines = Array.from({ length: 30_000 }, (_, number) => `{"text":"ä${number}"}`)
  const sample = createSample(lines)
  expect(textsOf(sample)).toEqual(lines)
  for (const { bytes, texts } of [...sample.seen, ...sample.timed]) {
    expect(Buffer.from(bytes).toString()).toBe(`${texts.join('\n')}\n`)
    expect(bytes.length).toBeLessThan(limits.benchBlockBytesMax + 100)
  }
})

const long = (number: number): string => `{"n":${number},"text":"${'x'.repeat(1_000)}"}`
const manyLines = Array.from({ length: 4_000 }, (_, number) => long(number))
const chunks = [Buffer.from(manyLines.join('\n'))]
const numbersOf = (sample: EventSample): number[] => textsOf(sample).map((text) => Number(/\d+/.exec(text)?.[0]))

test.for<[mebibytes: number, stride: number]>([
  [8, 1],
  [3, 2],
  [1.5, 4],
])('at most %d MiB keep one of %i blocks of a longer input', async ([mebibytes, stride]) => {
  const sample = await readSample(chunks, () => {}, mebibytes * 1_048_576)
  const numbers = numbersOf(sample)
  const size = sample.seen.concat(sample.timed).reduce((sum, { bytes }) => sum + bytes.length, 0)
  expect(sample.stride).toBe(stride)
  expect(size).toBeLessThanOrEqual(mebibytes * 1_048_576)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(numbers[0]).toBe(0)
  expect(numbers.at(-1)).toBeGreaterThan(2_900)
})

test('a line that is too long is left out', async () => {
  const lines = [event(1), 'x'.repeat(limits.lineBytesMax + 1), event(2)].map((line) => Buffer.from(`${line}\n`))
  expect(textsOf(await readSample(lines))).toEqual([event(1), event(2)])
})
