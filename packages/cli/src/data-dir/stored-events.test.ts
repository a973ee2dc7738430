import { appendFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'

const rules = `title: Failed
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0301
name: failed
level: low
logsource: { product: app }
detection: { selection: { action: fail }, condition: selection }
---
title: Many
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0302
level: high
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 1m, condition: { gte: 3 } }
`
const startedAt = Date.UTC(2026, 10, 20)

function event(second: number, user: string, action: string): string {
  const time = new Date(startedAt + second * 1_000).toISOString()
  return JSON.stringify({ '@timestamp': time, _logsource: { product: 'app' }, user, action, host: 'web-1', severity: action === 'fail' ? 'warning' : 'info' })
}

const lines = [event(0, 'alice', 'fail'), event(10, 'bob', 'ok'), event(20, 'alice', 'fail'), event(30, 'Alice', 'fail'), event(7_200, 'bob', 'fail')]
const folder = createFolder({
  'rules.yml': rules,
  'looser.yml': rules.replace('gte: 3', 'gte: 2').replace('timespan: 1m', 'timespan: 25s'),
  'tighter.yml': rules.replace('gte: 3', 'gte: 4'),
  'events.ndjson': lines.join('\n'),
  'events.ndjson.gz': gzipSync(lines.join('\n')),
})
afterAll(() => rmSync(folder, { recursive: true }))

const tripline = (line: string, stdin = '') => runCaptured(line, { cwd: folder, stdin })

beforeAll(async () => {
  await tripline('ingest --data-dir stored --input events.ndjson')
})

describe('tripline ingest', () => {
  test('stores events, and says which lines hold none', async () => {
    const { code, stdout, stderr } = await tripline('ingest --data-dir other --json', `\ufeff${lines[0]}\r\n\nnonsense\n${lines[1]}`)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ stored: 2, malformed: 1, took_ms: expect.any(Number) })
    expect(stderr).toContain('line 3')
    expect((await tripline('search --data-dir other')).stdout).toBe(`${lines[1]}\n${lines[0]}\n`)
  })

  test('adds to what is there, from packed files too', async () => {
    for (let time = 0; time < 2; time++) await tripline('ingest --data-dir twice --input events.ndjson.gz')
    expect(JSON.parse((await tripline('search --data-dir twice --json')).stdout)).toMatchObject({ total: 10, total_relation: 'eq' })
  })

  test('takes events that state no time to have happened now', async () => {
    await tripline('ingest --data-dir undated', '{"user":"eve"}')
    const { stdout } = await tripline('search --data-dir undated --json')
    expect(JSON.parse(stdout)).toMatchObject({ events: [{ time: '2026-11-21T00:00:00.000Z', severity: 'info', event: { user: 'eve' } }] })
  })

  test('keeps the events of tenants apart', async () => {
    await tripline('ingest --data-dir tenants --tenant a', lines[0])
    expect((await tripline('search --data-dir tenants --tenant b')).stdout).toBe('')
    expect((await tripline('search --data-dir tenants --tenant a')).stdout).toBe(`${lines[0]}\n`)
  })
})

describe('tripline search', () => {
  test.for<[title: string, line: string, found: number[]]>([
    ['everything, the newest first', '', [4, 3, 2, 1, 0]],
    ['a value, without regard to case', 'user:ALICE', [3, 2, 0]],
    ['several words of a query', 'user:alice AND NOT severity:info', [3, 2, 0]],
    ['from a time on', 'user:* --from 2026-11-20T00:00:20Z', [4, 3, 2]],
    ['before a time', '--to 2026-11-20T00:00:20Z', [1, 0]],
    ['what is not long ago', '--from 22h', [4]],
    ['no more than asked for', '--limit 2', [4, 3]],
    ['a regular expression', 'user:/^AL/i', [3, 2, 0]],
    ['a value of any field', '*:bob', [4, 1]],
    ['a time before now', '@timestamp:>=now-22h', [4]],
  ])('finds %s', async ([, line, found]) => {
    expect(await tripline(`search --data-dir stored ${line}`)).toEqual({ code: 0, stdout: found.map((at) => `${lines[at]}\n`).join(''), stderr: '' })
  })

  test('warns of fields that no event has', async () => {
    const { code, stdout, stderr } = await tripline('search usr:alice --data-dir stored')
    expect([code, stdout, stderr]).toEqual([0, '', "tripline: no recent event has the field 'usr'; did you mean 'user'?\n"])
  })

  test('counts over time and by severity', async () => {
    const { stdout } = await tripline('search user:alice --data-dir stored --histogram --json')
    const body = JSON.parse(stdout) as { readonly histogram: readonly { readonly count: number; readonly breakdown: object }[] }
    expect(body).toMatchObject({ query: 'user:alice', total: 3, total_relation: 'eq', truncated: false })
    expect(body.histogram.filter(({ count }) => count > 0).map(({ breakdown }) => breakdown)).toEqual([{ medium: 3 }])
    expect((await tripline('search user:alice --data-dir stored --histogram')).stdout).toMatch(/█+ {2}medium 3\n3 events match\n$/)
  })

  test.for<[what: string, line: string, code: number, message: string]>([
    ['a query that is none', 'search user:( --data-dir stored', 2, 'tripline: the query is wrong: '],
    ['a time that is none', 'search --data-dir stored --from soon', 2, "option '--from' is 'soon'; it takes a time such as"],
    ['a range that ends before it begins', 'search --data-dir stored --from 2026-11-21 --to 2026-11-20', 2, 'which is not before'],
    ['a number of events that is too large', 'search --data-dir stored --limit 100000', 2, "option '--limit' is '100000'"],
    ['a directory without events', 'search --data-dir rules.yml', 66, "data directory 'rules.yml'"],
    ['a directory that is not there', 'search --data-dir nowhere', 66, "data directory 'nowhere' holds no events; store some with 'tripline ingest'"],
  ])('refuses %s', async ([, line, code, message]) => {
    const captured = await tripline(line)
    expect(captured.code).toBe(code)
    expect(captured.stderr).toContain(message)
  })
})

describe('tripline detect of a file', () => {
  const kinds = `title: Ok
name: ok
logsource: { product: app }
detection: { selection: { action: ok }, condition: selection }
---
title: Many, then ok
generate: true
correlation: { type: temporal_ordered, rules: [many, ok], group-by: [user], timespan: 10m }
---
title: No ok
correlation: { type: temporal, rules: [failed, ok], group-by: [user], timespan: 1m, condition: failed and not ok }
---
title: Few
correlation: { type: event_count, rules: [failed], group-by: [user], timespan: 1m, condition: { lte: 1 } }
`
  const stream = Array.from({ length: 200 }, (_, i) => {
    const user = ['alice', 'bob', 'carol'][(i * 7) % 3]!
    return event(((i * 131) % 200) * 11 + (i % 2) / 2, user, i % 4 === 0 ? 'ok' : 'fail')
  })

  test.for<[order: string, lines: readonly string[]]>([
    ['as it came', stream],
    ['backwards', stream.toReversed()],
    ['oldest first', stream.toSorted()],
  ])('finds what ingest and hunt find, in any order of lines: %s', async ([order, shuffled]) => {
    const name = order.replaceAll(' ', '-')
    writeFileSync(join(folder, `${name}.ndjson`), shuffled.join('\n'))
    writeFileSync(join(folder, 'kinds.yml'), `${rules.replace('title: Many', 'title: Many\nname: many')}---\n${kinds}`)
    await tripline(`ingest --data-dir data-${name} --input ${name}.ndjson`)
    const hunted = JSON.parse((await tripline(`hunt kinds.yml --data-dir data-${name} --json`)).stdout)
    const { stdout, stderr, code } = await tripline(`detect kinds.yml --input ${name}.ndjson --strict-state`)
    const found = Map.groupBy(stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)), ({ rule_id }) => rule_id)
    const counts = (rows: Iterable<readonly [string, number]>): object => Object.fromEntries(rows)
    expect(counts(Array.from(found, ([id, matches]) => [id, matches.length] as const)))
      .toEqual(counts(hunted.rules.map(({ rule_id, matches }: { rule_id: string; matches: number }) => [rule_id, matches])))
    expect(found.size).toBe(5)
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  })
})

describe('tripline hunt', () => {
  test.for<[range: string, outcome: string]>([
    ['--from 2026-11-21', '0 matches in 0 events read'],
    ['--to 2026-11-19', '0 matches in 0 events read'],
    ['--from 2026-11-18 --to 2026-11-19', '0 matches in 0 events read'],
  ])('with %s says where the stored events lie', async ([range, outcome]) => {
    const { code, stdout, stderr } = await tripline(`hunt rules.yml --data-dir stored ${range}`)
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(outcome) })
    expect(stderr).toMatch(/^tripline: no event lies in this range; those stored are of 2026-11-20T\S+Z to 2026-11-20T\S+Z\n$/)
  })

  test('says that a tenant has no events', async () => {
    const { stderr } = await tripline('hunt rules.yml --data-dir stored --tenant acme')
    expect(stderr).toBe("tripline: the tenant 'acme' has no stored events\n")
  })

  test('says what rules would have found', async () => {
    const { code, stdout } = await tripline('hunt rules.yml --data-dir stored')
    expect(code).toBe(0)
    expect(stdout.replace(/, \d+\.\d s\n/, ', some s\n')).toBe(`1 match in 4 events read, some s
        1  Many, 2026-11-20T00:00:30.000Z to 2026-11-20T00:00:30.000Z
users: alice 1
first:
  2026-11-20T00:00:30.000Z  Many  alice  correlation: event_count 3>=3 by user=alice in 1m
`)
  })

  test('prints one JSON object', async () => {
    const { stdout } = await tripline('hunt rules.yml --data-dir stored --json')
    expect(JSON.parse(stdout)).toMatchObject({
      matches: 1, events_read: 4, whole: true, damaged_blocks: 0,
      rules: [{ rule_id: '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0302', title: 'Many', matches: 1 }],
      examples: [{ level: 'high', sequence: 3, user: 'alice', matched_conditions: ['correlation: event_count 3>=3 by user=alice in 1m'] }],
    })
  })

  test('compares two versions of rules', async () => {
    expect((await tripline('hunt rules.yml --compare tighter.yml --data-dir stored')).stdout).toBe(`1 match now, 0 with the change, in 4 events
1 disappear:
  - 2026-11-20T00:00:30.000Z  Many  alice  correlation: event_count 3>=3 by user=alice in 1m
`)
    expect((await tripline('hunt rules.yml --compare looser.yml --data-dir stored')).stdout).toBe(`1 match now, 2 with the change, in 4 events
1 are new:
  + 2026-11-20T00:00:20.000Z  Many  alice  correlation: event_count 2>=2 by user=alice in 25s
`)
  })

  test('says which correlations lost state, and ends with 3 then with --strict-state', async () => {
    const outer = 'title: Many, then ok\nid: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0304\ncorrelation: '
      + '{ type: temporal_ordered, rules: [many, ok], group-by: [user], timespan: 10m }'
    const ok = 'title: Ok\nname: ok\nlogsource: { product: app }\ndetection: { selection: { action: ok }, condition: selection }'
    const many = rules.replace('title: Many', 'title: Many\nname: many').replace('[user], timespan: 1m', '[host], timespan: 10m')
    writeFileSync(join(folder, 'carrying.yml'), [many.replace('gte: 3', 'gte: 150'), ok, outer].join('\n---\n'))
    const users = Array.from({ length: 150 }, (_, n) => event(n, `user${n}`, 'fail'))
    await tripline('ingest --data-dir carrying', [...users, event(200, 'user149', 'ok')].join('\n'))
    expect((await tripline('hunt carrying.yml --data-dir carrying')).code).toBe(0)
    const { code, stdout } = await tripline('hunt carrying.yml --data-dir carrying --strict-state')
    expect(code).toBe(3)
    expect(stdout).toContain('one correlation forgot events or values to bound memory, so that matches may be missing: '
      + '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0302\n')
    const compared = await tripline('hunt rules.yml --compare carrying.yml --data-dir carrying --strict-state --json')
    expect(JSON.parse(compared.stdout)).toMatchObject({
      before: { degraded_rules: [] }, after: { degraded_rules: ['0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0302'] },
    })
    expect(compared.code).toBe(3)
    expect((await tripline('hunt rules.yml --data-dir carrying --strict-state')).code).toBe(0)
  })

  test('looks at the range that it is given', async () => {
    const { stdout } = await tripline('hunt rules.yml --data-dir stored --from 2026-11-20T00:00:05Z --json')
    expect(JSON.parse(stdout)).toMatchObject({ matches: 0, events_read: 3 })
  })
})

describe('tripline verify', () => {
  test('says that all is well', async () => {
    const { code, stdout } = await tripline('verify --data-dir stored --json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ events: 5, damaged: 0, first_damage: null })
  })

  test('finds a byte that changed, and where', async () => {
    await tripline('ingest --data-dir damaged --input events.ndjson')
    const [log] = readdirSync(join(folder, 'damaged/events'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)).filter((path) => readFileSync(path).length > 100)
    const bytes = readFileSync(log!)
    bytes[60]! ^= 1
    writeFileSync(log!, bytes)
    // A whole record behind it tells damage from a torn end.
    appendFileSync(log!, bytes)
    const { code, stdout } = await tripline('verify --data-dir damaged')
    expect(code).toBe(1)
    expect(stdout).toMatch(/damaged, first .+ at byte \d+: /)
  })

  test('refuses a directory without events', async () => {
    mkdirSync(join(folder, 'bare'))
    expect(await tripline('verify --data-dir bare')).toMatchObject({ code: 66 })
  })
})
