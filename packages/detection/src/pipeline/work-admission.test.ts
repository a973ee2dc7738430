import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { WorkAdmission } from './work-admission.ts'

const { queuedWorkMs, eventCostMsMin, sendingMs } = limits.pipeline

/** How many events in flight are the fewest at which a tenant is refused, in steps of 10. */
function findShare(admission: WorkAdmission, tenant: string): number {
  for (let inFlight = 0; inFlight <= 1_000_000; inFlight += 10) if (!admission.admit(tenant, inFlight)) return inFlight
  return Infinity
}

function openAdmission(senders: readonly string[]): { readonly admission: WorkAdmission; readonly clock: { ms: number } } {
  const clock = { ms: 0 }
  const admission = new WorkAdmission({ elapsedMs: () => clock.ms })
  for (const sender of senders) admission.admit(sender, 0)
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
  expect(admission.admit('loud', 1_000_000)).toBe(false)
  clock.ms = sendingMs
  expect(admission.admit('loud', 1_000_000)).toBe(false)
  clock.ms = sendingMs + 1
  expect(admission.admit('loud', 1_000_000)).toBe(true)
})

test('a tenant without events in flight is always admitted', () => {
  const { admission } = openAdmission(['quiet'])
  admission.record('detect', 'loud', { eventCount: 1, durationMs: 60_000 })
  expect(admission.admit('loud', 0)).toBe(true)
  expect(admission.admit('loud', 1)).toBe(false)
})
