import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { alertsOf, openTestState, openWorld, rawEvent, storedTexts, untilIdle } from '@tripline/detection/test/world'
import type { World } from '@tripline/detection/test/world'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { EventStore } from '@tripline/storage/events/event-store'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import { describe, expect, test } from 'vitest'
import { openTestServer } from './open-test-server.ts'

/** An event store that appends only once the gate is open. */
async function openGatedStore(): Promise<{ readonly events: EventStore; readonly open: () => void }> {
  const store = await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs: () => 0 })
  const gate = Promise.withResolvers<void>()
  const append: EventStore['append'] = async (...batch) => {
    await gate.promise
    return await store.append(...batch)
  }
  const events = new Proxy(store, {
    get: (target, name) => {
      if (name === 'append') return append
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { events, open: gate.resolve }
}

test('events that are evaluated and not stored are in the books, and a total is a lower bound until they are', async () => {
  const { events, open } = await openGatedStore()
  const server = await openTestServer([anySshLogin], { events, isPatient: false })
  const other = await server.tokenOf(['viewer'], 'other')
  const read = async (token?: string) => {
    const by = token === undefined ? {} : { token }
    const { body: metrics } = await server.call('GET', '/v1/pipeline/metrics', by)
    const { body: health } = await server.call('GET', '/v1/health', by)
    const { body: found } = await server.call('GET', '/v1/search?from=2026-11-01', by)
    const { evaluated, in_flight, stored, not_searchable } = Object(metrics).books
    return {
      evaluated, in_flight, stored, not_searchable, health: Object(health).checks.events_not_searchable,
      total: Object(found).total, relation: Object(found).total_relation, warnings: Object(found).query_warnings,
    }
  }
  const nothing = { evaluated: 0, in_flight: 0, stored: 0, not_searchable: 0, health: 0, total: 0, relation: 'eq', warnings: [] }
  await server.call('POST', '/ingest/v1/events', { body: sshLogin })
  await expect.poll(async () => (await read()).evaluated).toBe(1)
  expect(await read()).toEqual({
    ...nothing, evaluated: 1, not_searchable: 1, health: 1, relation: 'gte', warnings: ['not_searchable_yet:1'],
  })
  expect(await read(other)).toEqual(nothing)
  open()
  await server.app.pipeline.untilIdle()
  expect(await read()).toEqual({ ...nothing, evaluated: 1, stored: 1, total: 1 })
})

describe('handled', () => {
  const lagsOf = ({ pipeline }: World): object => {
    return Object.fromEntries(pipeline.getProgress().map(({ topic, consumer, lag }) => [`${topic} ${consumer}`, lag.get('a') ?? 0]))
  }
  const open = (state: StateStore, disk: SimulatedDisk): Promise<World> => {
    return openWorld({ disk, state, rules: [anySshLogin], checkpointMs: 1e9 })
  }

  test('events do not wait for a consumer although no checkpoint covers them, and after a kill they do until handled', async () => {
    const state = await openTestState()
    const disk = new SimulatedDisk()
    const world = await open(state, disk)
    await world.pipeline.ingest('a', Array.from({ length: 30 }, (_, i) => rawEvent({ ...sshLogin, host: `h${i}` })))
    await untilIdle(world)
    const uncommitted = world.bus.stats('raw-events').consumers.map(({ lag }) => lag.get('a'))
    expect(uncommitted).toEqual([30])
    const handled = { 'raw-events deduplicate': 0, 'normalized-events detect': 0, 'normalized-events store': 0 }
    expect(lagsOf(world)).toEqual(handled)
    const again = await open(state, disk.restarted(() => 1))
    await untilIdle(again)
    // What was published and not checkpointed is published again, and nothing waits once that is recognised.
    await expect.poll(() => lagsOf(again)).toEqual(handled)
    expect(await alertsOf(state)).toHaveLength(30)
    await again.close()
    // A data directory knows the stage `deduplicate` by its first name.
    expect(world.bus.stats('raw-events').consumers.map(({ name }) => name)).toEqual(['normalize'])
    expect(await state.checkpoints.parts('a', 'normalize')).toContain('head')
  })

  test('ticks are no events that searches do not find', async () => {
    const state = await openTestState()
    const world = await openWorld({ disk: new SimulatedDisk(), state, rules: [anySshLogin] })
    await world.pipeline.ingest('a', [rawEvent(sshLogin)])
    expect(world.pipeline.countNotSearchable('a')).toBe(1)
    await untilIdle(world)
    expect(world.pipeline.countNotSearchable('a')).toBe(0)
    expect(world.pipeline.countNotSearchable('b')).toBe(0)
    await world.close()
  })
})

test.for<[title: string, chance: number]>([
  ['kept', 0],
  ['lost', 1],
])('events whose sync failed, and that the disk %s, count once when they are sent again with their ids', async ([, chance]) => {
  const state = await openTestState()
  const faults = { isFailing: false }
  const disk = new SimulatedDisk({ faultAt: () => (faults.isFailing ? 'failedSync' : undefined) })
  const world = await openWorld({ disk, state, rules: [anySshLogin] })
  const events = ['h1', 'h2', 'h3'].map((host) => rawEvent({ ...sshLogin, host }, host))
  await world.pipeline.ingest('a', events.slice(0, 1))
  await untilIdle(world)
  faults.isFailing = true
  await expect(world.pipeline.ingest('a', events)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', details: { retry_after_seconds: 2 } })
  await expect(world.pipeline.ingest('a', events)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const again = await openWorld({ disk: disk.restarted(() => chance), state, rules: [anySshLogin] })
  await again.pipeline.ingest('a', events)
  await untilIdle(again)
  expect((await alertsOf(state)).map(({ event, eventCount }) => `${event.host} ${eventCount}`).sort()).toEqual(['h1 1', 'h2 1', 'h3 1'])
  expect(await storedTexts(again.events)).toHaveLength(3)
  await again.close()
})
