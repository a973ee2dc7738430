import { describe, expect, test } from 'vitest'
import { ChainLengths, TermChains } from './chains.ts'

/** Members and when they came. */
type Seen = readonly (readonly [member: number, at: number])[]

describe('chains of lists of members', () => {
  test.for<[title: string, seen: Seen, starts: number[], hasChain: boolean, oldest: number]>([
    ['nothing', [], [-Infinity, -Infinity], false, Infinity],
    ['a part of the first', [[0, 5]], [-Infinity, -Infinity], false, 5],
    ['the whole first', [[0, 5], [1, 7]], [5, -Infinity], true, 5],
    ['the first out of order', [[1, 5], [0, 7]], [-Infinity, -Infinity], false, 7],
    ['the latest beginning counts', [[0, 5], [0, 6], [1, 7]], [6, -Infinity], true, 6],
    ['a later beginning does not count for what came before it', [[0, 5], [1, 7], [0, 8]], [5, -Infinity], true, 5],
    ['an earlier one than before is no news', [[0, 6], [1, 7], [0, 4], [1, 9]], [6, -Infinity], true, 6],
    ['a list of one', [[2, 3]], [-Infinity, 3], true, 3],
    ['both', [[2, 9], [0, 4], [1, 5]], [4, 9], true, 4],
  ])('%s', ([, seen, starts, hasChain, oldest]) => {
    const chains = new TermChains([[0, 1], [2]])
    for (const [member, at] of seen) chains.add(0, member, at)
    expect([chains.startOf(0, 0), chains.startOf(0, 1)]).toEqual(starts)
    expect(chains.hasChain(0)).toBe(hasChain)
    expect(chains.oldestAt(0)).toBe(oldest)
    // Another group saw nothing.
    expect(chains.hasChain(1)).toBe(false)
  })

  test('an empty list never has a chain', () => {
    const chains = new TermChains([[], [0]])
    chains.add(0, 0, 1)
    expect([chains.startOf(0, 0), chains.startOf(0, 1)]).toEqual([-Infinity, 1])
  })

  test.for<[until: number, isInclusive: boolean, start: number]>([
    [4, true, 5], [5, false, 5], [5, true, -Infinity], [6, false, -Infinity],
  ])('a chain that began at 5 expires until %s, inclusive %s: %s', ([until, isInclusive, start]) => {
    const chains = new TermChains([[0]])
    for (const group of [0, 1]) chains.add(group, 0, 5)
    chains.expire(1, until, isInclusive)
    expect(chains.startOf(1, 0)).toBe(start)
    expect(chains.startOf(0, 0)).toBe(5)
  })

  test('many groups keep their own, and a saved group is loaded as another', () => {
    const chains = new TermChains([[0, 1]])
    for (let group = 0; group < 100; group++) {
      chains.add(group, 0, group)
      chains.add(group, 1, group + 1)
    }
    expect(Array.from({ length: 100 }, (_, group) => chains.startOf(group, 0))).toEqual(Array.from({ length: 100 }, (_, group) => group))
    const cells: (number | string)[] = []
    chains.save(42, cells as never)
    const loaded = new TermChains([[0, 1]])
    loaded.load(0, { number: () => cells.shift() } as never)
    expect(loaded.startOf(0, 0)).toBe(42)
    expect(chains.byteLength).toBeGreaterThan(loaded.byteLength)
  })
})

test.for<[seen: Seen, longest: number]>([
  [[], 0],
  [[[2, 1]], 1],
  [[[0, 1], [2, 2]], 2],
  [[[0, 1], [1, 2], [2, 3]], 3],
  [[[2, 1], [1, 2], [0, 3]], 1],
  [[[1, 1], [0, 2], [2, 3]], 2],
])('the longest chain of any members in order: %j has %s', ([seen, longest]) => {
  const chains = new ChainLengths(3)
  for (const [member, at] of seen) chains.add(0, member, at)
  expect(chains.longest(0)).toBe(longest)
})
