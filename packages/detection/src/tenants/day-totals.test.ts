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

/** Lets matches grow by one at each of these hours, and returns those of the last 24, without the leading zeros. */
function hourly(hours: readonly number[], nowHour: number): readonly number[] {
  let matches = 0
  const day = new DayTotals(() => new Map([['r', { evaluations: 0, matches }]]))
  for (const hour of hours) {
    day.roll(hour * hourMs)
    matches++
  }
  const found = day.getHourlyMatches('r', { evaluations: 0, matches }, nowHour * hourMs)
  expect(found.length).toBe(24)
  const first = found.findIndex((count) => count > 0)
  return first === -1 ? [] : found.slice(first)
}

test.for<[title: string, hours: number[], nowHour: number, answer: number[]]>([
  ['no match', [], 0, []],
  ['matches of the current hour', [5, 5.5, 5.9], 5.9, [3]],
  ['hours without events are empty', [5, 5.5, 8], 9, [2, 0, 0, 1, 0]],
  ['what is a day old is forgotten', [0, 1, 24], 24, [1, ...Array<number>(22).fill(0), 1]],
  ['nothing of a day without events', [0, 1], 40, []],
  ['a clock that went back counts in the open hour', [10, 9, 10], 10, [3]],
])('by hour: %s', ([, hours, nowHour, answer]) => {
  expect(hourly(hours, nowHour)).toEqual(answer)
})

test('by hour, a rule that is new counts from nothing', () => {
  const day = new DayTotals(() => new Map())
  day.roll(0)
  expect(day.getHourlyMatches('r', { evaluations: 5, matches: 2 }, 0).at(-1)).toBe(2)
})
