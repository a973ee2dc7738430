import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../src/limits.ts'
import { countAlerts } from '../src/metrics/count-alerts.ts'
import { Meter } from '../src/metrics/meter.ts'
import { openMetrics } from '../src/metrics/metrics.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import { openState } from '../src/store/open-state.ts'
import type { StateStore } from '../src/store/state-store.ts'
import { createMetricWorld } from './metric-world.ts'
import { tenantWith } from './state/state-samples.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const minute = 60_000

let folder: string
let clock: { nowMs: number; now: () => number; elapsedMs: () => number }
let world: ReturnType<typeof createMetricWorld>
let errors: string[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tripline-metrics-'))
  clock = { nowMs: noon, now: () => clock.nowMs, elapsedMs: () => clock.nowMs - noon }
  world = createMetricWorld()
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

test('totals go on after a restart, and what was not kept is what a kill loses', async () => {
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

test('what cannot be kept is said, and kept as soon as it can be', async () => {
  const opened = await open()
  await opened.state.close()
  opened.meter.count('a', 'events_accepted', { by: 5 })
  await opened.metrics.tick()
  expect(errors).toEqual(['measurements cannot be kept; they wait'])
  expect(opened.metrics.watchdog.health().isWritable).toBe(false)
  expect(opened.meter.drain('a')).toMatchObject([{ name: 'events_accepted', value: 5 }])
})

test('ticks and readers at once keep everything once', async () => {
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

test('a reader has what is older than a moment kept first', async () => {
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

test('a tick notes lags and evaluations, and forgets what is too old', async () => {
  world.evaluations.set('a', 1_000)
  const opened = await open()
  world.consumers = [{ topic: 'raw-events', consumer: 'normalize', committedOffset: 0, lag: new Map([['a', 7]]) }]
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
      meter.total('a', 'alerts_generated'), meter.totals('a', 'severity_alerts'), meter.totals('a', 'tactic_alerts'), meter.totals('a', 'rule_alerts'),
    ]).toEqual([
      3, new Map([['low', 2], ['critical', 1]]), new Map([['execution', 2], ['persistence', 1]]), new Map([['r1', 2], ['r2', 1]]),
    ])
  })
})
