import { MemoryBus } from '@tripline/storage/test/bus/memory-bus'
import { defaultBusSizes } from '@tripline/storage/bus/bus-sizes'
import { openTestState } from '../../test/world.ts'
import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { StageRunner } from './stage-runner.ts'
import { topics } from './topics.ts'

const silentLog = { info() {}, warn() {}, error() {} }

test('messages wait for a stage from when it has read them until it takes them, with their cost in memory', async () => {
  const bus = new MemoryBus(topics, defaultBusSizes)
  const state = await openTestState()
  const stages = new StageRunner({ bus, state, elapsedMs: () => 0, log: silentLog })
  const consumer = await stages.openStatelessConsumer('normalized-events', 'store', () => 1)
  await bus.publish('normalized-events', 'a', Array.from({ length: 3 }, () => new Uint8Array(100)))
  await bus.publish('normalized-events', 'b', [new Uint8Array(10)])
  const getWaiting = () => ['a', 'b', 'c'].map((tenant) => stages.getWaitingBytes('store', tenant))
  const before = getWaiting()
  const taken: string[] = []
  const { messageCostBytes } = limits.bus
  const expected = new Map([['a', 3 * (100 + messageCostBytes)], ['b', 10 + messageCostBytes]])
  while (taken.length < 4) {
    for (const { tenant, bytes } of await consumer.poll({ max: 1, waitMs: 0 })) {
      taken.push(tenant)
      expected.set(tenant, expected.get(tenant)! - bytes.length - messageCostBytes)
    }
    expect(getWaiting()).toEqual([expected.get('a'), expected.get('b'), 0])
    await consumer.commit(0)
  }
  expect([before, getWaiting(), taken.sort()]).toEqual([[0, 0, 0], [0, 0, 0], ['a', 'a', 'a', 'b']])
  expect(stages.getWaitingBytes('unknown', 'a')).toBe(0)
  await stages.close()
  await state.close()
})
