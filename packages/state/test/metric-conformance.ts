import { LatencyHistogram } from '@tripline/common/latency-histogram'
import { resolutions } from '@tripline/model/metric'
import type { MetricPoint, Resolution } from '@tripline/model/metric'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MetricStore } from '../src/ports/metric-store.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const forever = { from: -100 * day, to: 1e14 }

/** Points of a minute, as rows: counts, peaks and durations in milliseconds. */
const counted = (startsAt: number, value: number, label = ''): MetricPoint => {
  return { kind: 'count', name: 'topic_messages', label, startsAt, value }
}
const highest = (startsAt: number, value: number): MetricPoint => {
  return { kind: 'peak', name: 'consumer_lag', label: 'alerts', startsAt, value }
}
const took = (at: number, lengthsMs: readonly number[]): MetricPoint => {
  const histogram = new LatencyHistogram()
  for (const lengthMs of lengthsMs) histogram.add(lengthMs)
  return { kind: 'histogram', name: 'normalization', label: '', startsAt: at, histogram: histogram.data() }
}

/** The behaviour of every metric store; tenants 'a' and 'b' exist, and 'b' has no metrics. */
export function describeMetrics(open: () => MetricStore): void {
  const valuesOf = async (name: 'topic_messages' | 'consumer_lag' | 'normalization', resolution: Resolution, tenant = 'b') =>
    (await open().series(tenant, { name, resolution, ...forever })).map(({ startsAt, label, value }) => [startsAt, label, value])

  test.for<[resolution: Resolution, buckets: (readonly [number, string, number])[]]>([
    ['minute', [[0, '', 3], [minute, '', 4], [5 * minute, '', 5], [hour, '', 6]]],
    ['fiveMinutes', [[0, '', 7], [5 * minute, '', 5], [hour, '', 6]]],
    ['hour', [[0, '', 12], [hour, '', 6]]],
  ])('counts by %s', async ([resolution, buckets]) => {
    await open().record('b', [counted(0, 1), counted(minute, 4), counted(5 * minute, 5)])
    await open().record('b', [counted(0, 2), counted(hour, 6)])
    expect(await valuesOf('topic_messages', resolution)).toEqual(buckets)
  })

  test('of peaks the highest stays', async () => {
    await open().record('b', [highest(0, 5), highest(minute, 9)])
    await open().record('b', [highest(0, 3), highest(minute, 4)])
    expect(await valuesOf('consumer_lag', 'minute')).toEqual([[0, 'alerts', 5], [minute, 'alerts', 9]])
    expect(await valuesOf('consumer_lag', 'hour')).toEqual([[0, 'alerts', 9]])
  })

  test('histograms are merged', async () => {
    await open().record('b', [took(0, [1, 2]), took(minute, [300])])
    await open().record('b', [took(0, [4])])
    const [bucket] = await open().series('b', { name: 'normalization', resolution: 'hour', ...forever })
    expect(bucket).toEqual({ startsAt: 0, label: '', value: 4, histogram: expect.anything() })
    expect(LatencyHistogram.of(bucket!.histogram!).data()).toEqual(histogramOf([1, 2, 4, 300]))
  })

  test('totals go on, of those counters that have them', async () => {
    const ofRule = { kind: 'count', name: 'rule_matches', label: 'r', startsAt: 0, value: 1 } as const
    await open().record('b', [counted(0, 1, 'alerts'), counted(0, 2, 'webhooks'), ofRule])
    await open().record('b', [counted(day, 5, 'alerts')])
    await open().removeOld('b', 1e13)
    expect(await open().totals('b')).toEqual([
      { name: 'topic_messages', label: 'alerts', value: 6 },
      { name: 'topic_messages', label: 'webhooks', value: 2 },
    ])
  })

  test('all points are kept, or none', async () => {
    await expect(open().record('b', [counted(0, 1), counted(0, 0.5, 'no whole number')])).rejects.toThrow('REAL')
    expect([await valuesOf('topic_messages', 'minute'), await open().totals('b')]).toEqual([[], []])
  })

  test('a range has its beginning and not its end', async () => {
    await open().record('b', [0, 1, 2, 3].map((index) => counted(index * minute, 1)))
    const found = await open().series('b', { name: 'topic_messages', resolution: 'minute', from: minute, to: 3 * minute })
    expect(found.map(({ startsAt }) => startsAt)).toEqual([minute, 2 * minute])
  })

  test('one label alone', async () => {
    await open().record('b', [counted(0, 1, 'alerts'), counted(0, 2, 'webhooks')])
    const found = await open().series('b', { name: 'topic_messages', resolution: 'minute', ...forever, label: 'webhooks' })
    expect(found.map(({ label, value }) => [label, value])).toEqual([['webhooks', 2]])
  })

  test('sums by label, the most first', async () => {
    await open().record('b', [
      counted(0, 1, 'x'), counted(0, 2, 'y'), counted(minute, 4, 'x'), counted(0, 2, 'z'), counted(day, 9, 'z'),
    ])
    const sums = await open().sums('b', { name: 'topic_messages', resolution: 'minute', from: 0, to: hour, limit: 2 })
    expect(sums).toEqual([{ label: 'x', sum: 5 }, { label: 'y', sum: 2 }])
  })

  test.for<[resolution: Resolution, keptMs: number]>([
    ['minute', 2 * day],
    ['fiveMinutes', 23 * day],
    ['hour', 90 * day],
  ])('%s buckets stay until all that is in them is too old', async ([resolution, keptMs]) => {
    await open().record('b', [counted(0, 1)])
    const end = resolutions[resolution] + keptMs
    await open().removeOld('b', end - 1)
    expect(await valuesOf('topic_messages', resolution)).toEqual([[0, '', 1]])
    await open().removeOld('b', end)
    expect(await valuesOf('topic_messages', resolution)).toEqual([])
  })

  test('no resolution loses a count', async () => {
    const points = fc.array(fc.record({ at: fc.integer({ min: -100, max: 10_000 }), value: fc.nat(1_000) }), { maxLength: 20 })
    let sum = 0
    await fc.assert(fc.asyncProperty(points, async (batch) => {
      await open().record('b', batch.map(({ at, value }) => counted(at * minute, value)))
      sum += batch.reduce((total, { value }) => total + value, 0)
      for (const resolution of ['minute', 'fiveMinutes', 'hour'] as const) {
        const found = await valuesOf('topic_messages', resolution)
        expect(found.reduce((total, [, , value]) => total + Number(value), 0)).toBe(sum)
        expect(found.every(([startsAt]) => Number(startsAt) % resolutions[resolution] === 0)).toBe(true)
      }
      expect((await open().totals('b')).reduce((total, { value }) => total + value, 0)).toBe(sum)
    }), { numRuns: 15, seed: 7 })
  })
}

function histogramOf(lengthsMs: readonly number[]) {
  const histogram = new LatencyHistogram()
  for (const lengthMs of lengthsMs) histogram.add(lengthMs)
  return histogram.data()
}
