import { describe, expect, test } from 'vitest'
import { CorrelationMemoryError, Engine, compileRules } from '../index.ts'
import type { CorrelationOptions, EventObject } from '../index.ts'

const rules = `
title: A
name: a
logsource: { product: x }
detection: { s: { name: '*' }, condition: s }
---
title: Many
correlation: { type: event_count, rules: [a], group-by: [name], timespan: 1h, condition: { gte: 3 } }
`
const { ruleSet } = compileRules([{ text: rules }])

function engineWith(correlation: CorrelationOptions): Engine {
  return new Engine(ruleSet, { correlation })
}

function named(name: string, second: number): EventObject {
  return { _logsource: { product: 'x' }, name, '@timestamp': new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString() }
}

test('late events, and those that no correlation reads, are not reported as correlated', () => {
  const taken: number[] = []
  const engine = engineWith({ allowedLatenessMs: 1_000, onTaken: (sequence) => taken.push(sequence) })
  engine.push([named('a', 5), { name: 'of no rule' }, named('a', 5), named('late', 1)])
  engine.pushBytes(Buffer.from([named('b', 6), named('late', 1)].map((event) => `${JSON.stringify(event)}\n`).join('')))
  engine.swap(compileRules([{ text: rules.replace('gte: 3', 'gte: 4') }]).ruleSet)
  engine.push([named('a', 7)])
  expect(taken).toEqual([0, 2, 4, 6])
})

describe('state of correlations is bounded', () => {
  test('by groups of a rule, of which the quietest goes first', () => {
    const engine = engineWith({ stateMax: { groups: 2 } })
    expect(engine.push([named('a', 0), named('b', 1), named('a', 2), named('c', 3), named('b', 4), named('b', 5), named('b', 6)])).toHaveLength(1)
    expect(engine.correlation).toMatchObject({ groups: 2, evicted: 3 })
  })

  test('by events of a group, unless its rule counts further', () => {
    const engine = engineWith({ stateMax: { groupEvents: 2 } })
    expect(engine.push([0, 1, 2].map((second) => named('a', second)))).toHaveLength(1)
    engine.push(Array.from({ length: 50 }, (_, second) => named('a', 3 + second)))
    // What is only more than the condition needs is not missed.
    expect(engine.correlation).toMatchObject({ events: 4, evicted: 0, degraded: 0 })
  })

  test('by events of all rules, taken from the largest', () => {
    const engine = engineWith({ stateMax: { events: 100 } })
    engine.push(Array.from({ length: 1_000 }, (_, second) => named(`${second}`, second)))
    const { events, evicted } = engine.correlation!
    expect(events).toBeLessThan(200)
    expect(events + evicted).toBe(1_000)
  })

  test('by events that wait: then it waits no longer for late ones', () => {
    const engine = engineWith({ stateMax: { events: 100 }, allowedLatenessMs: 3_600_000 })
    engine.push(Array.from({ length: 300 }, (_, second) => named(`${second % 7}`, second)))
    expect(engine.correlation?.pending).toBeLessThanOrEqual(101)
    expect(engine.correlation?.late).toBe(0)
    engine.push([named('late', 1)])
    expect(engine.correlation?.late).toBe(1)
  })

  test('by events that wait for the end of a file: none of them is late, so that it ends with an error', () => {
    const engine = engineWith({ stateMax: { events: 100 }, allowedLatenessMs: Infinity })
    const events = Array.from({ length: 300 }, (_, second) => named(`${second % 7}`, 300 - second))
    expect(() => engine.push(events)).toThrow(CorrelationMemoryError)
  })

  test('by groups: the rule is degraded for a timespan', () => {
    const engine = engineWith({ stateMax: { groups: 1 } })
    engine.push([named('a', 0), named('b', 1)])
    expect(engine.correlation).toMatchObject({ evicted: 1, degraded: 1 })
    const [match] = engine.push([named('b', 2), named('b', 3)])
    expect(match).toMatchObject({ kind: 'correlation', isDegraded: true })
    expect(engine.correlationHealth()).toEqual([expect.objectContaining({ groups: 1, evicted: 1, isDegraded: true })])
    engine.advance(Date.UTC(2026, 10, 21, 1, 0, 1))
    expect(engine.correlation).toMatchObject({ evicted: 1, degraded: 0 })
  })
})

describe('the times of events', () => {
  const receivedAt = Date.UTC(2026, 10, 21, 0, 1, 0)

  test.for<[what: string, times: (string | undefined)[], counts: object]>([
    ['in order', ['2026-11-21T00:00:01Z', '2026-11-21T00:00:02Z'], { late: 0, future: 0, undated: 0 }],
    ['a little late', ['2026-11-21T00:00:30Z', '2026-11-21T00:00:20Z'], { late: 0, future: 0, undated: 0 }],
    ['too late', ['2026-11-21T00:00:30Z', '2026-11-21T00:00:19.999Z'], { late: 1, future: 0, undated: 0 }],
    ['a little ahead', ['2026-11-21T00:06:00Z'], { late: 0, future: 0, undated: 0 }],
    ['from the future', ['2026-11-21T00:06:00.001Z', '2026-11-21T00:00:59Z'], { late: 0, future: 1, undated: 0 }],
    ['of no clock', ['1970-01-01T00:00:00Z', '9999-12-31T00:00:00Z'], { late: 0, future: 0, undated: 2 }],
    ['not stated', [undefined], { late: 0, future: 0, undated: 1 }],
  ])('%s', ([, times, counts]) => {
    const engine = engineWith({ allowedLatenessMs: 10_000 })
    engine.push(times.map((time) => ({ ...named('a', 0), '@timestamp': time })), { receivedAt })
    expect(engine.correlation).toMatchObject(counts)
  })

  test('one event from the future ends no window and makes no other late', () => {
    const engine = engineWith({ allowedLatenessMs: 10_000 })
    const matches = engine.push([named('a', 1), { ...named('a', 2), '@timestamp': '2099-01-01T00:00:00Z' }, named('a', 3)], { receivedAt })
    expect([...matches, ...engine.finish()]).toHaveLength(1)
    expect(engine.correlation).toMatchObject({ late: 0, future: 1 })
  })

  test('without a time of arrival, the future is judged by the clock', () => {
    const engine = engineWith({ clock: () => receivedAt })
    engine.push([named('a', 1), { ...named('a', 2), '@timestamp': '2099-01-01T00:00:00Z' }, named('a', 3)])
    expect(engine.correlation).toMatchObject({ late: 0, future: 1 })
  })
})

test('a correlation whose rule is dropped is idle, and runs again when the rule is back', () => {
  const engine = engineWith({})
  const [rule] = ruleSet.rules
  engine.push([named('a', 1), named('a', 2)])
  const without = ruleSet.applyChange({ drop: [rule!.id] })
  engine.swap(without)
  expect(engine.idleCorrelations.map(({ missing }) => missing)).toEqual([[rule!.id]])
  engine.swap(without.applyChange({ put: [rule!] }))
  expect(engine.idleCorrelations).toEqual([])
  expect(engine.push([named('a', 3), named('a', 4), named('a', 5)]).map(({ kind }) => kind)).toEqual(['correlation'])
})
