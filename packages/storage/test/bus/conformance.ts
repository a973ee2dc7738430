import { describe, expect, test } from 'vitest'
import type { Bus, Consumer, KeptMessages, Message, TopicTable } from '../../src/bus/bus.ts'
import type { BusSizes } from '../../src/bus/bus-sizes.ts'

/** The topics of the tests. */
export const testTopics: TopicTable = {
  one: { consumers: ['a'], overflow: 'refuse', hasTenantShare: true },
  two: { consumers: ['a', 'b'], overflow: 'refuse', hasTenantShare: false },
  none: { consumers: [], overflow: 'dropOldest', hasTenantShare: false },
  kept: { consumers: ['a'], overflow: 'refuse', hasTenantShare: false, keptBytes: 1_000 },
}

/** Small, so that a few messages fill files and topics. */
export const testSizes: BusSizes = {
  fileBytesMax: 400, commitFileBytesMax: 300, topicBytesMax: 4_000, tenantBytesMax: 2_500, waitingBytesMax: 100_000, takeBytesMax: 1_000,
  recentBytesMax: 600,
}

export function bytesOf(text: string): Uint8Array {
  return Buffer.from(text)
}

export function textOf({ bytes }: Message): string {
  return Buffer.from(bytes).toString('utf8')
}

/** Messages with their tenants, as `t:text`. */
export function linesOf(messages: readonly Message[]): string {
  return messages.map((message) => `${message.tenant}:${textOf(message)}`).join(' ')
}

/** Polls everything that is available without waiting. */
export async function takeAll(consumer: Consumer, max = 100): Promise<Message[]> {
  const all: Message[] = []
  for (;;) {
    const taken = await consumer.poll({ max, waitMs: 0 })
    if (taken.length === 0) return all
    all.push(...taken)
  }
}

/** Publishes `t:a t:b u:c` one after the other. */
export async function publishLines(bus: Bus, topic: string, lines: string): Promise<void> {
  for (const line of lines.split(' ')) {
    const [tenant = '', text = ''] = line.split(':')
    await bus.publish(topic, tenant, [bytesOf(text)])
  }
}

/** A bus under test; `reopen` closes it and opens it with its data. */
export type TestedBus = { readonly bus: Bus; readonly reopen: () => Promise<Bus> }

/** The behaviour of every bus. */
export function describeBus(name: string, open: () => Promise<TestedBus>): void {
  const range = (count: number) => Array.from({ length: count }, (_, i) => `t:${i}`).join(' ')
  const lagOf = (bus: Bus, topic: string, consumer: string) =>
    Object.fromEntries(bus.stats(topic).consumers.find((one) => one.name === consumer)!.lag)

  describe(`${name}:`, () => {
    test('numbers messages by offset, and returns them in that order', async () => {
      const { bus } = await open()
      const receipts = await Promise.all(['x', 'yz', 'u'].map((texts) => bus.publish('one', 't', [...texts].map(bytesOf))))
      expect(receipts).toEqual([{ firstOffset: 0, lastOffset: 0 }, { firstOffset: 1, lastOffset: 2 }, { firstOffset: 3, lastOffset: 3 }])
      const taken = await takeAll(bus.consumer('one', 'a'))
      expect(taken.map((message) => [message.offset, textOf(message)])).toEqual([[0, 'x'], [1, 'y'], [2, 'z'], [3, 'u']])
      await bus.close()
    })

    test.for<[max: number]>([[1], [2], [7], [100]])('returns at most %d at once, across files', async ([max]) => {
      const { bus } = await open()
      await publishLines(bus, 'one', range(20))
      await bus.publish('one', 'u', Array.from({ length: 9 }, (_, i) => bytesOf(`${i}`)))
      const consumer = bus.consumer('one', 'a')
      const first = await consumer.poll({ max })
      expect(first.length).toBeLessThanOrEqual(max)
      const all = [...first, ...(await takeAll(consumer, max))]
      expect(all.map(({ offset }) => offset)).toEqual([...Array(29).keys()])
      expect(linesOf(all.slice(20))).toBe('u:0 u:1 u:2 u:3 u:4 u:5 u:6 u:7 u:8')
      await bus.close()
    })

    test('returns a message that is longer than the poll limit', async () => {
      const { bus } = await open()
      await bus.publish('one', 't', [bytesOf('x'.repeat(1_800)), bytesOf('')])
      expect((await takeAll(bus.consumer('one', 'a'))).map(({ bytes }) => bytes.length)).toEqual([1_800, 0])
      await bus.close()
    })

    test('waits for messages until there is one, the time is over or the signal aborts', async () => {
      const { bus } = await open()
      const consumer = bus.consumer('one', 'a')
      expect(await consumer.poll({ max: 5, waitMs: 0 })).toEqual([])
      expect(await consumer.poll({ max: 5, waitMs: 3 })).toEqual([])
      const stop = new AbortController()
      const stopped = consumer.poll({ max: 5, signal: stop.signal })
      stop.abort()
      expect(await stopped).toEqual([])
      const waited = consumer.poll({ max: 5 })
      await bus.publish('one', 't', [bytesOf('came')])
      expect(linesOf(await waited)).toBe('t:came')
      await bus.close()
    })

    test('delivers uncommitted messages again after a restart, and no others', async () => {
      const { bus, reopen } = await open()
      await publishLines(bus, 'two', range(12))
      const a = bus.consumer('two', 'a')
      await takeAll(a)
      await a.commit(7)
      const again = await reopen()
      expect(linesOf(await takeAll(again.consumer('two', 'a')))).toBe('t:7 t:8 t:9 t:10 t:11')
      expect((await takeAll(again.consumer('two', 'b'))).length).toBe(12)
      expect((await again.publish('two', 't', [bytesOf('12')])).firstOffset).toBe(12)
      await again.close()
    })

    test('starts a new reader at the committed offset, and closes the one before', async () => {
      const { bus } = await open()
      await publishLines(bus, 'one', range(5))
      const before = bus.consumer('one', 'a')
      await takeAll(before)
      await before.commit(2)
      const after = bus.consumer('one', 'a')
      await expect(before.poll({ max: 1 })).rejects.toMatchObject({ code: 'CLOSED' })
      await expect(before.commit(3)).rejects.toMatchObject({ code: 'CLOSED' })
      expect(linesOf(await takeAll(after))).toBe('t:2 t:3 t:4')
      await bus.close()
    })

    test('never moves a commit back, nor beyond what was polled', async () => {
      const { bus, reopen } = await open()
      await publishLines(bus, 'one', range(5))
      const consumer = bus.consumer('one', 'a')
      await consumer.poll({ max: 3 })
      for (const offset of [4, 2.5, Number.NaN]) await expect(consumer.commit(offset)).rejects.toThrow(RangeError)
      await Promise.all([consumer.commit(3), consumer.commit(2)])
      await consumer.commit(1)
      expect(bus.stats('one').consumers[0]!.committedOffset).toBe(3)
      expect((await reopen()).stats('one').consumers[0]!.committedOffset).toBe(3)
    })

    test.for([1, 7, 14])('counts the lag of a batch of 20 of which %i are committed, also after a restart', async (committed) => {
      const { bus, reopen } = await open()
      await bus.publish('two', 't', Array.from({ length: 20 }, (_, i) => bytesOf(String(i))))
      const consumer = bus.consumer('two', 'a')
      await consumer.poll({ max: committed })
      await consumer.commit(committed)
      expect(lagOf(bus, 'two', 'a')).toEqual({ t: 20 - committed })
      const again = await reopen()
      expect(lagOf(again, 'two', 'a')).toEqual({ t: 20 - committed })
      await again.close()
    })

    test.for([0, 1, 7, 10, 13, 20])('counts the lag behind a commit in a batch, at offset %d, after a restart', async (offset) => {
      const { bus, reopen } = await open()
      for (const tenant of ['t', 'u']) await bus.publish('one', tenant, Array.from({ length: 10 }, (_, i) => bytesOf(`${i}`)))
      const consumer = bus.consumer('one', 'a')
      await takeAll(consumer)
      await consumer.commit(offset)
      const [t, u] = [Math.max(0, 10 - offset), Math.min(10, 20 - offset)]
      const wanted = { ...(t > 0 && { t }), ...(u > 0 && { u }) }
      expect(lagOf(bus, 'one', 'a')).toEqual(wanted)
      const again = await reopen()
      expect(lagOf(again, 'one', 'a')).toEqual(wanted)
      await again.close()
    })

    test('reads again what was polled and not committed, from any offset', async () => {
      const { bus } = await open()
      await publishLines(bus, 'one', range(12))
      await bus.publish('one', 'u', Array.from({ length: 9 }, (_, i) => bytesOf(`${i}`)))
      const consumer = bus.consumer('one', 'a')
      await takeAll(consumer)
      await consumer.commit(3)
      expect(() => consumer.readAgain(2)).toThrow(RangeError)
      for (const offset of [3, 7, 15]) {
        const reader = consumer.readAgain(offset)
        const read: Message[] = []
        for (let some = await reader.read(4); some.length > 0; some = await reader.read(4)) read.push(...some)
        expect(read.map((message) => message.offset)).toEqual(Array.from({ length: 21 - offset }, (_, i) => offset + i))
      }
      await consumer.commit(21)
      expect(lagOf(bus, 'one', 'a')).toEqual({})
      await bus.close()
    })

    test('keeps some of what is committed, which no consumer gets again', async () => {
      const { bus, reopen } = await open()
      for (let i = 0; i < 20; i++) await bus.publish('kept', 't', [bytesOf(`${i}`.padEnd(100))])
      const consumer = bus.consumer('kept', 'a')
      await takeAll(consumer)
      await consumer.commit(20)
      await bus.publish('kept', 't', [bytesOf('new')])
      const again = await reopen()
      const reader = again.readKept('kept')
      const kept: Message[] = []
      for (let read = await reader.read(7); read.length > 0; read = await reader.read(7)) kept.push(...read)
      expect(kept.map(({ offset }) => offset)).toEqual([...Array(21).keys()].slice(-kept.length))
      expect(kept.length, 'the new one, and those of some files').toBeGreaterThan(2)
      expect((await takeAll(again.consumer('kept', 'a'))).map(({ offset }) => offset)).toEqual([20])
      await again.close()
    })

    test('reads the newest of what is stored, and from an offset on', async () => {
      const { bus, reopen } = await open()
      for (let i = 0; i < 20; i++) await bus.publish('none', 't', [bytesOf(`${i}`.padEnd(100))])
      const again = await reopen()
      const readOffsets = async (where: KeptMessages): Promise<number[]> => {
        const reader = again.readKept('none', where)
        const offsets: number[] = []
        for (let read = await reader.read(7); read.length > 0; read = await reader.read(7)) offsets.push(...read.map(({ offset }) => offset))
        return offsets
      }
      const all = await readOffsets({})
      expect(all.at(-1)).toBe(19)
      expect(await readOffsets({ from: 17 })).toEqual([17, 18, 19])
      expect(await readOffsets({ newestBytes: 1e9 })).toEqual(all)
      const newest = await readOffsets({ newestBytes: 0 })
      expect(newest).toEqual(all.slice(-newest.length))
      expect(await readOffsets({ newestBytes: 0, from: 19 })).toEqual([19])
      await again.close()
    })

    test('discards what was published and committed, kept copies too, and goes on with the next offset', async () => {
      const { bus, reopen } = await open()
      const readOffsets = async (from: Bus): Promise<number[]> => {
        const reader = from.readKept('kept')
        const offsets: number[] = []
        for (let read = await reader.read(7); read.length > 0; read = await reader.read(7)) offsets.push(...read.map(({ offset }) => offset))
        return offsets
      }
      for (let i = 0; i < 20; i++) await bus.publish('kept', 't', [bytesOf(`${i}`.padEnd(100))])
      const consumer = bus.consumer('kept', 'a')
      await takeAll(consumer)
      await consumer.commit(19)
      expect(await bus.discard('kept'), 'one is not committed').toBe(false)
      expect((await readOffsets(bus)).at(-1)).toBe(19)
      await consumer.commit(20)
      expect(await bus.discard('kept')).toBe(true)
      expect(await readOffsets(bus)).toEqual([])
      expect((await bus.publish('kept', 't', [bytesOf('new')])).firstOffset).toBe(20)
      const again = await reopen()
      expect(await readOffsets(again)).toEqual([20])
      expect((await takeAll(again.consumer('kept', 'a'))).map(({ offset }) => offset)).toEqual([20])
      await again.close()
    })

    test('publishes again what is kept of discarded messages', async () => {
      const { bus } = await open()
      for (let i = 0; i < 9; i++) await bus.publish('none', i % 2 === 0 ? 't' : 'u', [bytesOf(`${i}`.padEnd(100))])
      expect(await bus.discard('none', ({ tenant }) => tenant === 'u')).toBe(true)
      const reader = bus.readKept('none')
      const kept = await reader.read(100)
      expect(kept.map((message) => [message.offset, message.tenant, textOf(message).trim()]))
        .toEqual([[9, 'u', '1'], [10, 'u', '3'], [11, 'u', '5'], [12, 'u', '7']])
      await bus.close()
    })

    test('counts the lag of each consumer by tenant, also after a restart', async () => {
      const { bus, reopen } = await open()
      await publishLines(bus, 'two', 't:1 u:2 t:3 t:4 u:5 v:6 t:7')
      const a = bus.consumer('two', 'a')
      await a.poll({ max: 4 })
      await a.commit(4)
      const wanted = { a: { t: 1, u: 1, v: 1 }, b: { t: 4, u: 2, v: 1 } }
      expect({ a: lagOf(bus, 'two', 'a'), b: lagOf(bus, 'two', 'b') }).toEqual(wanted)
      const again = await reopen()
      expect({ a: lagOf(again, 'two', 'a'), b: lagOf(again, 'two', 'b') }).toEqual(wanted)
      const rest = again.consumer('two', 'a')
      await takeAll(rest)
      await rest.commit(7)
      expect(lagOf(again, 'two', 'a')).toEqual({})
      await again.close()
    })

    test('rejects what exceeds its capacity, loses nothing else, and accepts messages again after a commit', async () => {
      const { bus } = await open()
      const sent: string[] = []
      const refused = new Set<string>()
      for (let i = 0; i < 60; i++) {
        const tenant = `tenant-${i % 5}`
        await bus.publish('two', tenant, [bytesOf(`${i} ${'x'.repeat(60)}`)]).then(
          () => sent.push(String(i)), (error: { readonly code: string }) => refused.add(error.code))
      }
      expect([sent.length < 60, [...refused], bus.stats('two').backlogBytes <= testSizes.topicBytesMax]).toEqual([true, ['FULL'], true])
      const consumers = [bus.consumer('two', 'a'), bus.consumer('two', 'b')]
      for (const consumer of consumers) {
        await expect(bus.publish('two', 't', [bytesOf('x'.repeat(200))])).rejects.toMatchObject({ code: 'FULL' })
        expect((await takeAll(consumer)).map((message) => textOf(message).split(' ')[0])).toEqual(sent)
        await consumer.commit(sent.length)
      }
      expect(bus.stats('two').backlogBytes).toBe(0)
      await bus.publish('two', 't', [bytesOf('x'.repeat(200))])
      await bus.close()
    })

    test('gives no tenant the share of others', async () => {
      const { bus } = await open()
      const loud = Array.from({ length: 30 }, () => bytesOf('x'.repeat(80)))
      await expect(bus.publish('one', 'loud', loud)).rejects.toMatchObject({ code: 'FULL' })
      await expect(bus.publish('one', 'loud', loud.slice(0, 20))).rejects.toMatchObject({ code: 'TENANT_FULL' })
      await bus.publish('one', 'loud', loud.slice(0, 17))
      await expect(bus.publish('one', 'loud', loud.slice(0, 1))).rejects.toMatchObject({ code: 'TENANT_FULL' })
      await bus.publish('one', 'quiet', loud.slice(0, 5))
      await bus.publish('two', 'loud', loud.slice(0, 20))
      await bus.close()
    })

    test.for<[title: string, refused: (bus: Bus) => Promise<unknown>, message: RegExp]>([
      ['an unknown topic', (bus) => bus.publish('three', 't', [bytesOf('x')]), /unknown topic three/],
      ['an unknown consumer', async (bus) => bus.consumer('one', 'b'), /no consumer b/],
      ['no messages', (bus) => bus.publish('one', 't', []), /no message/],
      ['too many messages', (bus) => bus.publish('one', 't', Array<Uint8Array>(10_001).fill(bytesOf(''))), /at most 10000/],
      ['a message that is too long', (bus) => bus.publish('one', 't', [new Uint8Array(2_097_153)]), /2097153/],
      ['a tenant without a name', (bus) => bus.publish('one', '', [bytesOf('x')]), /1 to 128/],
    ])('refuses %s', async ([, refused, message]) => {
      const { bus } = await open()
      await expect(refused(bus)).rejects.toThrow(message)
      expect((await bus.publish('one', '../t\u0000', [bytesOf('x')])).firstOffset).toBe(0)
      await bus.close()
      await expect(bus.publish('one', 't', [bytesOf('x')])).rejects.toMatchObject({ code: 'CLOSED' })
    })
  })
}
