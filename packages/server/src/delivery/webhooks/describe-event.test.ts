import type { CollectorStatus } from '@tripline/model/collectors/collector'
import { expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import { describeEvent } from './describe-event.ts'

test.for<[was: boolean | undefined, is: boolean, type: string | undefined]>([
  [true, false, 'rule.disabled'], [true, true, undefined], [false, false, undefined], [undefined, false, undefined],
])('a rule that was enabled: %s, and is: %s, is %s', async ([wasEnabled, isEnabled, type]) => {
  const { app: { state } } = await openTestServer([])
  const data = { change: 'saved', version: 2, isEnabled, title: 'Whoami', by: 'ann@example.org', ...(wasEnabled !== undefined && { wasEnabled }) } as const
  const described = await describeEvent(state, 'a', { id: 'evt_1', seq: 1, type: 'rule.changed', subject: 'r1', at: 9, data })
  await state.close()
  expect(described?.type).toBe(type)
  if (described !== undefined) expect(described).toMatchObject({ title: 'Whoami', details: { updatedBy: 'ann@example.org' } })
})

test.for<[from: CollectorStatus, to: CollectorStatus, type: string | undefined]>([
  ['pending', 'online', undefined], ['online', 'degraded', undefined], ['online', 'offline', 'collector.disconnected'],
  ['degraded', 'offline', 'collector.disconnected'], ['offline', 'degraded', 'collector.connected'], ['offline', 'online', 'collector.connected'],
])('a collector from %s to %s is %s', async ([oldStatus, newStatus, type]) => {
  const { app: { state } } = await openTestServer([])
  const data = { change: 'status', name: 'Frankfurt', hostname: 'fra-1', oldStatus, newStatus, lastSeenAt: 7 } as const
  const described = await describeEvent(state, 'a', { id: 'evt_1', seq: 1, type: 'collector.changed', subject: 'co1', at: 9, data })
  await state.close()
  expect(described?.type).toBe(type)
  if (described !== undefined) expect(described).toMatchObject({ at: 9, subject: 'co1', details: { hostname: 'fra-1', lastSeen: 7 } })
})
