import { expect, test } from 'vitest'
import { EdgeDetector, compileEdgeRules } from './edge-detector.ts'

const failed = `
title: Failed password
name: failed_password
logsource: {product: linux, service: sshd}
detection: {sel: {message|contains: Failed}, condition: sel}
level: low
---
title: Many failed passwords
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0203
correlation: {type: event_count, rules: [failed_password], group-by: [user], timespan: 10m, condition: {gte: 3}}
level: high
`
const accepted = `
title: Accepted password
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0204
tags: [attack.t1078]
logsource: {product: linux, service: sshd}
detection: {sel: {message|contains: Accepted}, condition: sel}
level: critical
`
const start = Date.UTC(2026, 10, 20, 10)
const event = (second: number, message: string): Buffer => Buffer.from(JSON.stringify({
  '@timestamp': new Date(start + second * 1_000).toISOString(), _logsource: { product: 'linux', service: 'sshd' }, user: 'ann', message,
}))

type Alert = { readonly message: string; readonly _logsource: readonly object[]; readonly _edge: { readonly title: string; readonly level: string } }
const read = (alerts: readonly Uint8Array[]): readonly Alert[] => alerts.map((line) => JSON.parse(Buffer.from(line).toString()) as Alert)
const open = (clock: { nowMs: number }, ...texts: readonly string[]): EdgeDetector =>
  new EdgeDetector(compileEdgeRules(texts.map((text, i) => ({ path: `${i}.yml`, text }))), () => clock.nowMs)

test('an event that matches is an alert with what the rule says; others are none', () => {
  const detector = open({ nowMs: start }, accepted)
  const { alerts, malformedCount } = detector.detect([event(0, 'nothing'), Buffer.from('no event'), event(1, 'Accepted password')])
  expect(malformedCount).toBe(1)
  expect(read(alerts)).toEqual([expect.objectContaining({
    message: 'Accepted password', user: 'ann',
    _logsource: [{ product: 'linux', service: 'sshd' }, { product: 'tripline', category: 'edge_alert' }],
    _edge: {
      rule_id: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0204', title: 'Accepted password', level: 'critical', description: '', tags: ['attack.t1078'],
      conditions: expect.any(Array) as unknown, detected_at: '2026-11-20T10:00:00.000Z',
    },
  })])
  expect([detector.eventCount, detector.alertCount]).toEqual([3, 1])
})

test('a correlation shows its newest event, at the latest when events have stopped', () => {
  const clock = { nowMs: start }
  const detector = open(clock, failed)
  const found = [...detector.detect([event(0, 'Failed 1'), event(1, 'Failed 2'), event(2, 'Failed 3')]).alerts]
  for (let i = 0; i < 200; i++) {
    clock.nowMs += 5_000
    found.push(...detector.advance())
  }
  expect(read(found).map(({ message, _edge: { title, level } }) => `${title}, ${level}: ${message}`)).toEqual(['Many failed passwords, high: Failed 3'])
})

test('rules that did not change keep their windows', () => {
  const clock = { nowMs: start }
  const detector = open(clock, failed)
  detector.detect([event(0, 'Failed 1'), event(1, 'Failed 2')])
  detector.useRules(compileEdgeRules([{ path: '0.yml', text: failed }, { path: '1.yml', text: accepted }]))
  const found = [...detector.detect([event(2, 'Failed 3'), event(3, 'Accepted 4')]).alerts]
  for (let i = 0; i < 200; i++) {
    clock.nowMs += 5_000
    found.push(...detector.advance())
  }
  expect(read(found).map(({ _edge: { title } }) => title).sort()).toEqual(['Accepted password', 'Many failed passwords'])
})

test('rules that cannot run are named with file and line, and the others run', () => {
  const { ruleCount, problems } = compileEdgeRules([{ path: 'a.yml', text: accepted }, { path: 'b.yml', text: 'title: x\nlogsource: {product: y}\ndetection: {condition: z}\n' }])
  expect(ruleCount).toBe(1)
  expect(problems).toEqual([expect.stringMatching(/^b\.yml:3: /)])
})
