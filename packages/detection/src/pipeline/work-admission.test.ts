import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { WorkAdmission } from './work-admission.ts'
import type { QueuedWork } from './work-admission.ts'

const { queuedWorkMs, eventCostMsMin, sendingMs } = limits.pipeline

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
