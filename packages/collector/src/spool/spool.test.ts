import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Spool } from './spool.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tripline-spool-'))
})
// A test that opens a spool twice leaves the first as a killed process would; its files are closed at the end.
const opened: Spool[] = []
afterEach(async () => {
  for (const spool of opened.splice(0)) await spool.close()
  await rm(root, { recursive: true })
})

const capacityBytes = 1_048_576
async function open(): Promise<Spool> {
  const spool = await Spool.open(nodeFileSystem(root), { capacityBytes, createId: () => 'a', now: () => 1_000 })
  opened.push(spool)
  return spool
}
const lines = (from: number, count: number, pad = ''): Buffer[] => Array.from({ length: count }, (_, i) => Buffer.from(JSON.stringify({ n: from + i, pad })))

/** The numbers of all events that can be taken. */
async function drain(spool: Spool): Promise<number[]> {
  const numbers: number[] = []
  for (let batch = await spool.take(); batch !== undefined; batch = await spool.take()) {
    const events = batch.lines.toString().trimEnd().split('\n').map((line): unknown => JSON.parse(line))
    expect(events).toHaveLength(batch.count)
    numbers.push(...events.map((event) => Number(Reflect.get(Object(event), 'n'))))
    await spool.acknowledge(batch)
  }
  return numbers
}

test('events come out as they went in, and then the spool is empty', async () => {
  const spool = await open()
  await spool.append('a', lines(0, 3), { offset: 30 })
  await spool.append('b', lines(3, 2))
  expect(spool.stats).toMatchObject({ events: 5, droppedTotal: 0, oldestAt: 1_000 })
  expect(await drain(spool)).toEqual([0, 1, 2, 3, 4])
  expect(spool.stats.events).toBe(0)
})

test('what was not acknowledged, and the positions of sources, are there after a restart', async () => {
  const first = await open()
  await first.append('a', lines(0, 3), { offset: 30 })
  const batch = (await first.take())!
  await first.acknowledge(batch)
  await first.append('a', lines(3, 3), { offset: 60 })
  // No close: the process was killed.
  const second = await open()
  expect(second.getPosition('a')).toEqual({ offset: 60 })
  expect((await drain(second)).slice(-3)).toEqual([3, 4, 5])
  await second.append('a', lines(6, 1), { offset: 70 })
  expect(await drain(second)).toEqual([6])
  await second.close()
  const third = await open()
  expect([third.id, third.getPosition('a'), third.stats.events]).toEqual(['a', { offset: 70 }, 0])
})

test('sequence numbers go on over restarts, so that a batch is sent again under the same ones', async () => {
  const first = await open()
  await first.append('a', lines(0, 3))
  const sent = await first.take()
  const second = await open()
  expect(await second.take()).toEqual(sent)
  await second.close()
})

test('each event of a full spool is sent or counted as dropped', async () => {
  const spool = await open()
  const pad = 'x'.repeat(1_000)
  for (let i = 0; i < 300; i++) await spool.append('a', lines(i * 10, 10, pad))
  const { events, droppedTotal, bytes } = spool.stats
  expect(droppedTotal).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(capacityBytes * 1.2)
  const rest = await drain(spool)
  expect([rest.length, rest.length + droppedTotal]).toEqual([events, 3_000])
  expect(rest.at(-1)).toBe(2_999)
})

test('what is being sent while the spool runs over is not counted as dropped', async () => {
  const spool = await open()
  const pad = 'x'.repeat(1_000)
  for (let i = 0; i < 30; i++) await spool.append('a', lines(i * 10, 10, pad))
  const batch = (await spool.take())!
  for (let i = 30; i < 300; i++) await spool.append('a', lines(i * 10, 10, pad))
  await spool.acknowledge(batch)
  const { droppedTotal } = spool.stats
  const rest = await drain(spool)
  expect(droppedTotal).toBeGreaterThan(0)
  expect(batch.count + rest.length + droppedTotal).toBe(3_000)
})

test('counts stay exact over restarts', async () => {
  const pad = 'x'.repeat(1_000)
  let spool = await open()
  for (let i = 0; i < 300; i++) {
    await spool.append('a', lines(i * 10, 10, pad))
    if (i % 50 === 49) spool = await open()
  }
  const { droppedTotal, events } = spool.stats
  expect([(await drain(spool)).length, events + droppedTotal]).toEqual([events, 3_000])
})

test('a spool is crowded before it drops anything', async () => {
  const spool = await open()
  for (let i = 0; !spool.isCrowded; i++) await spool.append('a', lines(i, 1, 'x'.repeat(10_000)))
  expect(spool.stats.droppedTotal).toBe(0)
  await drain(spool)
  expect(spool.isCrowded).toBe(false)
})
