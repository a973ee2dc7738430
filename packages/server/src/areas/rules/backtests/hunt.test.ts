import { Engine, compileRules } from '@tripline/engine'
import type { EventObject, Match, RuleSet } from '@tripline/engine'
import type { EventStore, NewEvent } from '@tripline/storage/events/event-store'
import { openSegmentEventStore } from '@tripline/storage/events/segment-store'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { SimulatedDisk } from '@tripline/storage/test/events/simulated-disk'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../../limits.ts'
import { parseNewEvent } from '../../search/new-event.ts'
import { searchEvents } from '../../search/search-events.ts'
import { compareHunts } from './compare-hunts.ts'
import { runHunt } from './hunt.ts'
import type { Hunt, HuntMatch, HuntOptions, HuntResult } from './hunt.ts'

const rules = `
title: Failed
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0201
name: failed
logsource: { product: app }
detection: { s: { action: fail }, condition: s }
---
title: Login
name: login
logsource: { product: app }
detection: { s: { action: ok }, condition: s }
---
title: Root
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0202
logsource: { product: app }
detection: { s: { user|startswith: ro }, probe: { host: h2 }, condition: s and not probe }
---
title: Many
name: many
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 20s, condition: { gte: 3 } }
---
title: Chain
correlation: { type: temporal_ordered, rules: [many, login], group-by: [user], timespan: 1m }
---
title: Unanswered
correlation: { type: temporal, rules: [failed, login], group-by: [user], timespan: 15s, condition: failed and not login }
---
title: Hosts
generate: true
correlation: { type: value_count, rules: [failed], timespan: 30s, condition: { field: host, gte: 3 } }
---
title: Not from here
logsource: { product: app }
filter: { rules: any, here: { host: h0, user: al }, condition: not here }
`
const { ruleSet } = compileRules([{ text: rules }])
const startedAt = Date.UTC(2026, 10, 20)
const whole = { tenant: 'a', from: startedAt, to: startedAt + 3_600_000 }

function storedOf(events: readonly EventObject[]): NewEvent[] {
  return events.map((event) => {
    const read = parseNewEvent(Buffer.from(JSON.stringify(event)), startedAt)
    if ('reason' in read) throw new Error(read.reason)
    return read.event
  })
}

function eventAt(second: number, user: string, action: string, host = 'h1'): EventObject {
  return { _logsource: { product: 'app' }, '@timestamp': new Date(startedAt + second * 1_000).toISOString(), user, action, host }
}

/** What live detection finds in events in the order of their time. */
function liveMatches(rulesRun: RuleSet, events: readonly EventObject[]): string[] {
  const engine = new Engine(rulesRun)
  const matches: Match[] = [...engine.push(events), ...engine.finish()]
  return matches.map((match) => {
    const at = match.kind === 'detection' ? Date.parse(String(match.event['@timestamp'])) : match.decidedAt
    return `${match.rule.title} ${at} ${match.conditions.join('; ')}`
  }).sort()
}

async function hunted(store: EventStore, hunt: Partial<Hunt> = {}, options: Partial<HuntOptions> = {}) {
  const matches: HuntMatch[] = []
  const result = await runHunt({ ...whole, ruleSet, ...hunt }, { store, elapsedMs: () => 0, onMatch: (match) => matches.push(match), ...options })
  expect(result.matchCount).toBe(matches.length)
  return { result, found: matches.map(({ title, at, conditions }) => `${title} ${at} ${conditions.join('; ')}`).sort() }
}

const stores: readonly [name: string, open: () => Promise<EventStore>][] = [
  ['a slow store', () => Promise.resolve(memoryEvents())],
  ['the embedded store', async () => await openSegmentEventStore({ disk: new SimulatedDisk(), elapsedMs: () => 0 })],
]

test.for<[regexCount: number, isAsked: boolean]>([
  [limits.hunt.regexesAskedMax, true], [limits.hunt.regexesAskedMax + 1, false],
])('with %d regular expressions, the store is asked for the events that some may match: %s', async ([regexCount, isAsked]) => {
  const values = Array.from({ length: regexCount }, (_, i) => `'al[ex]+${i}|bo'`).join(', ')
  const { ruleSet: costly } = compileRules([{ text: `
title: Names
logsource: { product: app }
detection: { s: { user|re: [${values}] }, condition: s }
` }])
  const store = memoryEvents()
  await store.append('a', storedOf([eventAt(1, 'bo', 'ok'), eventAt(2, 'al', 'ok')]))
  const { result } = await hunted(store, { ruleSet: costly })
  expect([result.matchCount, result.eventCount]).toEqual([1, isAsked ? 1 : 2])
})

describe.for(stores)('a hunt in %s', ([, open]) => {
  test('finds the same as live detection, correlations included', async () => {
    const events = fc.array(fc.record({
      second: fc.nat(200), user: fc.constantFrom('al', 'bo', 'root'), action: fc.constantFrom('fail', 'fail', 'ok', 'wave'),
      host: fc.constantFrom('h0', 'h1', 'h2', 'h3'),
    }), { maxLength: 60, size: 'max' })
    let foundCount = 0
    await fc.assert(fc.asyncProperty(events, async (some) => {
      const inOrder = some.toSorted((a, b) => a.second - b.second).map(({ second, user, action, host }) => eventAt(second, user, action, host))
      const store = await open()
      await store.append('a', storedOf(inOrder))
      const { found } = await hunted(store)
      const live = liveMatches(ruleSet, inOrder)
      foundCount += live.length
      expect(found).toEqual(live)
      await store.close()
    }), { seed: 20_261_121, numRuns: 40 })
    expect(foundCount).toBeGreaterThan(300)
  })
})

describe('the result of a hunt', () => {
  let store: EventStore
  let result: HuntResult
  const events = [
    eventAt(0, 'root', 'wave'), eventAt(10, 'root', 'wave', 'h2'), eventAt(1_800, 'rolf', 'wave', 'h3'), eventAt(1_801, 'rolf', 'wave', 'h3'),
    eventAt(3_599, 'eve', 'wave'),
  ]
  beforeAll(async () => {
    store = memoryEvents()
    await store.append('a', storedOf(events))
    await store.append('b', storedOf(events))
    ;({ result } = await hunted(store))
  })

  test('counts by rule, with first and last match', () => {
    expect(result.rules).toEqual([{
      ruleId: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0202', title: 'Root', matchCount: 3, firstAt: startedAt, lastAt: startedAt + 1_801_000,
    }])
  })

  test('counts over time, over the whole range', () => {
    expect(result.buckets).toHaveLength(limits.hunt.bucketCount)
    expect(result.bucketMs).toBe(60_000)
    expect(result.buckets.filter(({ count }) => count > 0)).toEqual([
      { startsAt: startedAt, count: 1 }, { startsAt: startedAt + 1_800_000, count: 2 },
    ])
  })

  test('lists users, hosts and processes', () => {
    expect(result.entities).toEqual({
      user: [{ value: 'rolf', count: 2 }, { value: 'root', count: 1 }],
      host: [{ value: 'h3', count: 2 }, { value: 'h1', count: 1 }],
      processName: [],
    })
  })

  test('shows the first matches, and how much was read', () => {
    expect(result.examples.map(({ at, sequence, event }) => [at - startedAt, sequence, event?.user])).toEqual([
      [0, 0, 'root'], [1_800_000, 2, 'rolf'], [1_801_000, 3, 'rolf'],
    ])
    expect(result).toMatchObject({ isWhole: true, damagedCount: 0, tookMs: 0 })
    // Events that no rule may match are not even read.
    expect(result.eventCount).toBeLessThan(events.length)
  })

  test('covers the requested range and tenant only', async () => {
    expect((await hunted(store, { from: startedAt + 1_000 })).result.matchCount).toBe(2)
    expect((await hunted(store, { to: startedAt + 1_801_000 })).result.matchCount).toBe(2)
    expect((await hunted(store, { tenant: 'c' })).result).toMatchObject({ matchCount: 0, eventCount: 0 })
  })

  test('reports an early end', async () => {
    const { result: ended } = await hunted(store, {}, { signal: AbortSignal.abort() })
    expect(ended).toMatchObject({ isWhole: false, matchCount: 0 })
  })

  test('reports progress', async () => {
    const steps: number[] = []
    await hunted(store, {}, { onProgress: ({ eventCount, at }) => void steps.push(eventCount, at - startedAt) })
    expect(steps).toEqual([3, 1_801_000])
  })
})

describe('two versions of a rule', () => {
  test('differ by disappeared and new matches', async () => {
    const store = memoryEvents()
    await store.append('a', storedOf([eventAt(0, 'root', 'wave'), eventAt(1, 'rolf', 'wave'), eventAt(2, 'rob', 'wave', 'h2')]))
    const changed = compileRules([{ text: rules.replace('user|startswith: ro', 'user|startswith: roo').replace('probe: { host: h2 }', 'probe: { host: h9 }') }]).ruleSet
    const again = compileRules([{ text: rules.replace('probe: { host: h2 }', 'probe: { host: h9 }') }]).ruleSet
    const options = { store, elapsedMs: () => 0 }
    const less = await compareHunts({ ...whole, ruleSet, changed }, options)
    expect([less.before.matchCount, less.after.matchCount, less.gone.count, less.added.count]).toEqual([2, 1, 1, 0])
    expect(less.gone.matches.map(({ event }) => event?.user)).toEqual(['rolf'])
    const more = await compareHunts({ ...whole, ruleSet, changed: again }, options)
    expect([more.gone.count, more.added.matches.map(({ sequence }) => sequence)]).toEqual([0, [2]])
  })
})

describe('a search', () => {
  test('finds matching events, newest first, and returns the canonical query', async () => {
    const store = memoryEvents()
    await store.append('a', storedOf([eventAt(0, 'al', 'fail'), eventAt(1, 'AL', 'ok'), eventAt(2, 'bo', 'fail')]))
    const found = await searchEvents(store, { ...whole, now: 0, query: 'user:al  action:(fail or ok)', limit: 10, extent: 'total' })
    expect(found.events.map(({ sequence }) => sequence)).toEqual([1, 0])
    expect(found).toMatchObject({ total: 2, isTotalExact: true, canonicalQuery: 'user:al AND action:(fail OR ok)' })
    expect((await searchEvents(store, { ...whole, now: 0, query: ' ', limit: 2, extent: 'total' })).total).toBe(3)
  })
})
