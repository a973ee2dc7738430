import { expect, test } from 'vitest'
import { parseInstant, parseNanos } from './parse-time.ts'
import type { Scalar } from './value.ts'

const noon = Date.UTC(2026, 10, 21, 12, 0, 0)

test.for<[value: Scalar, instant: number | undefined]>([
  ['2026-11-21T12:00:00Z', noon],
  ['2026-11-21T12:00:00.250Z', noon + 250],
  ['2026-11-21T12:00:00.2509999Z', noon + 250],
  ['2026-11-21 12:00:00.250', noon + 250],
  ['2026-11-21T12:00:00,5', noon + 500],
  ['2026-11-21T13:30:00+01:30', noon],
  ['2026-11-21T07:00:00-0500', noon],
  ['2026-11-21T12:00', noon],
  ['2026-11-21', noon - 43_200_000],
  ['2026-11-21T11:59:60Z', noon],
  [noon, noon],
  [noon / 1_000, noon],
  [noon / 1_000 + 0.25, noon + 250],
  [noon * 1_000, noon],
  [noon * 1_000_000, noon],
  [String(noon), noon],
  [`${noon / 1_000}.750`, noon + 750],
  [0, 0],
  [-1, -1_000],
  ['2026-02-30T00:00:00Z', undefined],
  ['2026-11-21T24:00:00Z', undefined],
  ['yesterday', undefined],
  ['', undefined],
  [null, undefined],
  [true, undefined],
  [Number.NaN, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  [1e300, undefined],
  [`2026-11-21${' '.repeat(100)}`, undefined],
])('parses %j to %j', ([value, instant]) => {
  expect(parseInstant(value)).toBe(instant)
})

test.for<[value: Scalar, nanos: number]>([
  ['2026-11-21T12:00:00.250Z', 0],
  ['2026-11-21T12:00:00.2509999Z', 999_900],
  ['2026-11-21T12:00:00.250000001Z', 1],
  ['2026-11-21 12:00:00.250001', 1_000],
  ['2026-11-21T12:00:00,250001+01:30', 1_000],
  ['2026-11-21T12:00:00.25Z', 0],
  [String(noon), 0],
  [`${noon}123`, 123_000],
  [`${noon}123456`, 123_456],
  [noon * 1_000 + 123, 123_000],
  [noon / 1_000 + 0.000_25, 250_000],
  [noon + 0.25, 250_000],
  ['yesterday, or long before', 0],
  [true, 0],
])('%s states %s nanoseconds beyond its milliseconds', ([value, nanos]) => {
  expect(parseNanos(value)).toBe(nanos)
})
