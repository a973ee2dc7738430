import { AppError } from '@tripline/contract/app-error'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { EventIntake } from './event-intake.ts'
import { WorkAdmission } from './work-admission.ts'
import type { QueuedWork } from './work-admission.ts'

const nothing: QueuedWork = { eventCount: 0, storeBytes: 0 }
const bodyEvents = 200
const bodyBytes = bodyEvents * limits.pipeline.unknownEventBytes

/** The intake of a tenant whose events take 10 ms each, so that its share beside another is filled by 20. */
function openIntake() {
  const admission = new WorkAdmission({ elapsedMs: () => 0 })
  admission.admit('quiet', nothing)
  admission.record('detect', 'loud', { eventCount: 100, durationMs: 2_000 })
  let published = 0
  const muchWork: string[] = []
  const intake = new EventIntake({
    publish: async (_topic, _tenant, messages) => ({ firstOffset: published, lastOffset: (published += messages.length) - 1 }),
    tenants: { get: async () => undefined }, now: () => 0, turns: { next: async () => 1, elapsedMs: () => 0 }, admission,
    accepted: new Map([['loud', 0], ['quiet', 0]]), getQueued: () => nothing, onDiskFull: () => {}, hasSpace: () => true, onFailure: () => {},
    onMuchWork: (tenant) => void muchWork.push(tenant),
  })
  return { intake, admission, muchWork }
}

function announce(intake: EventIntake, tenant: string, byteCount: number | undefined): ReturnType<EventIntake['announceBody']> | string {
  try {
    return intake.announceBody(tenant, byteCount)
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

test.for<[what: string, byteCount: number | undefined]>([['a stated length', bodyBytes], ['no stated length', undefined]])(
  'of a burst of bodies with %s only those are read that fit into the share', ([, byteCount]) => {
    const { intake, muchWork } = openIntake()
    const burst = Array.from({ length: 32 }, () => announce(intake, 'loud', byteCount))
    expect(burst.filter((outcome) => outcome === 'RATE_LIMITED').length).toBe(31)
    expect(announce(intake, 'quiet', byteCount)).not.toBe('RATE_LIMITED')
    expect(muchWork.filter((tenant) => tenant === 'loud').length).toBe(32)
  })

test('a body that was read or given up makes room, once', () => {
  const { intake, admission } = openIntake()
  for (const finish of ['wasRead', 'end'] as const) {
    const first = announce(intake, 'loud', bodyBytes)
    expect([finish, announce(intake, 'loud', bodyBytes)]).toEqual([finish, 'RATE_LIMITED'])
    if (typeof first === 'string') throw new Error(first)
    for (let i = 0; i < 2; i++) {
      if (finish === 'end') first.end()
      else first.wasRead({ eventCount: 2 * bodyEvents, byteCount: bodyBytes })
    }
  }
  expect(admission.estimateEvents('loud', bodyBytes)).toBeCloseTo(2 * bodyEvents)
})

test.for<[tenant: string, eventCounts: readonly number[], isMuch: boolean]>([
  ['quiet', [1], false], ['quiet', [20], false], ['quiet', [20, 20], true], ['quiet', [200], true],
  // Events that were measured to be costly make fewer of them much.
  ['loud', [1], false], ['loud', [10], true],
])('bodies of tenant %s with %j events are known as much work before they are read: %s', ([tenant, eventCounts, isMuch]) => {
  const { intake, muchWork } = openIntake()
  for (const eventCount of eventCounts) announce(intake, tenant, eventCount * limits.pipeline.unknownEventBytes)
  expect(muchWork).toEqual(isMuch ? [tenant] : [])
})
