import type { Bus, Message } from '@tripline/storage/bus/bus'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { bytesOf, testSizes, textOf } from '@tripline/storage/test/bus/conformance'
import { MemoryBus } from '@tripline/storage/test/bus/memory-bus'
import { chanceOf, seed } from '@tripline/storage/test/events/power-cuts'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { FairConsumer } from '../src/pipeline/fair-consumer.ts'
import type { FairConsumerBounds, FairConsumerOptions } from '../src/pipeline/fair-consumer.ts'
import { HandledMessages } from '../src/pipeline/handled-messages.ts'
import { FairTurns } from '../src/fairness/fair-turns.ts'
import { ReservedTurn } from '../src/fairness/reserved-turn.ts'
import { limits } from '../src/limits.ts'
import { VirtualLoop } from './fairness/virtual-loop.ts'

const topics = { in: { consumers: ['stage'], overflow: 'refuse', hasTenantShare: false } } as const
const sizes = { ...testSizes, topicBytesMax: 1e9, tenantBytesMax: 1e9, waitingBytesMax: 1e9 }
const bounds: FairConsumerBounds = {
  quantumMs: 2, batchMs: 4, sharedBatchMs: 4, heavyBatchMs: 4, batchBytesMax: 10_000, aheadEventsMax: 8, tenantAheadBytesMax: 2_000, aheadBytesMax: 6_000, aheadPollsMax: 3,
}

/** Buses under test; `reopen` ends the process without closing anything. */
const buses = {
  'in memory': async () => {
    const bus = new MemoryBus(topics, sizes)
    return { bus, reopen: async (): Promise<Bus> => {
      bus.reopen()
      return bus
    } }
  },
  'on a disk': async () => {
    const disk = new SimulatedDisk()
    const open = (): Promise<Bus> => openLocalBus({ disk, topics, sizes })
    return { bus: await open(), reopen: open }
  },
} satisfies { readonly [name: string]: () => Promise<{ readonly bus: Bus; readonly reopen: () => Promise<Bus> }> }

type Covered = Map<string, number>

/** A consumer, and the lag of its tenants: what is not handled, where the bus counts what is not committed. */
type Tested = { readonly consumer: FairConsumer; readonly getLag: () => ReadonlyMap<string, number> }

async function openConsumer(
  bus: Bus, covered: Covered = new Map(), given: Partial<FairConsumerBounds> = {}, sharing: Pick<FairConsumerOptions, 'load' | 'turn' | 'isHeld' | 'getWeight'> = {},
): Promise<Tested> {
  const copy = new Map(covered)
  const handled = new HandledMessages()
  const consumer = await FairConsumer.open({
    consumer: bus.consumer('in', 'stage'), handled, getCoveredOffset: (tenant) => copy.get(tenant) ?? 0, estimateMs: () => 1,
    bounds: { ...bounds, ...given }, ...sharing,
  }, Math.max(0, ...covered.values()))
  return { consumer, getLag: () => handled.getProgress(bus.stats('in').consumers[0]!).lag }
}

const noWait = { max: 100, waitMs: 0 }

describe.for(Object.entries(buses))('a fair consumer of a bus %s', ([, openBus]) => {
  test.for([10, 100, 3_000])('finds the event of a quiet tenant behind %d of another in few batches', async (loudCount) => {
    const { bus } = await openBus()
    for (let i = 0; i < loudCount; i += 50) {
      await bus.publish('in', 'loud', Array.from({ length: Math.min(50, loudCount - i) }, (_, j) => bytesOf(String(i + j))))
    }
    const { consumer } = await openConsumer(bus, new Map(), { aheadPollsMax: 100 })
    const before = await consumer.poll(noWait)
    consumer.settle()
    await bus.publish('in', 'quiet', [bytesOf('now')])
    const batches: (readonly Message[])[] = []
    while (!batches.flat().some(({ tenant }) => tenant === 'quiet')) {
      batches.push(await consumer.poll(noWait))
      consumer.settle()
    }
    expect(batches.length).toBeLessThanOrEqual(2)
    expect(before.length + batches.flat().length).toBeLessThanOrEqual(3 * bounds.batchMs)
    const rest: Message[] = []
    for (let batch = await consumer.poll(noWait); batch.length > 0; batch = await consumer.poll(noWait)) {
      rest.push(...batch)
      consumer.settle()
    }
    const all = [...before, ...batches.flat(), ...rest].filter(({ tenant }) => tenant === 'loud')
    expect(all.map(textOf)).toEqual(Array.from({ length: loudCount }, (_, i) => String(i)))
    await consumer.commitHandled()
    expect(bus.stats('in').consumers[0]).toMatchObject({ committedOffset: loudCount + 1, lag: new Map() })
  })

  test('has batches of light tenants first, and of heavy ones after some of them', async () => {
    const { bus } = await openBus()
    await bus.publish('in', 'loud', Array.from({ length: 20 }, (_, i) => bytesOf(String(i))))
    for (let i = 0; i < 30; i++) await bus.publish('in', 'quiet', [bytesOf(String(i))])
    const load = { isHeavy: (tenant: string) => tenant === 'loud', hasLight: true }
    const { consumer } = await openConsumer(bus, new Map(), { aheadEventsMax: 100, sharedBatchMs: 1, heavyBatchMs: 1 }, { load })
    const batches: string[] = []
    for (let batch = await consumer.poll(noWait); batch.length > 0; batch = await consumer.poll(noWait)) {
      batches.push([...new Set(batch.map(({ tenant }) => tenant))].join(' and '))
      consumer.settle()
    }
    const before = limits.fairness.lightTurnsMax
    expect(batches.slice(0, before + 2)).toEqual([...Array.from({ length: before }, () => 'quiet'), 'loud', 'quiet'])
    expect([batches.filter((tenant) => tenant === 'loud').length, batches.length]).toEqual([20, 50])
  })

  test('passes over a held tenant, without losing or reordering its messages, and serves it once it is not', async () => {
    const { bus } = await openBus()
    await bus.publish('in', 'loud', Array.from({ length: 50 }, (_, i) => bytesOf(String(i))))
    await bus.publish('in', 'quiet', [bytesOf('now')])
    let isHeld = true
    const { consumer } = await openConsumer(bus, new Map(), {}, { isHeld: (tenant) => isHeld && tenant === 'loud' })
    const first = await consumer.poll(noWait)
    consumer.settle()
    expect([first.map(textOf), await consumer.poll({ max: 5, waitMs: 1 }), consumer.getWaitingBytes('quiet')]).toEqual([['now'], [], 0])
    const waitingBytes = consumer.getWaitingBytes('loud')
    expect(waitingBytes).toBeGreaterThan(50 * limits.bus.messageCostBytes)
    // A poll without a time limit looks again by itself.
    const polled = consumer.poll({ max: 100 })
    isHeld = false
    const rest: Message[] = []
    for (let batch = await polled; batch.length > 0; batch = await consumer.poll(noWait)) {
      rest.push(...batch)
      consumer.settle()
    }
    expect(rest.map(textOf)).toEqual(Array.from({ length: 50 }, (_, i) => String(i)))
    expect(consumer.getWaitingBytes('loud')).toBe(0)
  })

  test('serves tenants by their weight', async () => {
    const { bus } = await openBus()
    for (const tenant of ['large', 'small']) await bus.publish('in', tenant, Array.from({ length: 60 }, (_, i) => bytesOf(String(i))))
    const { consumer } = await openConsumer(bus, new Map(), { aheadEventsMax: 100 }, { getWeight: (tenant) => (tenant === 'large' ? 3 : 1) })
    const served: string[] = []
    while (served.length < 40) {
      served.push(...(await consumer.poll(noWait)).map(({ tenant }) => tenant))
      consumer.settle()
    }
    const ofLarge = served.filter((tenant) => tenant === 'large').length
    expect(ofLarge / (served.length - ofLarge)).toBeCloseTo(3, 0)
  })

  test('waits for the turn of heavy tenants before it takes their batch, and not with messages of light ones', async () => {
    const { bus } = await openBus()
    await bus.publish('in', 'loud', Array.from({ length: 20 }, (_, i) => bytesOf(String(i))))
    const loop = new VirtualLoop()
    const turn = new ReservedTurn(new FairTurns(loop), 'stage')
    const load = { isHeavy: (tenant: string) => tenant === 'loud', hasLight: true }
    const { consumer } = await openConsumer(bus, new Map(), {}, { load, turn })
    const next = async (): Promise<string> => {
      const [message] = await consumer.poll({ max: 5 })
      consumer.settle()
      return message === undefined ? 'none' : `${message.tenant} ${textOf(message)}`
    }
    const first = next()
    await bus.publish('in', 'quiet', [bytesOf('now')])
    expect(await first).toBe('quiet now')
    let second: string | undefined
    void next().then((found) => (second = found))
    while (second === undefined) {
      await loop.iterate()
      await othersFirst()
    }
    expect(second).toBe('loud 0')
    expect([await consumer.poll(noWait), await consumer.poll({ max: 5, waitMs: 1 })]).toEqual([[], []])
  })

  test.for<[title: string, hasLight: boolean, length: number]>([
    ['beside a light one are small', true, 1],
    ['without a light one are as large as those of any tenant', false, 4],
  ])('batches of a heavy tenant %s', async ([, hasLight, length]) => {
    const { bus } = await openBus()
    await bus.publish('in', 'loud', Array.from({ length: 20 }, (_, i) => bytesOf(String(i))))
    const { consumer } = await openConsumer(bus, new Map(), { heavyBatchMs: 1 }, { load: { isHeavy: () => true, hasLight } })
    expect((await consumer.poll(noWait)).length).toBe(length)
  })

  test('reads dropped messages again once less than half of what may wait is left', async () => {
    const { bus } = await openBus()
    const count = 3 * limits.stage.batchMessagesMax
    for (let i = 0; i < count; i += 50) {
      await bus.publish('in', 'loud', Array.from({ length: 50 }, (_, j) => bytesOf(String(i + j))))
    }
    // What waited at the first read after a batch.
    const waitingCounts = new Map<number, number>()
    let [taken, readCount] = [0, bounds.aheadEventsMax]
    const inner = bus.consumer('in', 'stage')
    const readAgain: typeof inner.readAgain = (offset) => {
      const reader = inner.readAgain(offset)
      return {
        read: async (countMax) => {
          if (!waitingCounts.has(taken)) waitingCounts.set(taken, readCount - taken)
          const messages = await reader.read(countMax)
          readCount += messages.length
          return messages
        },
      }
    }
    const consumer = await FairConsumer.open({
      consumer: { ...inner, readAgain }, handled: new HandledMessages(), getCoveredOffset: () => 0, estimateMs: () => 1,
      bounds: { ...bounds, batchMs: 1, quantumMs: 1, tenantAheadBytesMax: 1e6, aheadBytesMax: 1e6, aheadPollsMax: 100 },
    }, 0)
    for (let batch = await consumer.poll(noWait); batch.length > 0; batch = await consumer.poll(noWait)) {
      taken += batch.length
      consumer.settle()
    }
    expect(taken).toBe(count)
    expect([...new Set(waitingCounts.values())]).toEqual([bounds.aheadEventsMax / 2 - 1])
  })

  test('commits the lowest offset that is not handled, and counts what is handled beyond it', async () => {
    const { bus } = await openBus()
    await bus.publish('in', 'loud', Array.from({ length: 30 }, (_, i) => bytesOf(String(i))))
    await bus.publish('in', 'quiet', [bytesOf('a'), bytesOf('b')])
    const { consumer, getLag } = await openConsumer(bus)
    for (let round = 0; round < 2; round++) {
      await consumer.poll(noWait)
      consumer.settle()
    }
    await consumer.commitHandled()
    const { committedOffset, lag } = bus.stats('in').consumers[0]!
    expect([committedOffset, Object.fromEntries(lag), Object.fromEntries(getLag())]).toEqual([6, { loud: 24, quiet: 2 }, { loud: 24 }])
    expect([consumer.getHandledOffset('loud'), consumer.getHandledOffset('quiet')]).toEqual([6, 32])
  })

  test('waits for messages, and returns none when the signal aborts', async () => {
    const { bus } = await openBus()
    const { consumer } = await openConsumer(bus)
    const stop = new AbortController()
    const stopped = consumer.poll({ max: 5, signal: stop.signal })
    stop.abort()
    expect(await stopped).toEqual([])
    const waiting = consumer.poll({ max: 5 })
    await bus.publish('in', 't', [bytesOf('came')])
    expect((await waiting).map(textOf)).toEqual(['came'])
  })

  test(`hands out each message once and in the order of its tenant over kills at random points (seed ${seed})`, async () => {
    const chance = chanceOf(seed)
    for (let run = 0; run < 20; run++) {
      const opened = await openBus()
      let { bus } = opened
      // The reference: all messages of a tenant in the order in which they were published.
      const published = new Map<string, string[]>()
      // What a checkpoint holds: the effects of a stage, and what they cover.
      let saved = { effects: new Map<string, string[]>(), covered: new Map<string, number>() }
      let effects = new Map<string, string[]>()
      let { consumer, getLag } = await openConsumer(bus)
      let sentCount = 0
      for (let step = 0; step < 120; step++) {
        const dice = chance()
        if (dice < 0.35) {
          const tenant = chance() < 0.7 ? 'loud' : `quiet-${Math.floor(chance() * 4)}`
          const texts = Array.from({ length: 1 + Math.floor(chance() * (tenant === 'loud' ? 25 : 2)) }, () => String(sentCount++))
          await bus.publish('in', tenant, texts.map(bytesOf))
          published.set(tenant, [...published.get(tenant) ?? [], ...texts])
        } else if (dice < 0.8) {
          for (const message of await consumer.poll(noWait)) effects.set(message.tenant, [...effects.get(message.tenant) ?? [], textOf(message)])
          consumer.settle()
        } else if (dice < 0.93) {
          const covered = new Map([...effects.keys()].map((tenant) => [tenant, consumer.getHandledOffset(tenant)]))
          saved = { effects: new Map(effects), covered }
          // A kill between the checkpoint and the commit leaves messages that are covered and not committed.
          if (chance() < 0.7) await consumer.commitHandled()
        } else {
          bus = await opened.reopen()
          effects = new Map(saved.effects)
          ;({ consumer, getLag } = await openConsumer(bus, saved.covered))
        }
        // Lag that is handled would be counted twice in the books.
        const lag = getLag()
        for (const [tenant, texts] of published) expect((effects.get(tenant)?.length ?? 0) + (lag.get(tenant) ?? 0)).toBe(texts.length)
      }
      for (let batch = await consumer.poll(noWait); batch.length > 0; batch = await consumer.poll(noWait)) {
        for (const message of batch) effects.set(message.tenant, [...effects.get(message.tenant) ?? [], textOf(message)])
        consumer.settle()
      }
      await consumer.commitHandled()
      expect(Object.fromEntries(effects)).toEqual(Object.fromEntries(published))
      expect(bus.stats('in').consumers[0]!.lag.size).toBe(0)
    }
  })
})
