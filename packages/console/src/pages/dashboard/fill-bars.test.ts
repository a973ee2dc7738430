import { expect, test } from 'vitest'
import { fillBars } from './fill-bars.ts'

const minute = (count: number): string => new Date(count * 60_000).toISOString()
const starts = [10, 12, 14].map((count) => count * 60_000)
const change = (at: number, title: string) => {
  return { at: minute(at), kind: 'rule', action: 'rule.update', title, by: null, link: null } as const
}

test('each bar has the mean rate of its time and its changes; what is outside of all bars is left out', () => {
  const rates = [[9, 100], [10, 2], [11, 4], [14, 7], [16, 100]].map(([at = 0, value = 0]) => ({ timestamp: minute(at), value }))
  const changes = [change(9, 'before'), change(11, 'first'), change(13, 'second'), change(17, 'after')]
  const strips = fillBars(starts, 120_000, { rates, rateMs: 60_000, changes })
  expect(strips.map(({ rate }) => rate)).toEqual([3, undefined, 7])
  expect(strips.map(({ changes: own }) => own.map(({ title }) => title))).toEqual([['first'], ['second'], []])
})

test('a rate is that of each bar of its time, where these are shorter', () => {
  const halves = [10, 10.5, 11, 11.5, 12, 12.5].map((count) => count * 60_000)
  const rates = [[9, 5], [10, 2], [12, 4]].map(([at = 0, value = 0]) => ({ timestamp: minute(at), value }))
  const strips = fillBars(halves, 30_000, { rates, rateMs: 60_000, changes: [] })
  expect(strips.map(({ rate }) => rate)).toEqual([2, 2, undefined, undefined, 4, 4])
})

test('a rate is of the bar in which most of its time lies', () => {
  const rates = [[8.5, 1], [9.5, 7], [13.5, 3]].map(([at = 0, value = 0]) => ({ timestamp: minute(at), value }))
  expect(fillBars(starts, 120_000, { rates, rateMs: 110_000, changes: [] }).map(({ rate }) => rate)).toEqual([7, undefined, 3])
})

test('without bars nothing is sorted', () => {
  expect(fillBars([], 0, { rates: [{ timestamp: minute(1), value: 1 }], rateMs: 60_000, changes: [change(1, 'one')] })).toEqual([])
})
