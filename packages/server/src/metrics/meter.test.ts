import type { MetricPoint } from '@tripline/model/metric'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { Meter } from './meter.ts'

/** A monotonic clock and a wall clock that can be set; both stand still until moved. */
function clockAt(nowMs: number) {
  const clock = { nowMs, elapsed: 5_000, now: () => clock.nowMs, elapsedMs: () => clock.elapsed }
  return clock
}

const noon = Date.UTC(2026, 10, 20, 12)

/** What a meter reports of a tenant at a moment, and what a model that keeps everything reports. */
type Step = {
  readonly passMs: number
  readonly jumpMs: number
  readonly by: number
  readonly topic: string
  readonly tookMs: number
}
const steps = fc.array(
  fc.record<Step>({
    passMs: fc.oneof(fc.nat(2_000), fc.nat(400_000)),
    // A clock that is set forwards and back; UTC has no days of 23 hours.
    jumpMs: fc.oneof(
      { weight: 9, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: -7_200_000, max: 7_200_000 }) },
    ),
    by: fc.integer({ min: 1, max: 1_000 }),
    topic: fc.constantFrom('raw-events', 'alerts'),
    tookMs: fc.double({ min: 0.001, max: 1_000, noNaN: true }),
  }),
  { minLength: 1, maxLength: 60 },
)

describe('compared with a list of all events', () => {
  test('totals, rates, percentiles and points are the same', () => {
    fc.assert(fc.property(steps, (taken) => {
      const clock = clockAt(noon)
      const meter = new Meter(clock)
      const log: (Step & { readonly elapsed: number; readonly minute: number })[] = []
      for (const step of taken) {
        clock.elapsed += step.passMs
        clock.nowMs += step.passMs + step.jumpMs
        meter.count('a', 'topic_messages', { by: step.by, label: step.topic })
        meter.observe('a', 'normalization', step.tookMs)
        log.push({ ...step, elapsed: clock.elapsed, minute: Math.floor(clock.nowMs / 60_000) * 60_000 })

        const ofAlerts = log.filter(({ topic }) => topic === 'alerts')
        expect(meter.total('a', 'topic_messages', 'alerts')).toBe(sumOf(ofAlerts))
        const lastMinute = ofAlerts.filter(({ elapsed }) => secondOf(elapsed) > secondOf(clock.elapsed) - 60)
        expect(meter.ratePerSecond('a', 'topic_messages', 'alerts')).toBe(sumOf(lastMinute) / 60)
        const lastMinutes = log.filter(({ elapsed }) => Math.floor(elapsed / 10_000) > Math.floor(clock.elapsed / 10_000) - 30)
        const sorted = lastMinutes.map(({ tookMs }) => tookMs).sort((one, other) => one - other)
        const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1]!
        expect(Math.abs(meter.latency('a', 'normalization').percentileMs(0.99)! - p99)).toBeLessThanOrEqual(p99 / 32 + 0.000_52)
      }
      const points = meter.drain('a').filter(({ kind }) => kind === 'count')
      const byMinute = Map.groupBy(log, ({ minute, topic }) => `${minute} ${topic}`)
      expect(new Map(points.map((point) => [`${point.startsAt} ${point.label}`, point.kind === 'count' ? point.value : 0])))
        .toEqual(new Map([...byMinute].map(([key, all]) => [key, sumOf(all)])))
    }), { seed: 4 })
  })

  test('points that could not be stored are drained again, with those that came meanwhile', () => {
    fc.assert(fc.property(steps, fc.nat(60), (taken, failsAt) => {
      const clock = clockAt(noon)
      const [failing, whole] = [new Meter(clock), new Meter(clock)]
      for (const [index, step] of taken.entries()) {
        clock.nowMs += step.passMs + step.jumpMs
        const points = index === failsAt ? failing.drain('a') : []
        for (const meter of [failing, whole]) {
          meter.count('a', 'topic_messages', { by: step.by, label: step.topic })
          meter.observe('a', 'enrichment', step.tookMs)
          meter.peak('a', 'consumer_lag', step.topic, step.by)
        }
        failing.putBack('a', points)
      }
      expect(sorted(failing.drain('a'))).toEqual(sorted(whole.drain('a')))
      expect(failing.drain('a')).toEqual([])
    }), { seed: 5 })
  })
})

test('while storing fails, minutes stay bounded and no count is lost', () => {
  const clock = clockAt(noon)
  const meter = new Meter(clock)
  for (let minute = 0; minute < 500; minute++) {
    meter.count('a', 'events_accepted', { by: 3 })
    clock.nowMs += 60_000
  }
  const points = meter.drain('a')
  expect(points.length).toBe(limits.metrics.pendingMinutesMax)
  expect(points.reduce((sum, point) => sum + (point.kind === 'count' ? point.value : 0), 0)).toBe(1_500)
})

test('of 100,000 labels some are kept apart, and all are counted', () => {
  const meter = new Meter(clockAt(noon))
  for (let index = 0; index < 100_000; index++) meter.count('a', 'connector_events_received', { label: `connector ${index}` })
  const totals = meter.totals('a', 'connector_events_received')
  expect(totals.size).toBe(limits.metrics.labelsMax + 1)
  expect(totals.get('(other)')).toBe(100_000 - limits.metrics.labelsMax)
  expect(meter.drain('a').length).toBe(limits.metrics.labelsMax + 1)
})

test('a long label is counted with the others', () => {
  const meter = new Meter(clockAt(noon))
  meter.count('a', 'topic_messages', { label: 'x'.repeat(limits.metrics.labelLengthMax) })
  meter.count('a', 'topic_messages', { label: 'x'.repeat(limits.metrics.labelLengthMax + 1) })
  expect([...meter.totals('a', 'topic_messages').keys()].map((label) => label.length)).toEqual([256, '(other)'.length])
})

test('tenants are kept apart', () => {
  const meter = new Meter(clockAt(noon))
  meter.count('a', 'events_accepted', { by: 5 })
  meter.observe('a', 'evaluation', 7)
  expect([meter.total('b', 'events_accepted'), meter.ratePerSecond('b', 'events_accepted')]).toEqual([0, 0])
  expect(meter.latency('b', 'evaluation').count).toBe(0)
  expect(meter.drain('b')).toEqual([])
})

test('totals continue where they were', () => {
  const meter = new Meter(clockAt(noon))
  meter.restore('a', [{ name: 'events_accepted', label: '', value: 100 }])
  meter.count('a', 'events_accepted', { by: 5 })
  expect(meter.total('a', 'events_accepted')).toBe(105)
  expect(meter.ratePerSecond('a', 'events_accepted')).toBe(5 / 60)
  expect(meter.drain('a')).toMatchObject([{ value: 5 }])
})

test.for([-1, 0.5, Number.NaN, Infinity])('%d is not a count', (by) => {
  expect(() => new Meter(clockAt(noon)).count('a', 'events_accepted', { by })).toThrow(RangeError)
})

function sumOf(steps: readonly Pick<Step, 'by'>[]): number {
  return steps.reduce((sum, { by }) => sum + by, 0)
}

function secondOf(elapsedMs: number): number {
  return Math.floor(elapsedMs / 1_000)
}

function sorted(points: readonly MetricPoint[]): readonly MetricPoint[] {
  const keyOf = ({ name, label, startsAt }: MetricPoint) => `${name} ${label} ${startsAt}`
  return points.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}
