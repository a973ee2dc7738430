import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { expect, test } from 'vitest'
import { createMeteredBus } from '../src/metrics/metered-bus.ts'
import { Meter } from '../src/metrics/meter.ts'
import { createPipelineSources } from '../src/metrics/pipeline-sources.ts'
import { computeLagByTopic } from '../src/metrics/metric-sources.ts'
import { emptyBooks } from './metrics-fixture.ts'

const clock = { now: () => 0, elapsedMs: () => 0 }

test('published messages are counted, and rejected ones are not', async () => {
  const alerts = { consumers: ['push'], overflow: 'refuse', hasTenantShare: false } as const
  const bus = await openLocalBus({ disk: new SimulatedDisk(), topics: { alerts } })
  const meter = new Meter(clock)
  const metered = createMeteredBus(bus, meter)
  await metered.publish('alerts', 'a', [new Uint8Array(1), new Uint8Array(1)])
  await metered.publish('alerts', 'b', [new Uint8Array(1)])
  await expect(metered.publish('alerts', 'a', [])).rejects.toThrow(RangeError)
  expect([meter.total('a', 'topic_messages', 'alerts'), meter.total('b', 'topic_messages', 'alerts')]).toEqual([2, 1])
  expect(metered.stats('alerts').nextOffset).toBe(3)
  expect(await metered.consumer('alerts', 'push').poll({ max: 10 })).toHaveLength(3)
  await metered.close()
  await expect(metered.publish('alerts', 'a', [new Uint8Array(1)])).rejects.toThrow('closed')
  expect(meter.total('a', 'topic_messages', 'alerts')).toBe(2)
})

test('the lag of a topic is that of its slowest consumer', () => {
  const consumers = [['normalized-events', 'detect', 4], ['normalized-events', 'store', 6], ['alerts', 'push', 0]] as const
  const progress = consumers.map(([topic, consumer, lag]) => ({ topic, consumer, handledCount: 3, lag: new Map([['a', lag]]) }))
  expect(computeLagByTopic(progress, 'a')).toEqual(new Map([['normalized-events', 6], ['alerts', 0]]))
  expect(computeLagByTopic(progress, 'b')).toEqual(new Map([['normalized-events', 0], ['alerts', 0]]))
})

test('a pipeline reports its accounting, its progress, and rule evaluations', async () => {
  const progress = [{ topic: 'alerts', consumer: 'push', handledCount: 0, lag: new Map([['a', 1]]) }]
  const evaluations = new Map([['r1', 3], ['r2', 4], ['gone', 90]])
  const sources = createPipelineSources({
    outbox: { progress }, ruleCosts: () => [], ruleIds: () => Promise.resolve(['r1', 'r2', 'new']),
    pipeline: {
      getCheckpointAges: () => new Map(),
      getProgress: () => [],
      getDegradedRules: () => new Set(),
      countNotSearchable: () => 2,
      accounting: () => ({ ...emptyBooks, accepted: 5, evaluated: 4, inFlight: 1 }),
      ruleTotals: () => Promise.resolve({ getTotals: (id) => ({ evaluations: evaluations.get(id) ?? 0 }) }),
    },
  })
  expect(sources.accounting('a')).toMatchObject({ accepted: 5, evaluated: 4, inFlight: 1 })
  expect([sources.consumers(), sources.countNotSearchable('a')]).toEqual([progress, 2])
  expect(await sources.evaluations('a')).toBe(7)
})
