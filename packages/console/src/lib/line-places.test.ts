import { expect, test } from 'vitest'
import { findLine, listLines, placeLines, scrollToLine } from './line-places.ts'

const tops = placeLines([10, 30, 10, 50])

test('lines stand one below the other', () => {
  expect(tops).toEqual([0, 10, 40, 50, 100])
  expect(placeLines([])).toEqual([0])
})

test.for([[0, 0], [9, 0], [10, 1], [39, 1], [40, 2], [50, 3], [100, 3], [1_000, 3]] as const)('at %i is line %i', ([position, line]) => {
  expect(findLine(tops, position)).toBe(line)
})

test('what is on screen is rendered, with a few lines around it', () => {
  const many = placeLines(Array.from({ length: 1_000 }, () => 20))
  const shown = listLines(many, 2_000, 200)
  expect([shown[0], shown.at(-1), shown.length]).toEqual([94, 116, 23])
  expect(listLines(many, 0, 40)[0]).toBe(0)
  expect(listLines(many, 20_000, 40).at(-1)).toBe(999)
  expect(listLines([0], 0, 100)).toEqual([])
})

test.for<[line: number, scrollTop: number, height: number, to: number]>([
  [0, 20, 40, 0],
  [1, 0, 60, 0],
  [2, 0, 40, 10],
  [3, 0, 60, 40],
  [3, 0, 40, 50],
])('line %i from %i in a window of %i: %i', ([line, scrollTop, height, to]) => {
  expect(scrollToLine(tops, line, scrollTop, height)).toBe(to)
})
