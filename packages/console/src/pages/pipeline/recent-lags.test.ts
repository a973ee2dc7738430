import { expect, test } from 'vitest'
import { addLags, chooseLags } from './recent-lags.ts'
import type { LagSample } from './recent-lags.ts'

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString()

/** Reads the lag of a topic at these seconds of a day, one after the other. */
function readAt(rows: readonly (readonly [seconds: number, lag: number])[]): readonly LagSample[] {
  return rows.reduce<readonly LagSample[]>((before, [seconds, lag]) => {
    const topics = [{ name: 'events', consumer_lag: lag, messages_per_second: 0 }]
    return addLags(before, { timestamp: at(seconds), queue: { topics } })
  }, [])
}
const stored = [{ timestamp: at(0), value: 7 }]

test.for<[title: string, rows: readonly (readonly [number, number])[], values: readonly number[]]>([
  ['two samples are too few', [[0, 1], [5, 2]], [7]],
  ['three samples count', [[0, 1], [5, 2], [10, 3]], [1, 2, 3]],
  ['a sample of a minute ago is forgotten', [[0, 1], [5, 2], [10, 3], [60, 4]], [2, 3, 4]],
  ['after a pause there are too few again', [[0, 1], [5, 2], [10, 3], [300, 4]], [7]],
])('%s', ([, rows, values]) => {
  expect(chooseLags(readAt(rows), 'events', stored).map(({ value }) => value)).toEqual(values)
})

test('a topic that was not there lagged by nothing', () => {
  expect(chooseLags(readAt([[0, 1], [5, 2], [10, 3]]), 'another', stored).map(({ value }) => value)).toEqual([0, 0, 0])
})
