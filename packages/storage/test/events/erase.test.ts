import { expect, test } from 'vitest'
import type { BlockDamage } from '../../src/events/damage-log.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import type { SegmentEventStore } from '../../src/events/segment-store.ts'
import { newEvent, queryOf, textOf } from './conformance.ts'
import { chanceOf, seed, untilPowerLost } from './power-cuts.ts'
import { everything, text } from './predicates.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const day = 86_400_000
const sizes = { blockRowsMax: 7, logFileBytesMax: 900, logFilesMax: 2, cacheBytesMax: 0, filterBytesMax: 0 }
const person = 'qzjxkvwy'
const query = { tenant: 't', predicate: text(undefined, `*${person}*`) }

function open(disk: SimulatedDisk, damages: BlockDamage[] = []): Promise<SegmentEventStore> {
  return openSegmentEventStore({ disk, elapsedMs: () => 0, sizes, onDamage: (damage) => damages.push(damage) })
}

/** Events of three days, every fourth of the person; those of the first day are in the trash. */
async function fill(store: SegmentEventStore): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await store.append('t', [newEvent((i % 3) * day + i, { id: `event-${i}`, user: i % 4 === 0 ? person : 'another' })], i)
  }
  await store.retain('t', day, 3 * day)
}

/** The ids of the events of the days that are not in the trash. */
const allIds = [...Array(60).keys()].filter((i) => i % 3 !== 0)
const restIds = allIds.filter((i) => i % 4 !== 0)

async function readIds(store: SegmentEventStore): Promise<number[]> {
  const { events } = await store.search(queryOf({ predicate: everything, limit: 100 }))
  return events.map((event) => Number((JSON.parse(textOf(event)) as { readonly id: string }).id.slice(6))).sort((a, b) => a - b)
}

test('no file holds an erased text: no segment, log or trash', async () => {
  const disk = new SimulatedDisk()
  const store = await open(disk)
  await fill(store)
  for (const folder of ['log/', 'events/']) expect(disk.find(person).some((path) => path.startsWith(folder)), folder).toBe(true)
  // 5 of them are in the trash.
  expect(await store.erase(query)).toEqual({ eventCount: 15 })
  expect([disk.find(person), await readIds(store)]).toEqual([[], restIds])
  await store.close()
  const again = await open(disk)
  expect([disk.find(person), await readIds(again), (await again.verify()).corruptedCount]).toEqual([[], restIds, 0])
  expect(await again.getMark('t')).toBe(59)
  await again.close()

  // A day that comes back from the trash comes without them.
  const trashed = disk.paths.find((path) => path.startsWith('trash/') && path.endsWith('.seg'))!
  await disk.rename(trashed, disk.paths.find((path) => path.endsWith('1970-01-02.seg'))!.replace('-02.', '-01.'))
  const restored = await open(disk)
  expect(await readIds(restored)).toEqual([...Array(60).keys()].filter((i) => i % 4 !== 0))
  await restored.close()
})

test('a search that began before goes on with what it saw, and its end comes before that of the erasure', async () => {
  const disk = new SimulatedDisk()
  const damages: BlockDamage[] = []
  const store = await open(disk, damages)
  await fill(store)
  await store.flush()
  const scan = store.scan({ tenant: 't', from: 0, to: 1e15, predicate: everything, batchEventsMax: 1 })[Symbol.asyncIterator]()
  const seen = [(await scan.next()).value.events.length]
  let isErased = false
  const erasure = store.erase(query).then(() => (isErased = true))
  // The segments are replaced by now, since nothing holds that up.
  while ((await readIds(store)).length > restIds.length) await Promise.resolve()
  for (let step = await scan.next(); step.done !== true; step = await scan.next()) {
    expect(isErased).toBe(false)
    seen.push(step.value.events.length)
  }
  await erasure
  expect([seen.reduce((sum, count) => sum + count, 0), await readIds(store), damages]).toEqual([allIds.length, restIds, []])
  await store.close()
})

test('a block that is corrupted beyond repair is removed whole, as it may hold what is erased', async () => {
  const disk = new SimulatedDisk()
  const store = await open(disk)
  await fill(store)
  await store.flush()
  const path = disk.paths.find((name) => name.endsWith('1970-01-02.seg'))!
  for (let at = 100; at < 900; at++) disk.flip(path, at)
  await store.erase(query)
  expect(disk.find(person)).toEqual([])
  expect(store.getDamage('t').lostCount).toBeGreaterThan(0)
  const ids = await readIds(store)
  expect(ids.length).toBeLessThan(restIds.length)
  expect(restIds).toEqual(expect.arrayContaining(ids))
  await store.close()
})

test(`a power cut during an erasure loses no other event, and the next attempt completes it (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  const whole = new SimulatedDisk()
  const filled = await open(whole)
  await fill(filled)
  const begin = whole.stepCount
  await filled.erase(query)
  const end = whole.stepCount
  await filled.close()
  expect(end - begin).toBeGreaterThan(50)
  for (let step = begin; step < end; step++) {
    const cut = new SimulatedDisk({ faultAt: (number) => (number === step ? 'powerCut' : undefined) })
    await untilPowerLost(open(cut).then(async (store) => {
      await fill(store)
      await store.erase(query)
    }))
    const disk = cut.restarted(chance)
    const store = await open(disk)
    const ids = await readIds(store)
    expect([step, restIds.filter((id) => !ids.includes(id)), store.getDamage('t').lostCount]).toEqual([step, [], 0])
    await store.erase(query)
    // The cut may have come before the first day was in the trash.
    const left = (await readIds(store)).filter((id) => id % 3 !== 0 || id % 4 === 0)
    expect([step, disk.find(person), left]).toEqual([step, [], restIds])
    await store.close()
  }
})

test('a full disk ends an erasure with an error, and it can be tried again', async () => {
  let isFull = false
  const disk = new SimulatedDisk({ errorAt: (operation) => (isFull && operation.startsWith('write') ? 'ENOSPC' : undefined) })
  const store = await open(disk)
  await fill(store)
  isFull = true
  await expect(store.erase(query)).rejects.toThrow(/disk is full|ENOSPC/)
  isFull = false
  await store.erase(query)
  expect([disk.find(person), await readIds(store)]).toEqual([[], restIds])
  await store.close()
})
