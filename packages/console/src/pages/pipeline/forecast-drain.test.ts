import { expect, test } from 'vitest'
import { forecastDrain } from './forecast-drain.ts'
import type { Drain } from './forecast-drain.ts'

/** Lags at the end of each minute. */
function toPoints(values: readonly number[]): { readonly timestamp: string; readonly value: number }[] {
  return values.map((value, minute) => ({ timestamp: new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString(), value }))
}

test.for<{ readonly title: string; readonly now: number; readonly lags: readonly number[]; readonly expected: Drain }>([
  { title: 'no backlog', now: 0, lags: [500, 100], expected: { kind: 'empty' } },
  { title: 'a backlog without a past', now: 10, lags: [], expected: { kind: 'steady' } },
  { title: 'a backlog with one measurement', now: 10, lags: [10], expected: { kind: 'steady' } },
  { title: 'a backlog that stays', now: 1_000, lags: [1_000, 1_010, 990, 1_000], expected: { kind: 'steady' } },
  {
    title: 'a backlog that shrinks by 600 a minute',
    now: 1_200,
    lags: [3_000, 2_400, 1_800],
    expected: { kind: 'drains', seconds: 120 },
  },
  { title: 'a backlog that grows by 60 a minute', now: 240, lags: [60, 120, 180], expected: { kind: 'grows', perSecond: 1 } },
  {
    title: 'only the last minutes count',
    now: 100,
    lags: [9_000, 9_000, 9_000, 500, 400, 300, 200, 100],
    expected: { kind: 'drains', seconds: 60 },
  },
])('$title', ({ now, lags, expected }) => {
  const drain = forecastDrain(now, toPoints(lags))
  expect(drain.kind).toBe(expected.kind)
  if (drain.kind === 'drains' && expected.kind === 'drains') expect(drain.seconds).toBeCloseTo(expected.seconds)
  if (drain.kind === 'grows' && expected.kind === 'grows') expect(drain.perSecond).toBeCloseTo(expected.perSecond)
})
