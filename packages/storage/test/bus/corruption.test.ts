import { expect, test } from 'vitest'
import type { Message } from '../../src/bus/bus.ts'
import { openLocalBus } from '../../src/bus/local/local-bus.ts'
import { defaultBusSizes } from '../../src/bus/bus-sizes.ts'
import { verifyBus } from '../../src/bus/local/verify-bus.ts'
import { chanceOf, seed } from '../events/power-cuts.ts'
import { SimulatedDisk } from '../events/simulated-disk.ts'
import { testTopics } from './conformance.ts'

const path = 'topics/one/00000001.log'
const publishedCount = { t: 2_500, u: 3, v: 1 }

function open(disk: SimulatedDisk): ReturnType<typeof openLocalBus> {
  return openLocalBus({ disk, topics: testTopics, sizes: defaultBusSizes })
}

/** A disk with a topic of three tenants. */
async function writeTopic(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk()
  const bus = await open(disk)
  for (const [tenant, count] of Object.entries(publishedCount)) {
    await bus.publish('one', tenant, Array.from({ length: count }, (_, i) => Buffer.from(`${tenant} ${i}`)))
  }
  await bus.close()
  return disk
}

/** Reads the topic, commits it, and returns the messages and the lag of each tenant before and after. */
async function readTopic(disk: SimulatedDisk): Promise<{ readonly messages: readonly Message[]; readonly lags: readonly object[] }> {
  const bus = await open(disk)
  const getLag = () => Object.fromEntries(bus.stats('one').consumers.find(({ name }) => name === 'a')!.lag)
  const lags = [getLag()]
  const consumer = bus.consumer('one', 'a')
  const messages: Message[] = []
  for (;;) {
    const some = await consumer.poll({ max: 700, waitMs: 0 })
    if (some.length === 0) break
    messages.push(...some)
    await consumer.commit(some.at(-1)!.offset + 1)
  }
  lags.push(getLag())
  await bus.close()
  return { messages, lags }
}

test(`a flipped bit anywhere costs at most a unit, and its messages count for their tenants (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  const pristine = await (await writeTopic()).open(path, 'read')
  const size = await pristine.size()
  // A corrupted end of the last file cannot be told from a torn one, and loses nothing.
  const lastRecordStart = (await pristine.read(0, size)).lastIndexOf('TREC')
  // The whole range of a small part, where records of few messages and trailers are, and samples of the rest.
  const offsets = Array.from({ length: 40 }, (_, i) => size - 1 - i * 9).concat(Array.from({ length: 25 }, () => Math.floor(chance() * size)))
  for (const offset of offsets) {
    const disk = await writeTopic()
    disk.flip(path, offset)
    const { messages, lags } = await readTopic(disk)
    const counts = Object.fromEntries([...Map.groupBy(messages, ({ tenant }) => tenant)].map(([tenant, all]) => [tenant, all.length]))
    expect([offset, counts, lags]).toEqual([offset, publishedCount, [publishedCount, {}]])
    expect(messages.map((message) => message.offset)).toEqual(messages.map((_, i) => i))
    const lost = messages.filter(({ lostCost }) => lostCost !== undefined)
    expect(lost.length).toBeLessThanOrEqual(1_000)
    expect(lost.every(({ bytes }) => bytes.length === 0)).toBe(true)
    expect([offset, (await verifyBus(disk)).corruptions.length > 0]).toEqual([offset, offset < lastRecordStart])
  }
})

test('where a batch and its trailer are corrupted, the messages are counted without a tenant, and nothing else is lost', async () => {
  const disk = await writeTopic()
  const file = await disk.open(path, 'read')
  const bytes = await file.read(0, await file.size())
  disk.flip(path, bytes.indexOf('u 1'))
  // The trailer follows the batch, and names the tenant.
  disk.flip(path, bytes.indexOf('u', bytes.indexOf('u 2') + 3))
  const { messages, lags } = await readTopic(disk)
  expect(messages.filter(({ lostCost }) => lostCost !== undefined)).toEqual([])
  expect(messages).toHaveLength(2_501)
  expect(lags[1]).toEqual({})
})

test('a topic without trailers, as it was written before, is read', async () => {
  const disk = new SimulatedDisk()
  const bus = await open(disk)
  await bus.publish('one', 't', [Buffer.from('x'), Buffer.from('y')], { isControl: true })
  await bus.close()
  expect((await readTopic(disk)).messages.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['x', 'y'])
})
