import { openTestState } from '@tripline/detection/test/world'
import { newAlertWith } from '@tripline/state/test/state-samples'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { expect, test } from 'vitest'
import { adoptAlertNotices, legacyTopics } from '../../src/delivery/adopt-alert-notices.ts'

/** A message as an earlier release wrote it. */
function notice(alertId: string, change: { readonly [name: string]: unknown } = {}): Uint8Array {
  return Buffer.from(JSON.stringify({
    alert_id: alertId, match_id: alertId, outcome: 'created', severity: 'high', rule_id: 'r-1', rule_title: 'Whoami', host: 'web-1',
    created_at: '2026-11-20T10:00:00.000Z', ...change,
  }))
}

test('alerts that waited to be announced at an upgrade are published once, and the topic is empty afterwards', async () => {
  const state = await openTestState()
  for (const tenant of ['a', 'b']) {
    await state.alerts.insert(tenant, Array.from({ length: 150 }, (_, i) => newAlertWith({ id: `m${i}`, dedupKey: `${i}` })))
  }
  const [before] = [await state.domainEvents.heads()]
  const disk = new SimulatedDisk()
  const bus = await openLocalBus({ disk, topics: legacyTopics })
  const consumer = bus.consumer('alerts', 'push')
  await bus.publish('alerts', 'a', [notice('m0')])
  await bus.publish('alerts', 'b', Array.from({ length: 150 }, (_, i) => notice(`m${i}`)))
  await bus.publish('alerts', 'a', [
    notice('m1', { outcome: 'grouped' }), notice('m2'), notice('removed since'), notice('m3', { alert_id: 7 }), Buffer.from('nonsense'),
  ])
  // The earlier release announced the first one.
  await consumer.poll({ max: 1 })
  await consumer.commit(1)
  await bus.close()
  const opened = await openLocalBus({ disk, topics: legacyTopics })
  expect(await adoptAlertNotices(opened, state.domainEvents)).toBe(151)
  const readSubjects = async (tenant: string): Promise<readonly string[]> => {
    const { events } = await state.domainEvents.read(tenant, before.get(tenant) ?? 0, 1_000)
    return events.map(({ type, subject }) => `${type} ${subject}`)
  }
  expect(await readSubjects('a')).toEqual(['alert.created m2'])
  expect(await readSubjects('b')).toEqual(Array.from({ length: 150 }, (_, i) => `alert.created m${i}`))
  expect(await adoptAlertNotices(opened, state.domainEvents)).toBe(0)
  await opened.close()
  await state.close()
})
