import { openState } from '@tripline/state/open-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { tenantWith } from '@tripline/state/test/state-samples'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMetricsFixture, emptyBooks } from '../../../test/metrics-fixture.ts'
import { limits } from '../../limits.ts'
import { countAlerts } from '../../metrics/count-alerts.ts'
import { createInstruments } from '../../metrics/instruments.ts'
import { Meter } from '../../metrics/meter.ts'
import { openMetrics } from '../../metrics/metrics.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import { runMetrics } from '../../metrics/run-metrics.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const minute = 60_000

let folder: string
let clock: { nowMs: number; now: () => number; elapsedMs: () => number }
let world: ReturnType<typeof createMetricsFixture>
let errors: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-metrics-'))
  clock = { nowMs: noon, now: () => clock.nowMs, elapsedMs: () => clock.nowMs - noon }
  world = createMetricsFixture()
  world.tenants = ['a', 'b']
  errors = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

type Opened = { readonly state: StateStore; readonly metrics: Metrics; readonly meter: Meter }

/** Opens state and metrics on the folder, as after a start of the server; closing writes nothing, as a kill. */
async function open(): Promise<Opened> {
  const state = await openState({ path: join(folder, 'state.db'), auditKey: Buffer.from('a key') })
  for (const id of world.tenants) await state.tenants.insert(tenantWith({ id, name: id }))
  const meter = new Meter(clock)
  const log = { error: (message: string) => void errors.push(message) }
  return { state, meter, metrics: await openMetrics({ meter, state, sources: world.sources, clock, log }) }
}

async function accepted({ state }: Opened, tenant = 'a'): Promise<number> {
  const buckets = await state.metrics.series(tenant, { name: 'events_accepted', resolution: 'hour', from: 0, to: 1e14 })
  return buckets.reduce((sum, { value }) => sum + value, 0)
}

test('totals continue after a restart, and a kill loses only unflushed counts', async () => {
  const first = await open()
  first.meter.count('a', 'events_accepted', { by: 5 })
  await first.metrics.tick()
  first.meter.count('a', 'events_accepted', { by: 2 })
  await first.state.close()

  const second = await open()
  expect(second.meter.total('a', 'events_accepted')).toBe(5)
  second.meter.count('a', 'events_accepted', { by: 10 })
  await second.metrics.tick()
  expect([await accepted(second), await accepted(second, 'b')]).toEqual([15, 0])
  await second.state.close()

  const third = await open()
  expect([third.meter.total('a', 'events_accepted'), third.meter.total('b', 'events_accepted')]).toEqual([15, 0])
  await third.state.close()
})

test('a failed flush is logged and retried', async () => {
  const opened = await open()
  await opened.state.close()
  opened.meter.count('a', 'events_accepted', { by: 5 })
  await opened.metrics.tick()
  expect(errors).toEqual(['metrics cannot be stored; they wait'])
  expect(opened.metrics.watchdog.health().isWritable).toBe(false)
  expect(opened.meter.drain('a')).toMatchObject([{ name: 'events_accepted', value: 5 }])
})

test('concurrent ticks and readers flush everything once', async () => {
  const opened = await open()
  const readers = Array.from({ length: 20 }, async (_, index) => {
    opened.meter.count('a', 'events_accepted', { by: 1 })
    await (index % 2 === 0 ? opened.metrics.tick() : opened.metrics.recorder.record('a'))
  })
  await Promise.all(readers)
  await opened.metrics.recorder.recordAll()
  expect([await accepted(opened), opened.meter.total('a', 'events_accepted')]).toEqual([20, 20])
  await opened.state.close()
})

test('a reader triggers a flush of stale data', async () => {
  const opened = await open()
  opened.meter.count('a', 'events_accepted')
  await opened.metrics.recorder.refresh('a')
  opened.meter.count('a', 'events_accepted')
  await opened.metrics.recorder.refresh('a')
  expect(await accepted(opened)).toBe(1)
  clock.nowMs += limits.metrics.seriesStaleMs
  await opened.metrics.recorder.refresh('a')
  expect(await accepted(opened)).toBe(2)
  await opened.state.close()
})

test('a tick records lags and evaluations, and removes old points', async () => {
  world.evaluations.set('a', 1_000)
  const opened = await open()
  world.consumers = [{ topic: 'raw-events', consumer: 'deduplicate', handledCount: 0, lag: new Map([['a', 7]]) }]
  world.evaluations.set('a', 1_020)
  await opened.metrics.tick()
  world.evaluations.set('a', 1_060)
  clock.nowMs += limits.metrics.recordMs
  await opened.metrics.tick()
  expect(opened.meter.ratePerSecond('a', 'rule_evaluations')).toBe(1)
  const lags = { name: 'consumer_lag', resolution: 'minute', from: noon, to: noon + minute } as const
  expect(await opened.state.metrics.series('a', lags)).toMatchObject([{ label: 'raw-events', value: 7 }])
  expect(await opened.state.metrics.series('b', lags)).toEqual([])
  clock.nowMs += limits.metrics.minuteKeptMs + minute
  await opened.metrics.tick()
  expect(await opened.state.metrics.series('a', lags)).toEqual([])
  await opened.state.close()
})

test('totals are followed: growth is counted, the initial value is not', async () => {
  world.books.set('a', { ...emptyBooks, accepted: 100, evaluated: 90 })
  const opened = await open()
  opened.metrics.beat()
  world.books.set('a', { ...emptyBooks, accepted: 130, evaluated: 96 })
  clock.nowMs += limits.metrics.booksMs - 1
  opened.metrics.beat()
  expect(opened.meter.total('a', 'events_accepted')).toBe(0)
  clock.nowMs += 1
  opened.metrics.beat()
  opened.metrics.beat()
  expect([opened.meter.total('a', 'events_accepted'), opened.meter.total('a', 'events_evaluated')]).toEqual([30, 6])

  world.tenants.push('c')
  await opened.state.tenants.insert(tenantWith({ id: 'c', name: 'c' }))
  world.books.set('c', { ...emptyBooks, accepted: 7, evaluated: 7 })
  await opened.metrics.tick()
  expect([opened.meter.total('c', 'events_accepted'), opened.meter.total('a', 'events_accepted')]).toEqual([7, 30])
  await opened.state.close()
})

describe('over time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  test('metrics are flushed periodically and at the end', async () => {
    const opened = await open()
    const stop = runMetrics(opened.metrics, { error: (message) => void errors.push(message) })
    world.books.set('a', { ...emptyBooks, accepted: 5, evaluated: 5 })
    clock.nowMs += limits.metrics.recordMs
    vi.advanceTimersByTime(limits.metrics.recordMs)
    expect(opened.meter.total('a', 'events_accepted')).toBe(5)
    opened.meter.count('a', 'events_accepted', { by: 2 })
    await stop()
    expect([await accepted(opened), vi.getTimerCount(), errors]).toEqual([7, 0, []])
    await opened.state.close()
  })

  test('failures are logged', async () => {
    const opened = await open()
    const stop = runMetrics(opened.metrics, { error: (message) => void errors.push(message) })
    world.books.get = () => { throw new Error('no books') }
    await stop()
    expect(errors).toEqual(['metrics could not be updated', 'metrics could not be updated'])
    await opened.state.close()
  })
})

test('work is counted and timed per event', () => {
  const meter = new Meter(clock)
  const measure = createInstruments(meter)
  measure.deduplicated('a', { eventCount: 10, durationMs: 20, handedOnCount: 7, failedCount: 1 })
  measure.deduplicated('a', { eventCount: 0, durationMs: 1, handedOnCount: 0, failedCount: 0 })
  measure.evaluated('a', { eventCount: 7, durationMs: 14, matchedRuleIds: ['r1', 'r2', 'r1'] })
  measure.enriched('a', { durationMs: 3, hitCount: 2, missCount: 1 })
  const names = [
    'events_normalized', 'normalization_failed', 'rules_matched', 'alerts_enriched', 'intel_lookups', 'intel_cache_hits',
  ] as const
  const totals = names.map((name) => meter.total('a', name))
  expect(totals).toEqual([7, 1, 3, 1, 3, 2])
  expect(meter.totals('a', 'rule_matches')).toEqual(new Map([['r1', 2], ['r2', 1]]))
  const times = (['normalization', 'evaluation', 'enrichment'] as const).map((name) => meter.latency('a', name))
  expect(times.map(({ count, sumMs }) => [count, sumMs])).toEqual([[10, 20], [7, 14], [1, 3]])
})

describe('alerts', () => {
  test('are counted by rule, severity and tactic, each once', () => {
    const meter = new Meter(clock)
    const attack = (...tactics: string[]) => ({ tactics })
    countAlerts(meter, 'a', [
      { ruleId: 'r1', level: 'informational', attack: attack('execution', 'persistence') },
      { ruleId: 'r1', level: 'low', attack: attack('execution', 'execution') },
      { ruleId: 'r2', level: 'critical', attack: attack() },
    ])
    expect([
      meter.total('a', 'alerts_generated'), meter.totals('a', 'severity_alerts'),
      meter.totals('a', 'tactic_alerts'), meter.totals('a', 'rule_alerts'),
    ]).toEqual([
      3, new Map([['low', 2], ['critical', 1]]),
      new Map([['execution', 2], ['persistence', 1]]), new Map([['r1', 2], ['r2', 1]]),
    ])
  })
})
