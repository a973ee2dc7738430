import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { measureInterleaved, printRatio } from './measure-rounds.ts'
import { openCorpus } from './open-corpus.ts'
import type { Bench } from './suite.ts'
import { selectRules } from './suites/slope.ts'

const corpus = openCorpus(fileURLToPath(new URL('./nowhere', import.meta.url)))

/** A bench whose clock advances by 1 ms a look. */
function benchOf(rounds: number): Bench {
  let now = 0
  const clock = (): number => now++
  return { corpus, clock, exactClock: clock, heapBytes: () => 0, rounds }
}

test('ways are run in turn, each the same number of rounds', async () => {
  const slowEnough = (): void => {
    // A way that takes longer than a sample is run once in each round.
    for (const endAt = performance.now() + 45; performance.now() < endAt;);
  }
  const order: string[] = []
  const ways = ['a', 'b', 'c'].map((name) => ({ name, run: () => {
    order.push(name)
    slowEnough()
  } }))
  const times = await measureInterleaved(ways, benchOf(3))
  // The third round begins with the third way.
  expect(order.slice(-3)).toEqual(['c', 'a', 'b'])
  expect([...times].map(([name, { length }]) => [name, length])).toEqual([['a', 3], ['b', 3], ['c', 3]])
})

test.for<[above: number[], below: number[], printed: string]>([
  [[2, 4, 6], [1, 2, 2], '2.00 (2.00 to 3.00)'],
  [[1], [4], '0.25 (0.25 to 0.25)'],
])('%j over %j is %s', ([above, below, printed]) => {
  expect(printRatio(above, below)).toBe(printed)
})

test.for<[count: number]>([[1], [3], [4], [7], [8], [23]])('of four rules %i are made', ([count]) => {
  const sources = ['a', 'b', 'c', 'd'].map((path) => ({ path, text: `title: ${path}\n` }))
  const taken = selectRules(sources, count)
  expect(taken).toHaveLength(count)
  expect(new Set(taken.map(({ path }) => path)).size).toBe(count)
  expect(taken.slice(0, 4).every(({ path }) => path?.length === 1)).toBe(true)
})

test('without shared data every slice holds events of the fixtures', async () => {
  expect(corpus.name).toBe('fixtures')
  for (const { read } of corpus.slices) expect((await read()).eventCount).toBeGreaterThan(10_000)
  expect(corpus.compile(corpus.sources).rules.length).toBeGreaterThan(40)
})
