import { expect, test } from 'vitest'
import type { EventStore } from '../../src/events/event-store.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { everything } from './predicates.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const turnMs = 10

/** A store whose clock advances with each look at it, and the turns that it took, by tenant and kind of work. */
async function openStore(disk: SimulatedDisk): Promise<{ readonly store: EventStore; readonly turns: readonly string[] }> {
  const turns: string[] = []
  let nowMs = 0
  const store = await openSegmentEventStore({
    disk, elapsedMs: () => nowMs++,
    takeTurn: async (tenant, work) => {
      turns.push(`${tenant} ${work}`)
      await Promise.resolve()
      return turnMs
    },
  })
  return { store, turns }
}

const eventsOf = (count: number, first = 0) => {
  return Array.from({ length: count }, (_, i) => ({ occurredAt: 1_000 + first + i, bytes: Buffer.from(JSON.stringify({ n: first + i })) }))
}

async function readNumbers(store: EventStore, tenant: string): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for await (const { events } of store.scan({ tenant, from: 0, to: 1e9, predicate: everything, batchEventsMax: 1_000 })) {
    for (const { bytes } of events) found.push((JSON.parse(Buffer.from(bytes).toString()) as { readonly n: number }).n)
  }
  return found
}

test.for<readonly [eventCount: number, turnCountMin: number]>([[1, 1], [100, 2], [1_000, 20]])(
  'adds %d events to their block in turns, and finds them when the call ends', async ([eventCount, turnCountMin]) => {
    const { store, turns } = await openStore(new SimulatedDisk())
    await store.append('a', eventsOf(eventCount))
    expect(turns.filter((turn) => turn === 'a store').length).toBeGreaterThanOrEqual(turnCountMin)
    expect(await readNumbers(store, 'a')).toEqual([...Array(eventCount).keys()])
  })

test('adds the events of several calls in their order, and has all of a call when it ends', async () => {
  const { store } = await openStore(new SimulatedDisk())
  const calls = Array.from({ length: 5 }, async (_, call) => {
    await store.append('a', eventsOf(100, 100 * call))
    expect((await readNumbers(store, 'a')).length).toBeGreaterThanOrEqual(100 * (call + 1))
  })
  await Promise.all(calls)
  expect(await readNumbers(store, 'a')).toEqual([...Array(500).keys()])
})

test('keeps in the log what was not added to a block when the process ended', async () => {
  const disk = new SimulatedDisk()
  const gate = Promise.withResolvers<number>()
  const store = await openSegmentEventStore({ disk, elapsedMs: () => 0, takeTurn: () => gate.promise })
  let isAppended = false
  void store.append('a', eventsOf(50), 7).then(() => (isAppended = true))
  while ((await store.getMark('a')) !== 7) await new Promise((resolve) => setTimeout(resolve, 1))
  expect(isAppended).toBe(false)
  const again = await openSegmentEventStore({ disk, elapsedMs: () => 0 })
  expect([await again.getMark('a'), (await readNumbers(again, 'a')).length]).toEqual([7, 50])
})
