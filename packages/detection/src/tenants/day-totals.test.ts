import { expect, test } from 'vitest'
import { DayTotals } from './day-totals.ts'

const hourMs = 3_600_000

/** Lets evaluations grow by one at each of these hours, and returns the last day's growth at the last of them. */
function lastDay(hours: readonly number[], nowHour: number): number {
  let evaluations = 0
  const day = new DayTotals(() => new Map([['r', { evaluations, matches: 0 }]]))
  for (const hour of hours) {
    day.roll(hour * hourMs)
    evaluations++
  }
  return day.getLastDay('r', { evaluations, matches: 0 }, nowHour * hourMs).evaluations
}

test.for<[title: string, hours: number[], nowHour: number, answer: number]>([
  ['nothing yet', [], 0, 0],
  ['the current hour', [0, 0.5, 0.9], 0.9, 3],
  ['the hour before', [0, 1], 1, 2],
  ['what is 23 hours old', [0, 23], 23, 2],
  ['not what is a day old', [0, 24], 24, 1],
  ['nothing of a day without events', [0, 1], 40, 0],
  ['each of many hours', Array.from({ length: 100 }, (_, hour) => hour), 99, 24],
  ['a clock that went back', [10, 9, 10], 10, 3],
])('%s', ([, hours, nowHour, answer]) => {
  expect(lastDay(hours, nowHour)).toBe(answer)
})

test('a rule that is new counts from nothing', () => {
  const day = new DayTotals(() => new Map())
  day.roll(0)
  expect(day.getLastDay('r', { evaluations: 5, matches: 2 }, 0)).toEqual({ evaluations: 5, matches: 2 })
})
