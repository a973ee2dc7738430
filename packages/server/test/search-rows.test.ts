import { Engine, RuleSet } from '@tripline/engine'
import type { Predicate } from '@tripline/engine/predicate'
import { Batch, FieldTable, compilePredicate } from '@tripline/engine/predicate'
import { compileQuery } from '@tripline/query'
import type { EventStore } from '@tripline/storage/events/event-store'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { beforeAll, describe, expect, test } from 'vitest'
import { events, searchRows } from './search-rows.ts'

/*
 * The table of queries and events that the query package asks closures, a reference evaluator and SQL, asked of the last
 * events in memory and of stored segments.
 */

const everyEvent = { from: 0, to: events.length }

describe('a query finds the same', () => {
  const engine = new Engine(new RuleSet([]), { ring: {} })
  let store: EventStore
  beforeAll(async () => {
    engine.push(events)
    const opened = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs: () => 0 })
    store = opened
    const bytes = events.map((event) => Buffer.from(JSON.stringify(event)))
    // Half of them in a sealed block, half as they have just come.
    await store.append('a', bytes.slice(0, 5).map((one, occurredAt) => ({ occurredAt, bytes: one })))
    await opened.flush()
    await store.append('a', bytes.slice(5).map((one, at) => ({ occurredAt: 5 + at, bytes: one })))
  })

  function inRing(predicate: Predicate): number[] {
    const fields = new FieldTable()
    const matcher = compilePredicate(predicate, fields)
    return [...engine.ring!.slices()].flatMap(({ events: kept, rows, sequences }) => {
      const out = new Uint32Array(kept.length)
      const count = matcher(new Batch(kept, fields), rows, rows.length, out)
      return Array.from(out.subarray(0, count), (row) => sequences[row]!)
    })
  }

  test.for(searchRows)('%s', async ([text, rows]) => {
    const { predicate } = compileQuery(text)
    expect(inRing(predicate)).toEqual(rows)
    const page = await store.search({ tenant: 'a', ...everyEvent, predicate, limit: 100, budgetMs: 1e9, extent: 'total' })
    expect(page.events.map(({ sequence }) => sequence)).toEqual(rows.toReversed())
    expect(page).toMatchObject({ total: rows.length, isTotalExact: true })
  })
})
