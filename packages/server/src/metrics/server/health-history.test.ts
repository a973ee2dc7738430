import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { HealthHistory, forecastDisk } from './health-history.ts'
import type { HealthSample } from './health-history.ts'

const { healthEveryMs, healthSamplesMax, diskWatchedMs } = limits.metrics

test('keeps the longest lag of each minute, and a day of minutes', async () => {
  const history = new HealthHistory(() => Promise.resolve({ residentBytes: 2, heapBytes: 1, disk: { freeBytes: 9 } }))
  for (const [at, loopLagMs] of [[0, 5], [10, 400], [20, 0], [healthEveryMs, 30], [healthEveryMs + 10, 7]] as const) {
    await history.note(at, loopLagMs)
  }
  expect(history.samples.map(({ at, loopLagMs }) => [at, loopLagMs])).toEqual([[0, 5], [healthEveryMs, 400]])
  for (let minute = 2; minute < healthSamplesMax + 5; minute++) await history.note(minute * healthEveryMs, 0)
  expect(history.samples.length).toBe(healthSamplesMax)
  expect(history.samples[0]?.at).toBe(5 * healthEveryMs)
})

const dayMs = 86_400_000
const sampleAt = (at: number, freeBytes: number | undefined): HealthSample => ({
  at, loopLagMs: 0,
  host: { residentBytes: 0, heapBytes: 0, disk: freeBytes === undefined ? undefined : { freeBytes } },
})

test.for<[title: string, samples: readonly HealthSample[], days: number | undefined]>([
  ['nothing was seen', [], undefined],
  ['the disk is not known', [sampleAt(0, undefined), sampleAt(dayMs, undefined)], undefined],
  ['it is watched for less than an hour', [sampleAt(0, 100), sampleAt(diskWatchedMs - 1, 50)], undefined],
  ['it does not fill', [sampleAt(0, 100), sampleAt(dayMs, 100)], undefined],
  ['it empties', [sampleAt(0, 100), sampleAt(dayMs, 101)], undefined],
  ['it fills', [sampleAt(0, 100), sampleAt(dayMs / 2, 10), sampleAt(dayMs, 80)], 4],
  ['it is full', [sampleAt(0, 100), sampleAt(dayMs, 0)], 0],
])('the forecast where %s', ([, samples, days]) => {
  expect(forecastDisk(samples)).toBe(days)
})
