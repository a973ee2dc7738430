import { describe, expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import { Engine } from './engine.ts'
import type { EventObject } from './event/event.ts'
import type { EventMapper } from './event/map-events.ts'
import { explainCorrelation } from './explain-correlation.ts'
import { explain } from './match.ts'

const { ruleSet } = compileRules(`
title: Failed login
id: 6f2a4c1e-93b7-4d58-8a0c-b1d2e3f4a5b6
name: failed
logsource: { product: shop }
detection: { s: { Result: denied }, condition: s }
---
title: Guessing
id: 7f2a4c1e-93b7-4d58-8a0c-b1d2e3f4a5b6
correlation: { type: event_count, rules: [failed], group-by: [Account], timespan: 5m, condition: { gte: 2 }, generate: true }
`)

const mapping: EventMapper = ({ r, who, ...others }) => ({ ...others, Result: r, Account: who, _logsource: { product: 'shop' } })
/** What a caller without types passes. */
function untyped<T>(value: unknown): T {
  return value as T
}

const raw = (who: unknown, seconds: number): EventObject => {
  return { r: 'denied', who, '@timestamp': `2026-11-20T10:00:${String(seconds).padStart(2, '0')}Z` }
}
const events = [raw('a', 1), raw('a', 2), raw('b', 3)]
const readConditions = (engine: Engine, matches: ReturnType<Engine['push']>): unknown[] => {
  return [...matches, ...engine.finish()].map(({ rule, conditions }) => [rule.title, conditions])
}

describe('the option mapping', () => {
  test.for([false, true])('is applied to objects and to lines alike; plain is %s', (plain) => {
    const engine = new Engine(ruleSet, { mapping, plain })
    const matches = engine.push(events)
    const found = readConditions(engine, matches)
    expect(found).toEqual([
      ...events.map(() => ['Failed login', ['s: Result=denied']]),
      ['Guessing', ['correlation: event_count 2>=2 by Account=a in 5m']],
    ])
    const first = matches[0]!
    expect(first.kind === 'detection' && first.event).toEqual({ ...mapping(events[0]!) })

    const lines = new Engine(ruleSet, { mapping, plain })
    const bytes = new TextEncoder().encode(`\ufeff${events.map((event) => JSON.stringify(event)).join('\r\n')}\n`)
    const outcome = lines.pushBytes(bytes)
    expect(outcome).toMatchObject({ lineCount: 3, eventCount: 3, malformed: [] })
    expect(readConditions(lines, [...outcome.matches])).toEqual(found)
  })

  test('leaves lines that are no event to be reported under their numbers', () => {
    const engine = new Engine(ruleSet, { mapping })
    const { matches, malformed, lineCount } = engine.pushBytes(new TextEncoder().encode(`[1]\n\n${JSON.stringify(raw('a', 1))}\n{x`))
    expect(matches.map((match) => match.kind === 'detection' && match.row)).toEqual([2])
    expect(malformed.map(({ line }) => line)).toEqual([0, 3])
    expect(lineCount).toBe(4)
  })

  test('keeps the digits of integers in lines, and the rows of entries that are no event', () => {
    const engine = new Engine(ruleSet, { mapping, ring: { eventsMax: 10 } })
    const [match] = engine.pushBytes(new TextEncoder().encode('{"r":"denied","who":9007199254740993}')).matches
    expect(match?.kind === 'detection' && match.event['Account']).toBe('9007199254740993')
    const rows = engine.push([untyped<EventObject>(null), raw('c', 1)]).map((one) => one.kind === 'detection' && one.row)
    expect(rows).toEqual([1])
  })

  test('is applied by explain and explainCorrelation', () => {
    expect(explain(ruleSet.rules[0]!, events[0]!, { mapping }).matched).toBe(true)
    expect(explain(ruleSet.rules[0]!, events[0]!).matched).toBe(false)
    expect(explainCorrelation(ruleSet, ruleSet.correlations[0]!.id, events, { mapping }).matched).toBe(true)
  })

  test('is refused where it is no function, or makes no event', () => {
    expect(() => new Engine(ruleSet, { mapping: untyped<EventMapper>('acme.yml') }))
      .toThrow("the option 'mapping' is no function of an event; createEventMapper of @tripline/formats makes one of a mapping file")
    const broken = new Engine(ruleSet, { mapping: () => untyped<EventObject>(null) })
    expect(() => broken.push(events)).toThrow(new TypeError("the option 'mapping' returned no event for an event"))
  })
})
