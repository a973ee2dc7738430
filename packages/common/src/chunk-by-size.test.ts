import { expect, test } from 'vitest'
import { chunkBySize } from './chunk-by-size.ts'

test.for<[lengths: number[], slices: number[][]]>([
  [[], []],
  [[1], [[1]]],
  [[1, 1, 1], [[1, 1, 1]]],
  [[1, 1, 1, 1], [[1, 1, 1], [1]]],
  [[5, 5], [[5, 5]]],
  [[5, 6], [[5], [6]]],
  [[11], [[11]]],
  [[11, 1, 11, 1], [[11], [1], [11], [1]]],
  [[0, 0, 0, 0, 0, 0], [[0, 0, 0], [0, 0, 0]]],
])('%j, three items or ten bytes at once: %j', ([lengths, slices]) => {
  expect([...chunkBySize(lengths, { itemsMax: 3, bytesMax: 10 }, (length) => length)]).toEqual(slices)
})
