import { describe, expect, test } from 'vitest'
import { Engine } from '../src/index.ts'
import type { CorrelationOptions, EventObject } from '../src/index.ts'
import { compileObjects } from './compile-objects.ts'

const startAt = Date.UTC(2026, 0, 5)
const detection = { name: 'a', detection: { selection: { kind: 'a' }, condition: 'selection' } }

type Outcome = { readonly users: readonly string[]; readonly evicted: number; readonly groups: number; readonly events: number }

/** Pushes events of users, one per second, and returns the matched users and the size of the state. */
function run(users: readonly string[], section: object, options: CorrelationOptions): Outcome {
  const correlation = { type: 'event_count', rules: ['a'], 'group-by': ['user'], timespan: '1h', condition: { gte: 2 }, ...section }
  const { ruleSet, reports } = compileObjects([detection, { name: 'c', correlation }])
  expect(reports.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  const engine = new Engine(ruleSet, { correlation: options })
  const matches = engine.push(users.map((user, second): EventObject => {
    return { '@timestamp': new Date(startAt + second * 1_000).toISOString(), _logsource: { category: 'test' }, kind: 'a', user, host: `h${second}` }
  }))
  const { evicted, groups, events } = engine.correlation!
  return { users: matches.flatMap((match) => (match.kind === 'correlation' ? [match.group.get('user')!] : [])), evicted, groups, events }
}

describe('the state of correlations is bounded', () => {
  test.for<[title: string, users: string, section: object, options: CorrelationOptions, outcome: Outcome]>([
    ['the maximum number of groups', 'u v u', {}, { stateMax: { groups: 2 } }, { users: ['u'], evicted: 0, groups: 2, events: 3 }],
    ['a group too many: the least recently used is evicted', 'u v w u', {}, { stateMax: { groups: 2 } },
      { users: [], evicted: 2, groups: 2, events: 2 }],
    ['a group with a recent event stays', 'u v u w u v', {}, { stateMax: { groups: 2 } }, { users: ['u'], evicted: 2, groups: 2, events: 4 }],
    ['one group', 'u v v', {}, { stateMax: { groups: 1 } }, { users: ['v'], evicted: 1, groups: 1, events: 2 }],
    ['of conditions that few events fulfil as well', 'u v u w', { condition: { lt: 9 } }, { stateMax: { groups: 2 } },
      { users: [], evicted: 1, groups: 2, events: 3 }],
    ['events of a group: what is only shown is not missed', 'u u u u', { type: 'temporal', condition: { gte: 1 }, firing: 'every' },
      { stateMax: { groupEvents: 2 } }, { users: ['u', 'u', 'u', 'u'], evicted: 0, groups: 1, events: 2 }],
    ['distinct values of a group: as many as its threshold tells apart', 'u u u u u u',
      { type: 'value_count', condition: { field: 'host', gte: 2 } }, { stateMax: { groupEvents: 1 } },
      { users: ['u'], evicted: 0, groups: 1, events: 4 }],
    ['shares of a group: the oldest of more than ten thousand events goes', Array.from({ length: 10_002 }, () => 'u').join(' '),
      { type: 'value_percentile', condition: { field: 'host', gt: 100 }, timespan: '1d' }, { stateMax: { groupEvents: 1 } },
      { users: [], evicted: 2, groups: 1, events: 10_001 }],
    ['a group keeps as many events as its threshold needs', 'u u u u', { condition: { gte: 4 } }, { stateMax: { groupEvents: 2 } },
      { users: ['u'], evicted: 0, groups: 1, events: 4 }],
    ['and one more, to tell equal from greater', 'u u u u u', { condition: { eq: 4 } }, { stateMax: { groupEvents: 2 } },
      { users: [], evicted: 0, groups: 1, events: 5 }],
  ])('%s', ([, users, section, options, outcome]) => {
    expect(run(users.split(' '), section, options)).toEqual(outcome)
  })

  test('all rules together stay close to the event limit', () => {
    const users = Array.from({ length: 1_000 }, (_, number) => `user ${number}`)
    const { evicted, events } = run(users, {}, { stateMax: { events: 100 } })
    expect(events).toBeLessThanOrEqual(100 + 64)
    expect(evicted + events).toBe(1_000)
  })

  test('what is over a bound that others set goes in short steps, what was quiet longest first', () => {
    const correlation = { type: 'event_count', rules: ['a'], 'group-by': ['user'], timespan: '1h', condition: { gte: 2 } }
    const { ruleSet } = compileObjects([detection, { name: 'c', correlation }])
    const engine = new Engine(ruleSet, { correlation: { allowedLatenessMs: 60_000 } })
    const at = (second: number): string => new Date(startAt + second * 1_000).toISOString()
    const push = (users: readonly string[]): unknown[] => engine.push(users.map((user, place) => {
      return { '@timestamp': at(place / 1_000), _logsource: { category: 'test' }, kind: 'a', user }
    }))
    push(Array.from({ length: 4_000 }, (_, number) => `user ${number}`))
    expect(engine.correlation).toMatchObject({ pending: 4_000, events: 0 })
    let stepCount = 1
    for (; !engine.trimCorrelations(1_500); stepCount++) {
      const { pending, events, evicted } = engine.correlation!
      expect(pending + events + evicted).toBe(4_000)
    }
    expect(stepCount).toBeGreaterThan(4)
    const { pending, events } = engine.correlation!
    expect(pending + events).toBe(1_500)
    expect(engine.correlation).toMatchObject({ evicted: 2_500, degraded: 1 })
    engine.push([{ '@timestamp': at(4), _logsource: { category: 'test' }, kind: 'a', user: 'user 3999' }])
    expect(engine.advance(startAt + 70_000).map(({ group }) => group.get('user'))).toEqual(['user 3999'])
  })

  test('a match survives the immediate eviction of its events', () => {
    const users = Array.from({ length: 64 }, () => 'u')
    expect(run([...users, 'v'], { condition: { gte: 64 } }, { stateMax: { events: 63 } })).toMatchObject({ users: ['u'] })
  })

  test('memory does not grow with the number of groups over time', () => {
    const stream = (count: number): string[] => Array.from({ length: count }, (_, number) => `user ${number}`)
    const bytesOf = (count: number): number => {
      const section = { type: 'value_count', rules: ['a'], 'group-by': ['user'], timespan: '1h', condition: { gte: 2, field: 'host' } }
      const { ruleSet } = compileObjects([detection, { correlation: section }])
      const engine = new Engine(ruleSet, { correlation: { stateMax: { groups: 100 } } })
      engine.push(stream(count).map((user, place) => {
        return { '@timestamp': new Date(startAt + place).toISOString(), _logsource: { category: 'test' }, kind: 'a', user, host: user }
      }))
      return engine.correlation!.bytes
    }
    expect(bytesOf(20_000)).toBeLessThan(2 * bytesOf(500))
  })
})
