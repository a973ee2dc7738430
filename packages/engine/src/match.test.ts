import { expect, test } from 'vitest'
import { compileRules } from './compile-rules.ts'
import { Engine } from './engine.ts'
import type { Match } from './match.ts'

const rule = `title: Fetched
id: 1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
name: fetched
status: test
description: Finds downloads.
author: Ann
references: [https://example.org]
date: 2026-11-20
tags: [attack.execution]
falsepositives: [installers]
level: high
logsource: { product: p }
detection: { s: { a: x }, condition: s }
`
const correlation = `title: Many
id: 2a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6
author: Bea
level: low
tags: [attack.t1105]
correlation: { type: event_count, rules: [fetched], group-by: [user], timespan: 1m, generate: true, condition: { gte: 2 } }
`
const event = { _logsource: { product: 'p' }, '@timestamp': '2026-11-20T10:00:00Z', a: 'x', user: 'alice' }

function matchesOf(text: string): Match[] {
  return new Engine(compileRules([{ path: 'rules.yml', text }]).ruleSet).push([event, event])
}

const details = {
  status: 'test', description: 'Finds downloads.', author: 'Ann', references: ['https://example.org'], date: '2026-11-20',
  tags: ['attack.execution'], falsepositives: ['installers'], fields: [],
}
const detectionEntry = {
  kind: 'detection',
  rule: { id: '1a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6', name: 'fetched', title: 'Fetched', level: 'high', ...details, logsource: { product: 'p' }, path: 'rules.yml' },
  row: 0,
  conditions: ['s: a=x'],
  event,
}

test.for<[title: string, text: string]>([
  ['a rule of a file of its own', rule],
  ['a rule of a collection', `${rule}---\n${correlation}`],
])('a match has the attributes of %s, and its JSON is an entry for a log', ([, text]) => {
  const [match] = matchesOf(text)
  expect(match?.rule).toMatchObject(details)
  expect(JSON.parse(JSON.stringify(match))).toEqual(detectionEntry)
})

test('a match of bytes has the same JSON', () => {
  const engine = new Engine(compileRules([{ path: 'rules.yml', text: rule }]).ruleSet)
  const { matches } = engine.pushBytes(new TextEncoder().encode(JSON.stringify(event)))
  expect(JSON.parse(JSON.stringify(matches))).toEqual([detectionEntry])
})

test('the JSON of a correlation match has its group and instants', () => {
  const match = matchesOf(`${rule}---\n${correlation}`).find(({ kind }) => kind === 'correlation')
  expect(match?.rule).toMatchObject({ author: 'Bea', tags: ['attack.t1105'] })
  expect(JSON.parse(JSON.stringify(match))).toMatchObject({
    kind: 'correlation',
    rule: { id: '2a3c5e7f-1b2d-4c6e-8f90-a1b2c3d4e5f6', title: 'Many', level: 'low', author: 'Bea', tags: ['attack.t1105'], path: 'rules.yml' },
    occurredAt: '2026-11-20T10:00:00.000Z', decidedAt: '2026-11-20T10:00:00.000Z', group: { user: 'alice' }, value: 2, eventCount: 2,
    conditions: ['correlation: event_count 2>=2 by user=alice in 1m'],
  })
})
