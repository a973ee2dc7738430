import type { EventArrival } from '@tripline/formats/event/event-arrival'
import type { EventRef } from '@tripline/formats/event/event-id'
import { describe, expect, test } from 'vitest'
import { getEventRef } from '../../src/events/event-store.ts'
import type { EventStore, NewEvent } from '../../src/events/event-store.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { newEvent, queryOf } from './conformance.ts'
import { memoryEvents } from './memory-events.ts'
import { SimulatedDisk } from './simulated-disk.ts'

type OpenedStore = { readonly store: EventStore; readonly settle: () => Promise<EventStore> }

function openSegments(disk: SimulatedDisk, blockRowsMax: number) {
  const sizes = { blockRowsMax, logFileBytesMax: 2_000, logFilesMax: 2, cacheBytesMax: 20_000, filterBytesMax: 2_000 }
  return openSegmentEventStore({ disk, elapsedMs: () => 0, sizes })
}

const stores: readonly (readonly [title: string, open: () => Promise<OpenedStore>])[] = [
  ['memory', async () => {
    const store = memoryEvents()
    return { store, settle: async () => store }
  }],
  ['open blocks', async () => {
    const store = await openSegments(new SimulatedDisk(), 100)
    return { store, settle: async () => store }
  }],
  ['segments', async () => {
    const store = await openSegments(new SimulatedDisk(), 100)
    return { store, settle: () => store.flush().then(() => store) }
  }],
  ['small blocks', async () => {
    const store = await openSegments(new SimulatedDisk(), 2)
    return { store, settle: () => store.flush().then(() => store) }
  }],
  ['the log after a crash', async () => {
    const disk = new SimulatedDisk()
    const store = await openSegments(disk, 100)
    return { store, settle: () => openSegments(disk.restarted(() => 0), 100) }
  }],
]

/** An event as a pipeline hands it over. */
function acceptEvent(occurredAt: number, event: object, arrival: Omit<EventArrival, 'receivedAt'>): NewEvent {
  return { ...newEvent(occurredAt, event), arrival: { receivedAt: occurredAt + arrival.offset, ...arrival } }
}

const sent: readonly NewEvent[] = [
  newEvent(7, { n: 0 }),
  acceptEvent(7, { n: 1 }, { offset: 3 }),
  acceptEvent(7, { other: 2 }, { offset: 8, connectorId: 'c' }),
  newEvent(7, { n: 3 }),
  acceptEvent(5, { n: 4 }, { offset: 9, connectorId: 'c', logsource: { product: 'linux' } }),
  acceptEvent(7, { n: 5 }, { offset: 2 ** 45, connectorId: 'd' }),
]

describe.for(stores)('events in %s', ([, open]) => {
  test('keep how they arrived, and are found by their references', async () => {
    const { store, settle } = await open()
    await store.append('t', sent.slice(0, 4))
    await store.append('t', sent.slice(4))
    const settled = await settle()
    const { events } = await settled.search(queryOf({}))
    const inOrder = events.toSorted((a, b) => a.sequence - b.sequence)
    expect(inOrder.map(({ arrival }) => arrival)).toEqual(sent.map(({ arrival }) => arrival))
    for (const event of inOrder) expect(await settled.find('t', getEventRef(event))).toEqual(event)
    await settled.close()
  })

  test.for<[title: string, tenant: string, ref: EventRef]>([
    ['another tenant', 'u', { occurredAt: 7, by: 'offset', number: 3 }],
    ['another offset', 't', { occurredAt: 7, by: 'offset', number: 4 }],
    ['another time', 't', { occurredAt: 5, by: 'offset', number: 3 }],
    ['a time of no block', 't', { occurredAt: 1e12, by: 'offset', number: 3 }],
    ['the sequence of an event that a pipeline accepted', 't', { occurredAt: 7, by: 'sequence', number: 1 }],
    ['the offset of an event that none accepted', 't', { occurredAt: 7, by: 'offset', number: 0 }],
  ])('are not found by a reference with %s', async ([, tenant, ref]) => {
    const { store, settle } = await open()
    await store.append('t', sent)
    const settled = await settle()
    expect(await settled.find(tenant, ref)).toBeUndefined()
    await settled.close()
  })
})
