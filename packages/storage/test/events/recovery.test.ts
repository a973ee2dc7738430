import { describe, expect, test } from 'vitest'
import type { BlockDamage } from '../../src/events/damage-log.ts'
import type { AcceptedEvent } from '../../src/events/event-store.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import type { SegmentEventStore } from '../../src/events/segment-store.ts'
import { verifyStore } from '../../src/events/verify-store.ts'
import { queryOf, textOf } from './conformance.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const sizes = { blockRowsMax: 100, logFileBytesMax: 100_000, logFilesMax: 2, cacheBytesMax: 10_000, filterBytesMax: 2_000 }
const batchCount = 4
const tenants = ['t', 'u']
const receivedAt = 1_000

type QueuedEvent = { readonly tenant: string; readonly event: AcceptedEvent }

/** Events of two tenants by turns, two in each batch. */
const queue: readonly QueuedEvent[] = Array.from({ length: 2 * 2 * batchCount }, (_, offset) => ({
  tenant: tenants[Math.floor(offset / 2) % 2]!,
  event: { occurredAt: offset, bytes: Buffer.from(JSON.stringify({ id: offset, note: 'note '.repeat(20) })), arrival: { offset, receivedAt } },
}))

async function open(disk: SimulatedDisk, copy: readonly QueuedEvent[], damages: BlockDamage[] = []): Promise<SegmentEventStore> {
  const readSecondCopy = async function* () {
    yield* copy
  }
  return await openSegmentEventStore({ disk, elapsedMs: () => 0, sizes, onDamage: (damage) => damages.push(damage), readSecondCopy })
}

/** A store whose events are all in the log alone. */
async function fillLog(): Promise<{ readonly disk: SimulatedDisk; readonly path: string }> {
  const disk = new SimulatedDisk()
  const store = await open(disk, [])
  for (let i = 0; i < queue.length; i += 2) {
    const batch = queue.slice(i, i + 2)
    await store.append(batch[0]!.tenant, batch.map(({ event }) => event), batch[1]!.event.arrival.offset)
  }
  await store.close()
  return { disk, path: disk.paths.find((path) => path.endsWith('.log'))! }
}

async function readIds(store: SegmentEventStore, tenant: string): Promise<number[]> {
  const { events } = await store.search(queryOf({ tenant, limit: 100 }))
  return events.map((event) => Number(Object(JSON.parse(textOf(event))).id)).sort((a, b) => a - b)
}

const allIds = tenants.map((tenant) => queue.flatMap(({ tenant: of, event }) => (of === tenant ? [event.arrival.offset] : [])))

describe('a flipped bit in the log of stored events', () => {
  test('costs nothing where the second copy has them, whichever bit it is, and nothing comes twice', async () => {
    const size = (await fillLog().then(({ disk, path }) => disk.sizeOf(path)))
    const kinds = new Set<string>()
    for (let at = 0; at < size; at += 37) {
      const { disk, path } = await fillLog()
      disk.flip(path, at)
      // The second start has no second copy any more.
      for (const copy of [[...queue, ...queue.slice(-3)], [], []]) {
        const damages: BlockDamage[] = []
        const store = await open(disk, copy, damages)
        expect([at, await Promise.all(tenants.map((tenant) => readIds(store, tenant)))]).toEqual([at, allIds])
        expect([at, tenants.map((tenant) => store.getDamage(tenant).lostCount)]).toEqual([at, [0, 0]])
        for (const { kind } of damages) kinds.add(kind)
        for (const { tenant, event } of queue) {
          expect(await store.find(tenant, { occurredAt: event.occurredAt, by: 'offset', number: event.arrival.offset })).toBeDefined()
        }
        await store.close()
      }
    }
    expect([...kinds]).toEqual(['repaired'])
  })

  test('is gone from the files once its events are stored again, and stays where some are lost', async () => {
    for (const [copy, expected] of [[queue, 0], [[], 1]] as const) {
      const { disk, path } = await fillLog()
      const bytes = await disk.open(path, 'read').then(async (file) => await file.read(0, disk.sizeOf(path)))
      disk.flip(path, bytes.indexOf('{"id":4,') + 3)
      expect((await verifyStore(disk)).corruptedCount).toBe(1)
      const store = await open(disk, copy)
      const { corruptedCount, eventCount } = await verifyStore(disk)
      expect([corruptedCount, eventCount]).toEqual([expected, expected === 0 ? queue.length : queue.length - 2])
      await store.close()
    }
  })

  test('stays in the files while segments cannot be written, and what was stored again is there', async () => {
    const { disk: written, path } = await fillLog()
    const bytes = await written.open(path, 'read').then(async (file) => await file.read(0, written.sizeOf(path)))
    written.flip(path, bytes.indexOf('{"id":4,') + 3)
    const disk = written.afterKill({ faultAt: (_step, what) => (/^write .*[.]seg$/.test(what) ? 'full' : undefined) })
    const problems: string[] = []
    const readSecondCopy = async function* () {
      yield* queue
    }
    const onProblem = (problem: string) => problems.push(problem)
    const store = await openSegmentEventStore({ disk, elapsedMs: () => 0, sizes, onProblem, readSecondCopy })
    expect(await Promise.all(tenants.map((tenant) => readIds(store, tenant)))).toEqual(allIds)
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'files of the log are corrupted, with no event lost, and could not be removed',
    ])
    await store.close()
  })

  test.for<[title: string, copy: (offset: number) => boolean, lost: readonly number[]]>([
    ['none of them', () => false, [4, 5]],
    ['the newer half', (offset) => offset > 4, [4]],
    ['all of them', () => true, []],
  ])('the second copy has %s: the others count as lost, once', async ([, isKept, lost]) => {
    const { disk, path } = await fillLog()
    const bytes = await disk.open(path, 'read').then(async (file) => await file.read(0, disk.sizeOf(path)))
    disk.flip(path, bytes.indexOf('{"id":4,') + 3)
    for (const isFirst of [true, false]) {
      const damages: BlockDamage[] = []
      const store = await open(disk, isFirst ? queue.filter(({ event }) => isKept(event.arrival.offset)) : [], damages)
      expect(await readIds(store, 't')).toEqual(allIds[0]!.filter((id) => !lost.includes(id)))
      expect(tenants.map((tenant) => store.getDamage(tenant).lostCount)).toEqual([lost.length, 0])
      const kinds = [...lost.length > 0 ? ['lost'] : [], ...lost.length < 2 ? ['repaired'] : []]
      expect(damages.map(({ kind, tenant }) => [kind, tenant])).toEqual(isFirst ? kinds.map((kind) => [kind, 't']) : [])
      await store.close()
    }
  })

  test('a search tells of lost events that may be of its range, and of no others', async () => {
    const { disk, path } = await fillLog()
    const bytes = await disk.open(path, 'read').then(async (file) => await file.read(0, disk.sizeOf(path)))
    disk.flip(path, bytes.indexOf('{"id":4,') + 3)
    const store = await open(disk, [])
    const dayMs = 86_400_000
    const rows: readonly [tenant: string, from: number, to: number, lostCount: number][] = [
      ['t', 0, 2_000, 2], ['t', -dayMs, 0, 2], ['t', receivedAt + dayMs, 3 * dayMs, 2],
      // Nothing that was accepted by then occurred so late.
      ['t', receivedAt + dayMs + 1, 3 * dayMs, 0],
      ['u', 0, 2_000, 0],
    ]
    for (const [tenant, from, to, lostCount] of rows) {
      expect([tenant, from, (await store.search(queryOf({ tenant, from, to }))).lostCount]).toEqual([tenant, from, lostCount])
    }
    // Retention would have removed them, whenever they occurred, once it is behind the last time that they can have.
    for (const [before, lostCount] of [[dayMs, 2], [2 * dayMs - 1, 2], [2 * dayMs, 0]] as const) {
      await store.retain('t', before, receivedAt)
      expect([before, (await store.search(queryOf({ tenant: 't', from: 0, to: 9 * dayMs }))).lostCount]).toEqual([before, lostCount])
    }
    expect(store.getDamage('t').lostCount).toBe(2)
    await store.close()
  })
})
