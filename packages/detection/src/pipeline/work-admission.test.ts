import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import type { PipelineInstruments } from './pipeline-instruments.ts'
import { WorkAdmission } from './work-admission.ts'
import type { QueuedWork } from './work-admission.ts'

const { queuedWorkMs, eventCostMsMin, sendingMs } = limits.pipeline

/** What is believed of a first measurement above what is assumed. */
function afterFirst(measuredMs: number): number {
  const { unknownEventMs } = limits.fairness
  return unknownEventMs + (measuredMs - unknownEventMs) * limits.pipeline.risingCostWeight
}

const queued = (eventCount: number, storeBytes = 0): QueuedWork => ({ eventCount, storeBytes })

/** How many events in flight are the fewest at which a tenant is refused, in steps of 10. */
function findShare(admission: WorkAdmission, tenant: string): number {
  for (let inFlight = 0; inFlight <= 1_000_000; inFlight += 10) if (!admission.admit(tenant, queued(inFlight))) return inFlight
  return Infinity
}

function openAdmission(senders: readonly string[]): { readonly admission: WorkAdmission; readonly clock: { ms: number } } {
  const clock = { ms: 0 }
  const admission = new WorkAdmission({ elapsedMs: () => clock.ms })
  for (const sender of senders) admission.admit(sender, queued(0))
  return { admission, clock }
}

test.for<readonly [title: string, senders: readonly string[], share: number]>([
  ['alone', [], Infinity],
  ['beside one tenant', ['quiet'], queuedWorkMs / 2 / eventCostMsMin],
  ['beside three tenants', ['b', 'c', 'd'], queuedWorkMs / 4 / eventCostMsMin],
])('a tenant %s queues its share', ([, senders, share]) => {
  const found = findShare(openAdmission(senders).admission, 'loud')
  expect(Math.abs(found - share) <= 10 || found === share).toBe(true)
})

test.for(['deduplicate', 'detect'] as const)('the share in events shrinks with their cost in the stage %s and grows again', (stage) => {
  const { admission } = openAdmission(['quiet'])
  for (const each of ['deduplicate', 'detect'] as const) {
    for (const tenant of ['loud', 'quiet']) admission.record(each, tenant, { eventCount: 100, durationMs: 0 })
  }
  const shares: number[] = []
  for (const durationMs of [0, 10, 100, 0]) {
    for (let i = 0; i < 200; i++) admission.record(stage, 'loud', { eventCount: 100, durationMs })
    shares.push(findShare(admission, 'loud'))
  }
  const [cheap = 0, costly = 0, costliest = 0, again = 0] = shares
  expect(costly).toBeLessThan(cheap / 4)
  expect(costliest).toBeLessThan(costly / 4)
  expect(again).toBeGreaterThan(cheap / 2)
  expect(findShare(admission, 'quiet')).toBeGreaterThan(cheap / 2)
})

test('the costs of stages add up', () => {
  const { admission } = openAdmission(['quiet'])
  admission.record('deduplicate', 'loud', { eventCount: 100, durationMs: 0 })
  for (let i = 0; i < 200; i++) admission.record('detect', 'loud', { eventCount: 100, durationMs: 100 })
  const share = findShare(admission, 'loud')
  for (let i = 0; i < 200; i++) admission.record('deduplicate', 'loud', { eventCount: 100, durationMs: 100 })
  expect(findShare(admission, 'loud')).toBeLessThan(share * 0.7)
})

test('a tenant whose other tenants fell silent fills its queue again', () => {
  const { admission, clock } = openAdmission(['quiet'])
  expect(admission.admit('loud', queued(1_000_000))).toBe(false)
  clock.ms = sendingMs
  expect(admission.admit('loud', queued(1_000_000))).toBe(false)
  clock.ms = sendingMs + 1
  expect(admission.admit('loud', queued(1_000_000))).toBe(true)
})

test('a tenant without events in flight is always admitted', () => {
  const { admission } = openAdmission(['quiet'])
  admission.record('detect', 'loud', { eventCount: 1, durationMs: 60_000 })
  expect(admission.admit('loud', queued(0))).toBe(true)
  expect(admission.admit('loud', queued(1))).toBe(false)
})

test('events that wait to be stored count as queued work', () => {
  const { admission } = openAdmission(['quiet'])
  const bytesOfShare = (queuedWorkMs / 2 / limits.fairness.storeEventMs) * limits.pipeline.unknownEventBytes
  expect(admission.admit('loud', queued(0, bytesOfShare - 1))).toBe(true)
  expect(admission.admit('loud', queued(0, bytesOfShare))).toBe(false)
})

test('shares are divided by weight', () => {
  const admission = new WorkAdmission({ elapsedMs: () => 0, getWeight: (tenant) => (tenant === 'large' ? 3 : 1) })
  admission.admit('small', queued(0))
  admission.admit('large', queued(0))
  expect(findShare(admission, 'large') / findShare(admission, 'small')).toBeCloseTo(3, 1)
})

test('the events of a body are estimated by those that were read', () => {
  const { admission } = openAdmission([])
  const { unknownEventBytes } = limits.pipeline
  expect(admission.estimateEvents('a', 100 * unknownEventBytes)).toBe(100)
  for (let i = 0; i < 100; i++) admission.recordBody('a', { eventCount: 10, byteCount: 20_000 })
  expect(admission.estimateEvents('a', 100_000)).toBeCloseTo(50, 5)
  expect(admission.estimateEvents('a', 1)).toBe(1)
  admission.recordBody('a', { eventCount: 0, byteCount: 5 })
  expect(admission.estimateEvents('b', 100_000)).toBe(100_000 / unknownEventBytes)
})

test('costs are learned from the instruments of the pipeline, which record on', () => {
  const { admission } = openAdmission([])
  const calls: unknown[] = []
  const instruments: PipelineInstruments = {
    deduplicated: (...call) => calls.push(['deduplicated', ...call]), evaluated: (...call) => calls.push(['evaluated', ...call]),
    alerted: (...call) => calls.push(['alerted', ...call]),
  }
  const observed = admission.observe(instruments)
  const deduplicated = { eventCount: 10, durationMs: 100, handedOnCount: 10, failedCount: 0 }
  const evaluated = { eventCount: 10, durationMs: 100, matchedRuleIds: ['a', 'b'] }
  observed.deduplicated('acme', deduplicated)
  observed.evaluated('acme', evaluated)
  observed.alerted('acme', [])
  expect(calls).toEqual([['deduplicated', 'acme', deduplicated], ['evaluated', 'acme', evaluated], ['alerted', 'acme', []]])
  expect(admission.estimateMs('deduplicate', 'acme')).toBeCloseTo(eventCostMsMin + afterFirst(10), 9)
  expect(admission.estimateMs('detect', 'acme')).toBeCloseTo(eventCostMsMin + afterFirst(10 + 0.2 * limits.fairness.matchMs), 9)
  expect(admission.estimateMs('detect', 'other')).toBe(eventCostMsMin + limits.fairness.unknownEventMs)
})

test('batches and bodies without events change no estimate', () => {
  const { admission } = openAdmission([])
  admission.record('detect', 'acme', { eventCount: 0, durationMs: 5 })
  admission.recordBody('acme', { eventCount: 0, byteCount: 5 })
  expect(admission.estimateMs('detect', 'acme')).toBe(eventCostMsMin + limits.fairness.unknownEventMs)
  expect(admission.estimateEvents('acme', 1_000_000)).toBe(1_000_000 / limits.pipeline.unknownEventBytes)
})

test('a tenant that fell silent keeps its estimates: a flood after a silence costs what it did before', () => {
  const { admission, clock } = openAdmission(['loud'])
  for (const stage of ['deduplicate', 'detect'] as const) admission.record(stage, 'loud', { eventCount: 1, durationMs: 100 })
  admission.recordBody('loud', { eventCount: 1, byteCount: 100 })
  clock.ms = sendingMs + 1
  admission.admit('quiet', queued(0))
  for (const stage of ['deduplicate', 'detect'] as const) expect(admission.estimateMs(stage, 'loud')).toBe(eventCostMsMin + afterFirst(100))
  expect(admission.estimateEvents('loud', 1_000_000)).toBe(10_000)
  expect(admission.admit('loud', queued(2))).toBe(false)
})

test('the estimates of the tenants that were measured last are kept, and no more', () => {
  const { admission } = openAdmission([])
  const measure = (tenant: string) => admission.record('detect', tenant, { eventCount: 1, durationMs: 7 })
  const { measuredTenantsMax } = limits.pipeline
  measure('first')
  for (let i = 0; i < measuredTenantsMax - 1; i++) measure(`t${i}`)
  measure('first')
  measure('one more')
  expect(admission.estimateMs('detect', 'first')).toBeGreaterThan(eventCostMsMin + afterFirst(7))
  expect(admission.estimateMs('detect', 't0')).toBe(eventCostMsMin + limits.fairness.unknownEventMs)
  expect(admission.estimateMs('detect', 't1')).toBe(eventCostMsMin + afterFirst(7))
})
