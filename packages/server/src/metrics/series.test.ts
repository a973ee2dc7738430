import { LatencyHistogram } from '@tripline/common/latency-histogram'
import type { MetricPoint } from '@tripline/model/metric'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listBuckets, intervals, readSeriesRange } from './series-range.ts'
import type { Interval } from './series-range.ts'
import { readCountSeries, readLatencySeries, readPeakSeries, readRateSeries } from './series.ts'

const minute = 60_000
const now = Date.UTC(2026, 10, 20, 12)

async function withState(work: (state: StateStore) => Promise<void>): Promise<void> {
  const state = await openMemoryState({ auditKey: Buffer.from('a key') })
  await state.tenants.insert({ id: 'a', name: 'Acme', isActive: true, settings: {}, version: 1, createdAt: 1, updatedAt: 1 })
  try {
    await work(state)
  } finally {
    await state.close()
  }
}

/** Something that happened some minutes ago. */
const happening = fc.record({
  minutesAgo: fc.nat(90), value: fc.integer({ min: 1, max: 100 }), topic: fc.constantFrom('raw-events', 'alerts'),
})

test('series agree with a list of all events, bucket by bucket', async () => {
  const range = {
    from: fc.integer({ min: 1, max: 6_000_000 }), to: fc.nat(3_000_000), interval: fc.constantFrom<Interval>('1m', '5m', '15m', '1h'),
  }
  await fc.assert(fc.asyncProperty(fc.array(happening, { maxLength: 40 }), fc.record(range), async (all, asked) => {
    const from = now - asked.from
    const read = readSeriesRange({ from, to: from + 1 + asked.to, interval: asked.interval }, now)
    await withState(async ({ metrics }) => {
      await metrics.record('a', all.flatMap(pointsOf))
      const wanted = listBuckets(read).map((startsAt) => {
        const inBucket = all.filter(({ minutesAgo }) => {
          const at = now - minutesAgo * minute
          return startsAt <= at && at < startsAt + intervals[asked.interval].lengthMs
        })
        return { startsAt, inBucket }
      })
      const counts = await readCountSeries(metrics, 'a', { name: 'topic_messages', label: 'alerts', range: read })
      const alertsOf = (some: typeof all) => some.filter(({ topic }) => topic === 'alerts').map(({ value }) => value)
      expect(counts).toEqual(wanted.map(({ startsAt, inBucket }) => ({ startsAt, value: sum(alertsOf(inBucket)) })))
      const rates = await readRateSeries(metrics, 'a', { name: 'topic_messages', range: read })
      const seconds = read.lengthMs / 1_000
      const wantedRates = wanted.map(({ inBucket }) => sum(inBucket.map(({ value }) => value)) / seconds)
      expect(rates.map(({ value }) => value)).toEqual(wantedRates)
      const peaks = (await readPeakSeries(metrics, 'a', { name: 'consumer_lag', range: read })).get('alerts') ?? []
      if (peaks.length > 0) {
        expect(peaks.map(({ value }) => value)).toEqual(wanted.map(({ inBucket }) => Math.max(0, ...alertsOf(inBucket))))
      }
      const latencies = await readLatencySeries(metrics, 'a', { name: 'normalization', range: read })
      expect(latencies.map(({ p50 }) => p50 === null)).toEqual(wanted.map(({ inBucket }) => inBucket.length === 0))
      for (const [index, { p95 }] of latencies.entries()) {
        const sorted = wanted[index]!.inBucket.map(({ value }) => value).sort((one, other) => one - other)
        const exact = sorted[Math.ceil(0.95 * sorted.length) - 1]
        if (exact !== undefined) expect(Math.abs(p95! - exact)).toBeLessThanOrEqual(exact / 32)
      }
    })
  }), { numRuns: 40, seed: 6 })
})

function pointsOf({ minutesAgo, value, topic }: { minutesAgo: number; value: number; topic: string }): MetricPoint[] {
  const startsAt = now - minutesAgo * minute
  const histogram = new LatencyHistogram()
  histogram.add(value)
  return [
    { kind: 'count', name: 'topic_messages', label: topic, startsAt, value },
    { kind: 'peak', name: 'consumer_lag', label: topic, startsAt, value },
    { kind: 'histogram', name: 'normalization', label: '', startsAt, histogram: histogram.data() },
  ]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
