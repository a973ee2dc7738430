import { expect, test } from 'vitest'
import { averageRuns } from './average-runs.ts'

test.for<{ readonly values: readonly number[]; readonly countMax: number; readonly expected: readonly number[] }>([
  { values: [], countMax: 3, expected: [] },
  { values: [1, 2, 3], countMax: 3, expected: [1, 2, 3] },
  { values: [1, 3, 5, 7], countMax: 2, expected: [2, 6] },
  { values: [9, 1, 3, 5, 7], countMax: 3, expected: [9, 2, 6] },
  { values: [4, 4, 4], countMax: 1, expected: [4] },
])('$values in at most $countMax', ({ values, countMax, expected }) => {
  expect(averageRuns(values, countMax)).toEqual(expected)
})
