import { describe, expect, test } from 'vitest'
import type { Bus, Consumer, TopicTable } from '../../src/bus/bus.ts'
import { openLocalBus } from '../../src/bus/local/local-bus.ts'
import { chanceOf, seed, untilPowerLost } from '../events/power-cuts.ts'
import { SimulatedDisk } from '../events/simulated-disk.ts'
import { bytesOf, publishLines, takeAll, testSizes, testTopics, textOf } from './conformance.ts'

function open(disk: SimulatedDisk): Promise<Bus> {
  return openLocalBus({ disk, topics: testTopics, sizes: testSizes })
}

/** What was published and acknowledged over several lives of a bus, and what its consumers received. */
class Run {
  #nextId = 0
  readonly #sent = new Set<string>()
  /** Texts by acknowledged offset. */
  readonly #acknowledged = new Map<number, string>()
  /** For each consumer, texts by offset. */
  readonly #delivered = { a: new Map<number, string>(), b: new Map<number, string>() }
  /** What a consumer tried to commit; nothing behind it may be missing. */
  readonly #asked = { a: 0, b: 0 }
  /** Violations in what consumers received: an offset belongs to one message for ever, and none is left out. */
  readonly #surprises: string[] = []

  /** Publishes and consumes concurrently until all is done or the power fails. */
  async live(bus: Bus): Promise<void> {
    const publishing = Promise.all([0, 1].map((sender) => this.#publish(bus, `tenant-${sender}`)))
    await Promise.all([publishing, this.#consume(bus, 'a', 3), this.#consume(bus, 'b', 5)])
  }

  /** Polls everything that is left and returns all violations. */
  async faults(bus: Bus): Promise<object> {
    for (const name of ['a', 'b'] as const) {
      const consumer = bus.consumer('two', name)
      this.#deliver(name, bus.stats('two').consumers.find((one) => one.name === name)!.committedOffset, await takeAll(consumer))
    }
    const { corruptedCount: damagedCount } = bus.stats('two')
    const missing = Object.values(this.#delivered).flatMap((delivered) =>
      [...this.#acknowledged].filter(([offset, text]) => delivered.get(offset) !== text))
    const texts = [...this.#delivered.a.values()]
    const unknown = texts.filter((text) => !this.#sent.has(text))
    const isOrdered = [0, 1].every((sender) => isAscending(this.#orderOf(`tenant-${sender}`)))
    return { missing, unknown, surprises: this.#surprises, isOrdered, damagedCount, twice: texts.length - new Set(texts).size }
  }

  async #publish(bus: Bus, tenant: string): Promise<void> {
    for (let batch = 0; batch < 8; batch++) {
      const texts = Array.from({ length: 1 + (this.#nextId % 3) }, () => `${tenant} ${this.#nextId++}`)
      for (const text of texts) this.#sent.add(text)
      const { firstOffset } = await bus.publish('two', tenant, texts.map(bytesOf))
      for (const [i, text] of texts.entries()) this.#acknowledged.set(firstOffset + i, text)
    }
  }

  async #consume(bus: Bus, name: 'a' | 'b', max: number): Promise<void> {
    const consumer = bus.consumer('two', name)
    let next = bus.stats('two').consumers.find((one) => one.name === name)!.committedOffset
    for (let turn = 0; turn < 8; turn++) {
      const taken = await consumer.poll({ max, waitMs: 0 })
      next = this.#deliver(name, next, taken)
      this.#asked[name] = Math.max(this.#asked[name], next)
      await consumer.commit(next)
    }
  }

  /** Records received messages, which must continue where the consumer was; returns the offset behind them. */
  #deliver(name: 'a' | 'b', from: number, taken: Awaited<ReturnType<Consumer['poll']>>): number {
    if (from > this.#asked[name]) this.#surprises.push(`${name} goes on at ${from}, but was at ${this.#asked[name]}`)
    for (const [i, message] of taken.entries()) {
      if (message.offset !== from + i) this.#surprises.push(`${name} was given ${message.offset} instead of ${from + i}`)
      const before = this.#delivered[name].get(message.offset) ?? textOf(message)
      if (before !== textOf(message)) this.#surprises.push(`${name} was given another message at ${message.offset}`)
      this.#delivered[name].set(message.offset, textOf(message))
      this.#asked[name] = Math.max(this.#asked[name], message.offset + 1)
    }
    return from + taken.length
  }

  #orderOf(tenant: string): number[] {
    const all = [...this.#delivered.a].sort(([a], [b]) => a - b).map(([, text]) => text.split(' '))
    return all.flatMap(([name, id]) => (name === tenant ? [Number(id)] : []))
  }
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || numbers[i - 1]! < number)
}

const noFaults = { missing: [], unknown: [], surprises: [], isOrdered: true, damagedCount: 0, twice: 0 }

/** Cuts the power at a step and again at another, and inspects the result. */
async function checkCrashAt(step: number, chance: () => number): Promise<void> {
  const run = new Run()
  let disk = new SimulatedDisk({ faultAt: (number) => (number === step ? 'powerCut' : undefined) })
  const secondCut = Math.floor(chance() * 60)
  for (const cutAt of [secondCut, undefined]) {
    await untilPowerLost((async () => {
      const bus = await open(disk)
      await run.live(bus)
      await bus.close()
    })())
    disk = disk.restarted(chance, { faultAt: (number) => (number === cutAt ? 'powerCut' : undefined) })
  }
  const bus = await open(disk)
  expect({ step, secondCut, ...(await run.faults(bus)) }).toEqual({ step, secondCut, ...noFaults })
  const { nextOffset } = bus.stats('two')
  expect((await bus.publish('two', 't', [bytesOf('after')])).firstOffset).toBe(nextOffset)
  await bus.close()
}

test(`a power cut at any step loses no acknowledged message, and keeps offsets and order (seed ${seed})`, async () => {
  const whole = new SimulatedDisk()
  const bus = await open(whole)
  await new Run().live(bus)
  await bus.close()
  expect(whole.stepCount).toBeGreaterThan(60)
  const chance = chanceOf(seed)
  const rounds = process.env['TRIPLINE_FULL'] === '1' ? 40 : 3
  for (let round = 0; round < rounds; round++) {
    for (let step = 0; step <= whole.stepCount; step++) await checkCrashAt(step, chance)
  }
})

test('messages that a killed process left unsynced, and that one consumer received, reach the other after a power cut', async () => {
  let isKilled = false
  const disk = new SimulatedDisk({ faultAt: (_, step) => (isKilled && step.startsWith('sync topics/two') ? 'powerCut' : undefined) })
  const bus = await open(disk)
  await publishLines(bus, 'two', 't:0')
  isKilled = true
  await untilPowerLost(publishLines(bus, 'two', 't:1'))
  const found = disk.afterKill()
  const next = await open(found)
  const a = next.consumer('two', 'a')
  expect((await takeAll(a)).map(textOf)).toEqual(['0', '1'])
  await a.commit(2)
  const last = await open(found.restarted(() => 0))
  expect((await takeAll(last.consumer('two', 'b'))).map(textOf)).toEqual(['0', '1'])
  await last.close()
})

describe('faults', () => {
  test.for<[fault: 'failedSync' | 'failedWrite', what: string]>([
    ['failedSync', 'sync topics/one'],
    ['failedWrite', 'write topics/one'],
    ['failedSync', 'sync folder topics/one'],
    ['failedSync', 'sync commits'],
    ['failedWrite', 'write commits'],
  ])('after a %s at %s nothing more is published, and earlier messages are still read', async ([fault, what]) => {
    let isFaulty = false
    const disk = new SimulatedDisk({ faultAt: (_, step) => (isFaulty && step.includes(what) ? fault : undefined) })
    const bus = await open(disk)
    await publishLines(bus, 'one', 't:before')
    const consumer = bus.consumer('one', 'a')
    await consumer.poll({ max: 1 })
    isFaulty = true
    const refused: string[] = []
    const refuse = (error: { readonly code: string }) => void refused.push(error.code)
    await consumer.commit(1).catch(refuse)
    for (let i = 0; i < 12; i++) await bus.publish('one', 't', [bytesOf(String(i).repeat(40))]).catch(refuse)
    isFaulty = false
    // What was being written may be found after a restart, and nothing else is written.
    expect([refused[0], new Set(refused.slice(1))]).toEqual(['UNKNOWN', new Set(['FAILED'])])
    for (const topic of ['one', 'two']) await expect(bus.publish(topic, 't', [bytesOf('x')])).rejects.toThrow('the bus stopped after a disk failure')
    expect((await takeAll(consumer)).length).toBe(bus.stats('one').nextOffset - 1)
    await bus.close()
    const again = await open(disk.restarted(() => 1))
    expect(again.stats('one').nextOffset).toBeGreaterThanOrEqual(1)
    await publishLines(again, 'one', 't:after')
    await again.close()
  })

  test.for<[what: string]>([['write topics/one'], ['write commits']])(
    'a disk that is full at %s rejects messages, goes on reading, and accepts messages again once there is space', async ([what]) => {
      let isFull = false
      const disk = new SimulatedDisk({ faultAt: (_, step) => (isFull && step.includes(what) ? 'full' : undefined) })
      const bus = await open(disk)
      const consumer = bus.consumer('one', 'a')
      const [taken, refused, delivered]: [string[], string[], string[]] = [[], [], []]
      for (let i = 0; i < 60; i++) {
        isFull = (18 <= i && i < 30) || (41 <= i && i < 45)
        await bus.publish('one', 't', [bytesOf(`${i} ${'x'.repeat(50)}`)]).then(
          () => taken.push(String(i)), (error: { readonly code: string }) => refused.push(error.code))
        const messages = await takeAll(consumer)
        delivered.push(...messages.map((message) => textOf(message).split(' ')[0]!))
        await consumer.commit(delivered.length).catch((error: { readonly code: string }) => refused.push(error.code))
      }
      expect(new Set(refused)).toEqual(new Set(['FULL']))
      expect(delivered).toEqual(taken)
      expect(bus.stats('one')).toMatchObject({ backlogBytes: 0, corruptedCount: 0, nextOffset: taken.length })
      await bus.close()
    })

  test('partial writes are completed', async () => {
    const disk = new SimulatedDisk({ faultAt: () => 'shortWrite' })
    const bus = await open(disk)
    const run = new Run()
    await run.live(bus)
    await bus.close()
    const again = await open(disk.restarted(() => 0))
    expect(await run.faults(again)).toEqual(noFaults)
    await again.close()
  })

  test('files that every consumer has committed are removed, and no others', async () => {
    const disk = new SimulatedDisk()
    const bus = await open(disk)
    const filesOf = (topic: string) => disk.paths.filter((path) => path.startsWith(`topics/${topic}/`)).length
    const consumers = [bus.consumer('two', 'a'), bus.consumer('two', 'b')]
    for (let i = 0; i < 18; i++) await publishLines(bus, 'two', `t:${'x'.repeat(60)}`)
    const before = filesOf('two')
    for (const consumer of consumers) {
      expect(filesOf('two')).toBe(before)
      await takeAll(consumer)
      await consumer.commit(18)
    }
    expect([before > 3, filesOf('two')]).toEqual([true, 1])
    await bus.close()
    const again = await open(disk.restarted(() => 0))
    expect((await again.publish('two', 't', [bytesOf('x')])).firstOffset).toBe(18)
    expect(disk.paths.filter((path) => path.startsWith('commits/')).length).toBeLessThanOrEqual(2)
    await again.close()
  })

  test('a commit on a full disk frees its own space', async () => {
    let isFull = false
    const disk = new SimulatedDisk({
      faultAt: (_, step) => {
        if (step.startsWith('remove topics/one')) isFull = false
        return isFull && step.startsWith('write') ? 'full' : undefined
      },
    })
    const bus = await open(disk)
    for (let i = 0; i < 18; i++) await publishLines(bus, 'one', `t:${'x'.repeat(60)}`)
    const consumer = bus.consumer('one', 'a')
    await takeAll(consumer)
    isFull = true
    await consumer.commit(18)
    await publishLines(bus, 'one', 't:after')
    expect((await takeAll(consumer)).map(textOf)).toEqual(['after'])
    await bus.close()
  })

  test('a commit that no removal makes space for fails, and its removals stay', async () => {
    let isFull = false
    const disk = new SimulatedDisk({ faultAt: (_, step) => (isFull && step.startsWith('write commits') ? 'full' : undefined) })
    const bus = await open(disk)
    for (let i = 0; i < 18; i++) await publishLines(bus, 'one', `t:${'x'.repeat(60)}`)
    const consumer = bus.consumer('one', 'a')
    await takeAll(consumer)
    isFull = true
    await expect(consumer.commit(18)).rejects.toMatchObject({ code: 'FULL' })
    isFull = false
    const { consumers: [stats] } = bus.stats('one')
    const left = await takeAll(bus.consumer('one', 'a'))
    expect([left[0]!.offset, left.length, stats!.lag.get('t')]).toEqual([stats!.committedOffset, 18 - stats!.committedOffset, left.length])
    expect(stats!.committedOffset).toBeGreaterThan(0)
    await bus.close()
    const again = await open(disk.restarted(() => 0))
    expect((await takeAll(again.consumer('one', 'a'))).length).toBe(left.length)
    expect(again.stats('one')).toMatchObject({ corruptedCount: 0, backlogBytes: left.length * (60 + 64) })
    await again.close()
  })

  test.for<[settings: TopicTable, message: RegExp]>([
    [{ 'Raw/../x': { consumers: ['a'], overflow: 'refuse', hasTenantShare: false } }, /not a topic name/],
    [{ raw: { consumers: [], overflow: 'refuse', hasTenantShare: false } }, /has no consumer; add/],
  ])('an invalid topic table is rejected: %o', async ([topics, message]) => {
    await expect(openLocalBus({ disk: new SimulatedDisk(), topics })).rejects.toThrow(message)
  })

  test('a topic that drops its oldest messages accepts new ones, and counts the dropped ones', async () => {
    const disk = new SimulatedDisk()
    const bus = await open(disk)
    for (let i = 0; i < 200; i++) await publishLines(bus, 'none', `t:${'x'.repeat(60)}`)
    const { nextOffset, droppedCount } = bus.stats('none')
    const sizes = disk.paths.filter((path) => path.startsWith('topics/none/')).map((path) => disk.sizeOf(path))
    expect([nextOffset, droppedCount > 50]).toEqual([200, true])
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(testSizes.topicBytesMax)
    await bus.close()
  })
})

describe('damage', () => {
  /** A topic of several files with thirty messages, and a commit of the first two. */
  async function filled(): Promise<SimulatedDisk> {
    const disk = new SimulatedDisk()
    const bus = await open(disk)
    for (let i = 0; i < 30; i++) await publishLines(bus, 'one', `t:${i}`)
    const consumer = bus.consumer('one', 'a')
    await consumer.poll({ max: 2 })
    await consumer.commit(2)
    await bus.close()
    return disk
  }

  test('a flipped bit anywhere in a topic costs only its record, and is counted', async () => {
    const pristine = await filled()
    const files = pristine.paths.filter((path) => path.startsWith('topics/one/'))
    let lostCount = 0
    for (const path of files) {
      for (let offset = 0; offset < pristine.sizeOf(path); offset += 3) {
        const disk = pristine.restarted(() => 0)
        disk.flip(path, offset)
        const bus = await open(disk)
        await publishLines(bus, 'one', 't:more')
        const messages = await takeAll(bus.consumer('one', 'a'))
        const texts = messages.filter(({ lostCost }) => lostCost === undefined).map(textOf)
        const wanted = [...Array.from({ length: 28 }, (_, i) => String(i + 2)), 'more']
        const lost = wanted.filter((text) => !texts.includes(text))
        const { corruptedCount, firstCorruption } = bus.stats('one')
        expect([path, offset, texts]).toEqual([path, offset, wanted.filter((text) => !lost.includes(text))])
        expect([path, offset, lost.length <= 1, corruptedCount]).toEqual([path, offset, true, lost.length])
        expect(messages.length - texts.length).toBe(corruptedCount)
        if (corruptedCount > 0) expect(firstCorruption!.file.startsWith('topics/one/')).toBe(true)
        lostCount += corruptedCount
        await bus.close()
      }
    }
    expect(lostCount).toBeGreaterThan(100)
  })

  test('a flipped bit in the committed offsets repeats messages, and skips none', async () => {
    const pristine = await filled()
    const path = pristine.paths.find((one) => one.startsWith('commits/'))!
    for (let offset = 0; offset < pristine.sizeOf(path); offset++) {
      const disk = pristine.restarted(() => 0)
      disk.flip(path, offset)
      const bus = await open(disk)
      const [first] = await bus.consumer('one', 'a').poll({ max: 1 })
      expect([offset, first!.offset <= 2]).toEqual([offset, true])
      await bus.close()
    }
  })

  test('a committed offset is never given to another message, even if its record is gone', async () => {
    const disk = await filled()
    const bus = await open(disk)
    const consumer = bus.consumer('one', 'a')
    await takeAll(consumer)
    await consumer.commit(30)
    await bus.close()
    const path = disk.paths.findLast((one) => one.startsWith('topics/one/'))!
    disk.flip(path, disk.sizeOf(path) - 1)
    const again = await open(disk)
    expect((await again.publish('one', 't', [bytesOf('after')])).firstOffset).toBe(30)
    expect((await takeAll(again.consumer('one', 'a'))).map(textOf)).toEqual(['after'])
    await again.close()
  })
})
