import { expect, test } from 'vitest'
import { getDueAt, getRiskAction, listBlindSpots } from './exposure.ts'

const dayMs = 86_400_000

test.for<[score: number, action: string, dueDays: number | undefined]>([
  [0, 'next_cycle', undefined], [999, 'next_cycle', undefined], [1_000, 'within_30_days', 30], [4_999, 'within_30_days', 30],
  [5_000, 'within_7_days', 7], [9_999, 'within_7_days', 7], [10_000, 'immediate', 0], [181_622, 'immediate', 0],
])('a score of %s', ([riskScore, action, dueDays]) => {
  const scanned = 5 * dayMs
  const dueAt = getDueAt({ riskScore, lastScanAt: scanned })
  expect([getRiskAction(riskScore), dueAt === undefined ? undefined : (dueAt - scanned) / dayMs]).toEqual([action, dueDays])
  expect(getDueAt({ riskScore, lastScanAt: undefined })).toBeUndefined()
})

test.for<[lastLogAt: number | undefined, lastScanAt: number | undefined, spots: string]>([
  [undefined, undefined, 'no_logs no_scan'], [10 * dayMs, 10 * dayMs, ''], [9 * dayMs, 3 * dayMs, ''],
  [9 * dayMs - 1, 3 * dayMs - 1, 'no_logs no_scan'], [10 * dayMs, undefined, 'no_scan'], [undefined, 10 * dayMs, 'no_logs'],
  // A clock that is ahead.
  [11 * dayMs, 11 * dayMs, ''],
])('logs at %s, a scan at %s', ([lastLogAt, lastScanAt, spots]) => {
  expect(listBlindSpots({ lastLogAt, lastScanAt }, 10 * dayMs).join(' ')).toBe(spots)
})
