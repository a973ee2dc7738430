import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareState } from './share-state.ts'

test.for<[title: string, held: readonly number[], totalMax: number, shares: readonly (number | undefined)[]]>([
  ['who holds nothing', [], 10, []],
  ['all that fits', [4, 6], 10, [undefined, undefined]],
  ['one that is too large', [1, 20], 10, [undefined, 9]],
  ['what the small ones leave, equally', [1, 20, 30, 3], 10, [undefined, 3, 3, undefined]],
  ['equal ones', [5, 5, 5], 9, [3, 3, 3]],
  ['more of them than there is room', [1, 1, 1], 2, [0, 0, 0]],
])('shares %s', ([, held, totalMax, shares]) => {
  const found = shareState(new Map(held.entries()), totalMax)
  expect(held.map((_, place) => found.get(place))).toEqual(shares)
})

test('no tenant that holds less than a share loses any, and the shares fill the room', () => {
  fc.assert(fc.property(fc.array(fc.nat(1_000), { maxLength: 20 }), fc.nat(5_000), (sizes, totalMax) => {
    const shares = shareState(new Map(sizes.entries()), totalMax)
    const left = sizes.map((size, place) => shares.get(place) ?? size)
    const sum = left.reduce((total, size) => total + size, 0)
    expect(sum).toBeLessThanOrEqual(Math.max(totalMax, 0))
    if (shares.size === 0) return
    expect(new Set(shares.values()).size).toBe(1)
    const [share = 0] = shares.values()
    for (const [place, size] of sizes.entries()) expect(left[place]).toBe(Math.min(size, share))
    expect(totalMax - sum).toBeLessThan(sizes.length)
  }), { seed: 20261122 })
})
