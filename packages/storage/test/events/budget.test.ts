import { expect, test } from 'vitest'
import type { EventPosition } from '../../src/events/event-store.ts'
import { openSegmentEventStore } from '../../src/events/segment-store.ts'
import { collect, newEvent, queryOf } from './conformance.ts'
import { everything, text } from './predicates.ts'
import { SimulatedDisk } from './simulated-disk.ts'

const sizes = { blockRowsMax: 5, logFileBytesMax: 100_000, logFilesMax: 2, cacheBytesMax: 10_000, filterBytesMax: 2_000 }

/** A clock that advances by a millisecond with each reading. */
function tickingClock(): () => number {
  let now = 0
  return () => now++
}

async function filled(eventCount: number) {
  const store = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs: tickingClock(), sizes })
  for (let i = 0; i < eventCount; i++) await store.append('t', [newEvent((i * 7) % eventCount, { id: `event-${i}` })])
  return store
}

test('pages of searches that run out of time neither repeat nor skip', async () => {
  const store = await filled(100)
  const seen: number[] = []
  let after: EventPosition | undefined
  let truncatedCount = 0
  for (let budgetMs = 4; ; budgetMs += 2) {
    const page = await store.search(queryOf({ limit: 10, budgetMs, ...(after && { after }) }))
    seen.push(...page.events.map(({ sequence }) => sequence))
    if (page.isTruncated) truncatedCount++
    expect(page.isTotalExact).toBe(!page.isTruncated)
    if (page.cursor === undefined) break
    after = page.cursor
  }
  expect(truncatedCount).toBeGreaterThan(3)
  expect(seen).toEqual(Array.from({ length: 100 }, (_, time) => (99 - time) * 43 % 100))
  await store.close()
})

test('an unfinished total is a lower bound, and so is a histogram', async () => {
  const store = await filled(100)
  const page = await store.search(queryOf({ budgetMs: 12, extent: 'histogram', to: 100 }))
  expect([page.isTruncated, page.isTotalExact, page.histogram?.isExact]).toEqual([true, false, false])
  expect(page.total).toBeLessThan(100)
  expect(page.histogram?.total).toBe(page.total)
  const partials = await collect(store.histogram({ tenant: 't', from: 0, to: 100, predicate: everything, budgetMs: 12 }))
  expect(partials.at(-1)?.isExact).toBe(false)
  await store.close()
})

test('a full page does not wait for the count, which goes on as long as it may', async () => {
  const store = await filled(100)
  await store.flush()
  const query = queryOf({ limit: 10, budgetMs: 1e6, extent: 'histogram', to: 100, predicate: text(undefined, '*event*') })
  const { events } = await store.search(query)
  const pages = []
  for (const countMs of [0, 60, 80, 1e6]) pages.push(await store.search({ ...query, keywordCountMs: countMs }))
  for (const page of pages) {
    expect(page.events).toEqual(events)
    expect([page.isTruncated, page.cursor?.occurredAt, page.histogram?.total]).toEqual([false, 90, page.total])
    expect(page.isTotalExact).toBe(page.total === 100)
    expect(page.histogram?.isExact).toBe(page.isTotalExact)
  }
  const totals = pages.map(({ total }) => total)
  expect(totals).toEqual(totals.toSorted((a, b) => a - b))
  expect([totals[0]! < 100, totals.at(-1)]).toEqual([true, 100])
  const { total, isTotalExact } = await store.search({ ...query, predicate: text('id', '*event*'), keywordCountMs: 0 })
  expect([total, isTotalExact]).toEqual([100, true])
  await store.close()
})

test('a page that is not full is searched for, however long counting may take', async () => {
  const store = await filled(100)
  await store.flush()
  const predicate = text(undefined, '*event-77*')
  const page = await store.search(queryOf({ limit: 10, budgetMs: 1e6, keywordCountMs: 0, extent: 'total', predicate }))
  expect([page.events.length, page.total, page.isTotalExact]).toEqual([1, 1, true])
  await store.close()
})

test('a search without any time answers, with nothing', async () => {
  const store = await filled(10)
  const page = await store.search(queryOf({ budgetMs: 0, predicate: text(undefined, '*e*') }))
  expect([page.events, page.total, page.isTruncated, page.isTotalExact]).toEqual([[], 0, true, false])
  await store.close()
})

test('a histogram grows while it is counted', async () => {
  const store = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs: (() => {
    let now = 0
    return () => (now += 40)
  })(), sizes })
  for (let i = 0; i < 100; i++) await store.append('t', [newEvent(i, {})])
  const partials = await collect(store.histogram({ tenant: 't', from: 0, to: 100, predicate: everything, budgetMs: 1e6 }))
  const totals = partials.map(({ total }) => total)
  expect(totals.length).toBeGreaterThan(2)
  expect(totals).toEqual(totals.toSorted((a, b) => a - b))
  expect(partials.map(({ isExact }) => isExact)).toEqual([...partials.slice(1).map(() => false), true])
  await store.close()
})

test('a search whose caller is gone ends, and says what it had found', async () => {
  const store = await filled(100)
  await store.flush()
  let readCount = 0
  const signal = {
    get aborted() {
      return readCount++ > 5
    },
  }
  const page = await store.search(queryOf({ limit: 10, budgetMs: 1e6, extent: 'total', signal }))
  expect([page.isTruncated, page.total > 0, page.total < 100]).toEqual([true, true, true])
  expect(page.scanned.readCount).toBeLessThan(page.scanned.rangeCount)
  await store.close()
})

test('a search says what it read, to the block: not what filters exclude, nor what is known from before', async () => {
  const store = await filled(100)
  await store.flush()
  const search = async (value: string) =>
    (await store.search(queryOf({ limit: 100, budgetMs: 1e6, extent: 'total', predicate: text('id', value) }))).scanned
  const one = await search('event-77')
  const { storedBytes } = await store.stats('t')
  expect(one).toEqual({ readCount: 5, readByteCount: expect.any(Number) as number, rangeCount: 100 })
  expect([one.readByteCount > 0, one.readByteCount < storedBytes / 10]).toEqual([true, true])
  expect(await search('event-77')).toEqual({ readCount: 0, readByteCount: 0, rangeCount: 100 })
  const all = await search('*event*')
  expect(all).toEqual({ readCount: 100, readByteCount: expect.any(Number) as number, rangeCount: 100 })
  // Files have a head and an index beside their blocks.
  expect([all.readByteCount > storedBytes * 0.9, all.readByteCount < storedBytes]).toEqual([true, true])
  await store.close()
})

test('events in memory count with the bytes that they have', async () => {
  const store = await filled(0)
  const rows = [newEvent(1, { id: 'a' }), newEvent(2, { id: 'bb' })]
  await store.append('t', rows)
  const { scanned } = await store.search(queryOf({ limit: 10, budgetMs: 1e6, extent: 'total' }))
  expect(scanned).toEqual({ readCount: 2, readByteCount: rows.reduce((sum, { bytes }) => sum + bytes.length, 0), rangeCount: 2 })
  await store.close()
})
