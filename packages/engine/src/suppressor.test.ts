import { describe, expect, test } from 'vitest'
import { Engine, compileRules } from './index.ts'
import type { EventObject, Suppression } from './index.ts'
import { limits } from './limits.ts'
import { Suppressor } from './suppressor.ts'

const ids = { a: '0e3a8d5e-4a52-4a6e-8d3c-8a2f1f7f000a', b: '0e3a8d5e-4a52-4a6e-8d3c-8a2f1f7f000b', many: '0e3a8d5e-4a52-4a6e-8d3c-8a2f1f7f000c' }
const rules = `
title: A
id: ${ids.a}
name: a
logsource: { product: x }
detection: { s: { name: '*' }, condition: s }
---
title: B
id: ${ids.b}
logsource: { product: x }
detection: { s: { name: bob }, condition: s }
---
title: Many
id: ${ids.many}
correlation: { type: event_count, rules: [a], group-by: [name], timespan: 1m, condition: { gte: 2 }, firing: every }
generate: true
`

/** Matches as `second rule`, of events as `second name host`. */
function handedOut(suppressions: readonly Suppression[], events: readonly string[]): string[] {
  const engine = new Engine(compileRules([{ text: rules }]).ruleSet, { suppressions })
  const startedAt = Date.UTC(2026, 10, 21)
  const objects = events.map((text): EventObject => {
    const [second, name, host] = text.split(' ')
    return { _logsource: { product: 'x' }, '@timestamp': new Date(startedAt + Number(second) * 1_000).toISOString(), name, host }
  })
  const matches = engine.push(objects)
  expect(engine.counts.matches).toBe(matches.length)
  return matches.map((match) => {
    const at = match.kind === 'detection' ? events[match.row]!.split(' ')[0] : (match.decidedAt - startedAt) / 1_000
    return `${at} ${match.rule.title}`
  })
}

test.for<[what: string, suppressions: Suppression[], events: string[], matches: string[]]>([
  ['nothing by default', [], ['0 al', '1 al'], ['0 A', '1 A', '1 Many']],
  ['a repeated match', [{ windowMs: 10_000 }], ['0 al', '1 al', '9 eve'], ['0 A', '1 Many']],
  ['nothing after its window', [{ ruleIds: [ids.a], windowMs: 10_000 }], ['0 bob', '10 bob'], ['0 A', '0 B', '10 A', '10 B', '10 Many']],
  ['no match of another rule', [{ ruleIds: [ids.b], windowMs: 10_000 }], ['0 bob', '1 bob'], ['0 A', '0 B', '1 A', '1 Many']],
  ['no match with another value', [{ ruleIds: [ids.a], by: ['host'], windowMs: 10_000 }], ['0 al h1', '1 eve h2', '2 eve H1'], ['0 A', '1 A', '2 Many']],
  ['matches above the maximum', [{ ruleIds: [ids.a], windowMs: 10_000, countMax: 2 }], ['0 x', '1 y', '2 z', '10 u', '11 v', '12 w'], ['0 A', '1 A', '10 A', '11 A']],
  ['a correlation by its group', [{ ruleIds: [ids.many], by: ['name'], windowMs: 10_000 }], ['0 x', '1 x', '2 x', '2 y', '3 y'],
    ['0 A', '1 A', '2 A', '2 A', '3 A', '1 Many', '3 Many']],
  ['a slightly older match', [{ ruleIds: [ids.a], windowMs: 10_000 }], ['20 x', '15 y', '5 z'], ['20 A', '5 A']],
  ['what any of several suppresses', [{ ruleIds: [ids.a], by: ['name'], windowMs: 10_000 }, { ruleIds: [ids.a], by: ['host'], windowMs: 10_000 }],
    ['0 x h', '1 y h', '2 x g', '3 z i'], ['0 A', '3 A', '2 Many']],
])('suppresses %s', ([, suppressions, events, matches]) => {
  expect(handedOut(suppressions, events)).toEqual(matches)
})

describe('a suppressor', () => {
  const match = (name: string, at: number) => ({ ruleId: 'r', at, valueOf: () => name })

  test('drops the oldest keys when there are too many', () => {
    const suppressor = new Suppressor([{ by: ['name'], windowMs: 1_000 }])
    for (let kind = 0; kind <= limits.suppressedKeysMax; kind++) expect(suppressor.admit(match(`${kind}`, 0))).toBe(true)
    expect(suppressor.admit(match(`${limits.suppressedKeysMax}`, 1))).toBe(false)
    expect(suppressor.admit(match('0', 1))).toBe(true)
    expect(suppressor.suppressedCount).toBe(1)
  })

  test.for<[what: string, suppression: Suppression, message: string]>([
    ['no window', { windowMs: 0 }, 'the window of a suppression is 0 ms; it must be above 0'],
    ['a window that is not a number', { windowMs: Number.NaN }, 'the window of a suppression is NaN ms'],
    ['a maximum of zero', { windowMs: 1, countMax: 0 }, 'the countMax of a suppression is 0; it must be at least 1'],
  ])('rejects %s', ([, suppression, message]) => {
    expect(() => new Suppressor([suppression])).toThrow(message)
  })

  test('resumes from a snapshot', () => {
    const options = { suppressions: [{ by: ['name'], windowMs: 10_000 }], correlation: false } as const
    const { ruleSet } = compileRules([{ text: rules }])
    const event = { _logsource: { product: 'x' }, '@timestamp': '2026-11-21T00:00:00Z', name: 'al' }
    const first = new Engine(ruleSet, options)
    expect(first.push([event])).toHaveLength(1)
    const second = new Engine(ruleSet, options)
    second.restore(first.snapshot())
    expect(second.push([event, { ...event, name: 'eve' }])).toHaveLength(1)
    expect(second.counts.suppressed).toBe(1)
  })
})
