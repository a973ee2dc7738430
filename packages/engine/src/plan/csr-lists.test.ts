import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsrLists } from './csr-lists.ts'

function listsOf(lists: CsrLists, size: number): number[][] {
  return Array.from({ length: size }, (_, list) => {
    const numbers: number[] = []
    lists.forEach(list, (number) => numbers.push(number))
    return numbers
  })
}

describe('NumberLists.inverse', () => {
  test.for<[lists: number[][], inverse: number[][]]>([
    [[], []],
    [[[], []], []],
    [[], [[], []]],
    [[[0, 2], [2], [2, 0]], [[0, 2], [], [0, 1, 2]]],
    [[[1, 1]], [[], [0, 0]]],
  ])('of %j is %j', ([lists, inverse]) => {
    expect(listsOf(CsrLists.invert(lists, inverse.length), inverse.length)).toEqual(inverse)
  })

  test('agrees with a search of every list', () => {
    const size = 6
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(size - 1), { maxLength: 5 }), { maxLength: 8 }), fc.nat(9), (lists, wanted) => {
        const inverse = CsrLists.invert(lists, size)
        const want = Array.from({ length: size }, (_, number) => (
          lists.flatMap((list, place) => list.filter((one) => one === number).map(() => place))
        ))
        expect(listsOf(inverse, size)).toEqual(want)
        for (const [number, places] of want.entries()) {
          expect(inverse.getLength(number)).toBe(places.length)
          expect(inverse.some(number, (place) => place === wanted)).toBe(places.includes(wanted))
        }
      }),
      { numRuns: 500 },
    )
  })
})
