import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import type { ContextOverrides } from '../../test/run-captured.ts'

const rules = `
title: Failed login
name: failed
level: low
logsource: { product: app }
detection: { selection: { action: fail }, condition: selection }
---
title: Login
name: login
level: low
logsource: { product: app }
detection: { selection: { action: ok }, condition: selection }
---
title: Many failed logins
id: 5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0001
name: many
level: medium
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 10m, condition: { gte: 3 } }
---
title: Failed logins, then one that worked
id: 5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0002
level: high
generate: true
correlation: { type: temporal_ordered, rules: [many, login], group-by: [user], timespan: 10m }
---
title: Not from the office
logsource: { product: app }
filter: { rules: [failed], office: { address: 10.0.0.1 }, condition: not office }
`

type Login = readonly [second: number, user: string, action: 'fail' | 'ok', address?: string]

function event([second, user, action, address = '192.0.2.7']: Login): string {
  const time = new Date(Date.UTC(2026, 10, 20) + second * 1_000).toISOString()
  return JSON.stringify({ _logsource: { product: 'app' }, '@timestamp': time, user, action, address })
}

const logins: readonly Login[] = [
  [0, 'alice', 'fail'], [5, 'bob', 'fail', '10.0.0.1'], [10, 'alice', 'fail'], [12, 'bob', 'fail', '10.0.0.1'],
  [20, 'alice', 'fail'], [21, 'bob', 'fail', '10.0.0.1'], [30, 'alice', 'ok'],
]
const lines = logins.map(event)

const folder = createFolder({ 'rules/login.yml': rules, 'events.ndjson': lines.join('\n'), 'text.txt': 'no state' })
afterAll(() => rmSync(folder, { recursive: true }))

async function detect(line: string, surroundings: ContextOverrides = {}) {
  const captured = await runCaptured(`detect rules ${line}`, { cwd: folder, ...surroundings })
  const found = captured.stdout.split('\n').filter((text) => text !== '').map((text) => JSON.parse(text) as Record<string, unknown>)
  return { ...captured, found, titles: found.map(({ line: at, title }) => `${String(at)} ${String(title)}`) }
}

describe('tripline detect with correlation rules', () => {
  test('prints what a correlation held on, and matches of the rules that it names where it says so', async () => {
    const { found, stderr, code } = await detect('--input events.ndjson')
    expect(found).toEqual([
      expect.objectContaining({ line: 7, title: 'Login', level: 'low' }),
      {
        line: 5,
        rule_id: '5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0001',
        title: 'Many failed logins',
        level: 'medium',
        matched_conditions: ['correlation: event_count 3>=3 by user=alice in 10m'],
        correlation: {
          type: 'event_count', group: { user: 'alice' }, value: 3, occurred_at: '2026-11-20T00:00:20.000Z',
          decided_at: '2026-11-20T00:00:20.000Z', event_count: 3, lines: [1, 3, 5],
        },
      },
      expect.objectContaining({ line: 7, level: 'high', correlation: expect.objectContaining({ lines: [5, 7] }) }),
    ])
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  })

  test('finds the same whatever the order of the lines is', async () => {
    const { titles } = await detect('--lateness 1m', { stdin: lines.toReversed().join('\n') })
    expect(titles).toEqual(['1 Login', '3 Many failed logins', '1 Failed logins, then one that worked'])
  })

  test('says how many events came too late', async () => {
    const { titles, stderr } = await detect('--lateness 0s', { stdin: lines.toReversed().join('\n') })
    expect(titles).toEqual(['1 Login'])
    expect(stderr).toBe('tripline: 3 events came later than --lateness allows and were not correlated\n')
  })

  test('prints rows of a table, and fails on the level of a correlation', async () => {
    const { stdout, code } = await runCaptured('detect rules --input events.ndjson --output table --fail-on high', { cwd: folder })
    expect(stdout.split('\n')[3]).toMatch(/^ {7}7 {2}\S+ {2}high {11}\S+ +alice +Failed logins, then one that worked .* temporal_ordered 2>=2 by user=alice in 10m$/)
    expect(code).toBe(1)
  })

  test('goes on from a saved state, whose lines are no lines of this input', async () => {
    const state = '--lateness 0s --state state.bin'
    expect((await detect(state, { stdin: lines.slice(0, 4).join('\n') })).titles).toEqual([])
    expect((await detect(state, { stdin: lines.slice(4).join('\n') })).titles).toEqual([
      '1 Many failed logins', '3 Login', '3 Failed logins, then one that worked',
    ])
    expect(existsSync(join(folder, 'state.bin.new'))).toBe(false)
  })

  test('says which saved state is dropped because its rule has changed', async () => {
    await detect('--state changed.bin', { stdin: lines.slice(0, 4).join('\n') })
    writeFileSync(join(folder, 'other.yml'), rules.replace('gte: 3', 'gte: 2'))
    const { stderr } = await runCaptured('detect other.yml --state changed.bin', { cwd: folder, stdin: lines[4]! })
    expect(stderr).toBe('tripline: the state of rule 5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0001 is dropped, because the rule is defined otherwise now\n')
  })

  test('counts in --stats what became of events', async () => {
    const { stderr } = await detect('--input events.ndjson --stats')
    expect(JSON.parse(stderr)).toMatchObject({
      matches: 3, rules_matched: 3, correlation: { late: 0, future: 0, undated: 0, ungrouped: 0, evicted: 0 },
    })
  })

  test('--strict-state ends with 3 where correlations lost state, which the match says too', async () => {
    const carrying = `${rules.split('---').slice(0, 2).join('---')}---
title: Many on one address
name: many
correlation: { type: event_count, rules: [failed], group-by: [address], timespan: 10m, condition: { gte: 150 } }
---
title: Many, then a login
correlation: { type: temporal_ordered, rules: [many, login], group-by: [user], timespan: 10m }
`
    writeFileSync(join(folder, 'carrying.yml'), carrying)
    const users = Array.from({ length: 150 }, (_, n) => event([n, `user${n}`, 'fail']))
    const stdin = [...users, event([200, 'user149', 'ok'])].join('\n')
    const { stdout, stderr, code } = await runCaptured('detect carrying.yml --strict-state', { cwd: folder, stdin })
    expect(code).toBe(3)
    expect(stderr).toBe('tripline: 50 events or values of correlations were forgotten to bound memory; matches may be missing\n')
    expect(JSON.parse(stdout)).toMatchObject({ title: 'Many, then a login', correlation: { group: { user: 'user149' }, degraded: true } })
    expect((await runCaptured('detect carrying.yml', { cwd: folder, stdin })).code).toBe(0)
  })

  test.for<[what: string, line: string, code: number, message: string]>([
    ['a lateness that is none', '--lateness soon', 2, "option '--lateness' is 'soon'; it takes a whole number and a unit"],
    ['a state that is none', '--state text.txt', 66, "state 'text.txt' cannot be read: the bytes are no state of an engine"],
    ['a state in a directory that is not there', '--state nowhere/state.bin', 74, 'the output cannot be written: there is no such file'],
  ])('refuses %s', async ([, line, code, message]) => {
    const captured = await detect(line, { stdin: lines[0]! })
    expect(captured.code).toBe(code)
    expect(captured.stderr).toContain(message)
  })

  test('has no use for a state without correlation rules', async () => {
    writeFileSync(join(folder, 'single.yml'), rules.split('---')[0]!)
    const { code, stderr } = await runCaptured('detect single.yml --state s.bin', { cwd: folder, stdin: lines[0]! })
    expect([code, stderr]).toEqual([2, "tripline: option '--state' needs a correlation rule; none of the rules is one\n"])
  })

  test('leaves a state as it was when it cannot go on from it', async () => {
    const before = readFileSync(join(folder, 'text.txt'), 'utf8')
    await detect('--state text.txt', { stdin: lines[0]! })
    expect(readFileSync(join(folder, 'text.txt'), 'utf8')).toBe(before)
  })
})
