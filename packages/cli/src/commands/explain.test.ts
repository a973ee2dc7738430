import { rmSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'
import { brokenRule, curlEvent, curlRule, placeholderRule, rootEvent, shellEvent, shellRule, strayEvent } from '../../test/sample-rules.ts'
import { limits } from '../limits.ts'

const folder = createFolder({
  'curl.yml': curlRule,
  'two.yml': `${curlRule}---\n${shellRule}`,
  'shell-and-broken.yml': `${shellRule}---\n${brokenRule}`,
  'broken.yml': brokenRule,
  'admin.yml': placeholderRule,
  'admins.json': '{"admins":["alice"]}',
  'event.json': JSON.stringify(JSON.parse(curlEvent), null, 2),
  'events.ndjson': `${curlEvent}\n\n${shellEvent}\n`,
  'events.ndjson.gz': gzipSync(`${curlEvent}\n\n${shellEvent}\n`),
  'half.ndjson': `${curlEvent}\nnonsense\n`,
  'none.json': '{"a":',
  'shells.yml': `${shellRule.replace('title: Shell', 'title: Shell\nname: shell')}
---
title: Many shells
id: 5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0003
correlation: { type: event_count, rules: [shell], group-by: [User], timespan: 5m, condition: { gte: 3 } }
`,
  'shells.ndjson': [1, 2, 70].map((second) => {
    const time = new Date(Date.UTC(2026, 10, 20, 0, 0, second)).toISOString()
    return JSON.stringify({ ...JSON.parse(shellEvent) as object, '@timestamp': time, User: 'eve' })
  }).join('\n'),
  'undated.ndjson': [1, 2, 3].map(() => JSON.stringify({ ...JSON.parse(shellEvent) as object, '@timestamp': undefined, User: 'eve' })).join('\n'),
  'huge.json': Buffer.alloc(limits.explainedBytesMax + 1, ' '),
})
afterAll(() => rmSync(folder, { recursive: true }))

const explain = (line: string, stdin = '') => runCaptured(`explain ${line}`, { cwd: folder, stdin })

test('shows the tree of a rule that matched', async () => {
  expect(await explain('curl.yml --input event.json')).toEqual({
    code: 0,
    stderr: '',
    stdout: `line 1: not recognized; linux process_creation (as it states)
✓ line 1: Script download (6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001) matched
  ✓ logsource linux process_creation
  ✓ selection
    ✓ Image|endswith=/curl  (matched: /usr/bin/curl)
    ✓ CommandLine|contains=.sh  (matched: curl x.test/a.sh)
`,
  })
})

test('shows the tree of a rule that did not match', async () => {
  const { code, stdout } = await explain('two.yml --input -', rootEvent)
  expect(code).toBe(0)
  const [head, ...tree] = stdout.slice(stdout.indexOf('✗ line 1: Shell')).split('\n')
  expect(head).toMatch(/^✗ line 1: Shell \(.+\) did not match$/)
  expect(tree.join('\n')).toBe(`  ✓ logsource linux process_creation
  ✗ and
    ✓ shell
      ✓ or
        ✗ Image|endswith=/sh  (value_mismatch: /bin/bash)
        ✓ Image|endswith=/bash  (matched: /bin/bash)
    ✗ not system
      ✓ User=root  (matched: root)
`)
})

test('says when only the logsource is missing', async () => {
  const { stdout } = await explain('curl.yml --input -', strayEvent)
  expect(stdout).toMatch(/\n✗ line 1: .* did not match\n {2}✗ logsource linux process_creation\n {2}✓ selection\n/)
  expect((await explain('curl.yml --input - --lenient', strayEvent)).stdout).toMatch(/\n✓ .* matched\n {2}✓ logsource/)
})

test('says which row recognized the event, and what has another name in rules', async () => {
  const event = JSON.stringify({
    winlog: { channel: 'Security', provider_name: 'P', event_id: 4625, event_data: { TargetUserName: 'ann\u001b' } }, host: { name: 'pc-1' },
  })
  const { stdout } = await explain('curl.yml --input -', event)
  expect(stdout).toMatch(/^line 1: Winlogbeat; windows security\n {2}EventID is winlog.event_id\n {2}Channel is winlog.channel\n/)
  expect(stdout).toContain('\n  TargetUserName is winlog.event_data.TargetUserName\n✗ line 1: ')
  expect(JSON.parse((await explain('curl.yml --input - --json', event)).stdout)).toMatchObject({
    event: { recognized_as: 'Winlogbeat', logsources: [{ product: 'windows', service: 'security' }], renamed: { Computer: 'host.name' } },
  })
})

test('prints one JSON object per event and rule', async () => {
  const { stdout } = await explain('two.yml --input events.ndjson --json')
  const rows = stdout.trimEnd().split('\n').map((row) => JSON.parse(row) as Record<string, unknown>)
  expect(Object.keys(rows[0] ?? {})).toEqual(['line', 'event', 'rule_id', 'title', 'matched', 'logsource_matched', 'matched_conditions', 'explain'])
  expect(rows.map(({ line, title, matched }) => [line, title, matched])).toEqual([
    [1, 'Script download', true],
    [1, 'Shell', false],
    [3, 'Script download', false],
    [3, 'Shell', true],
  ])
  expect(rows[3]).toMatchObject({ matched_conditions: ['shell: Image|endswith=/bash'], explain: { result: true } })
})

test('names the input of an event where there are several, and counts the lines of each from 1', async () => {
  const inputs = '--input events.ndjson --input half.ndjson'
  const { stdout, stderr } = await explain(`curl.yml ${inputs}`)
  expect(stdout.match(/^. \S+: /gmu)).toEqual(['✓ events.ndjson:1: ', '✗ events.ndjson:3: ', '✓ half.ndjson:1: '])
  expect(stderr).toContain('tripline: half.ndjson: line 2 skipped: not JSON: ')
  const rows = (await explain(`curl.yml ${inputs} --json`)).stdout.trimEnd().split('\n').map((row) => JSON.parse(row) as object)
  expect(rows).toMatchObject([{ line: 1, input: 'events.ndjson' }, { line: 3, input: 'events.ndjson' }, { line: 1, input: 'half.ndjson' }])
  expect((await explain('shells.yml --input shells.ndjson --input event.json')).stdout)
    .toContain('    rule shell: shells.ndjson:1, shells.ndjson:2, shells.ndjson:3\n')
})

test('explains the events of the chosen lines alone, and correlations over all', async () => {
  const placesOf = async (line: string) => (await explain(line)).stdout.match(/^. \S+(?: \d+)?: /gmu)
  expect(await placesOf('curl.yml --input events.ndjson --line 3')).toEqual(['✗ line 3: '])
  expect(await placesOf('curl.yml --input events.ndjson --line 3 --line 1')).toEqual(['✓ line 1: ', '✗ line 3: '])
  const inputs = '--input events.ndjson --input half.ndjson'
  expect(await placesOf(`curl.yml ${inputs} --line 1`)).toEqual(['✓ events.ndjson:1: ', '✓ half.ndjson:1: '])
  expect(await placesOf(`curl.yml ${inputs} --line half.ndjson:1`)).toEqual(['✓ half.ndjson:1: '])
  const { stdout } = await explain('shells.yml --input shells.ndjson --line 2')
  expect(stdout).toMatch(/^line 2: /)
  expect(stdout).not.toMatch(/^line 1: /m)
  expect(stdout).toContain('    rule shell: lines 1, 2, 3\n')
  const rows = (await explain('two.yml --input events.ndjson --line 3 --json')).stdout.trimEnd().split('\n')
  expect(rows.map((row) => (JSON.parse(row) as { readonly line: number }).line)).toEqual([3, 3])
})

test('explains a correlation of events without a time as of now, and says so', async () => {
  const { stdout, stderr } = await explain('shells.yml --input undated.ndjson')
  expect(stdout).not.toContain('1970-')
  expect(stdout).toContain(' correlation: event_count 3>=3 by User=eve in 5m')
  expect(stderr).toBe('tripline: 3 events state no time and were correlated as of their arrival\n')
})

test('reads packed events', async () => {
  const plain = await explain('two.yml --input events.ndjson')
  expect(await explain('two.yml --input events.ndjson.gz')).toEqual(plain)
})

test('takes the values of placeholders', async () => {
  const { stdout } = await explain('admin.yml --placeholders admins.json --input -', shellEvent)
  expect(stdout).toMatch(/\n✓ line 1: Administrator/)
})

test('reports malformed lines and rules that did not compile', async () => {
  const { code, stderr } = await explain('shell-and-broken.yml --input half.ndjson')
  expect(code).toBe(0)
  expect(stderr).toMatch(/^tripline: 2 rules: 1 compiled, 1 invalid;.*\ntripline: line 2 skipped: not JSON: .*\ntripline: 1 malformed line skipped\n/)
})

test('shows control characters of rule and event as text', async () => {
  const { stdout } = await explain('curl.yml --input -', curlEvent.replace('curl x', 'curl \\u001b[2J'))
  expect(stdout).toContain('curl \\u{1b}[2J')
})

test.for<[line: string, code: number, message: string]>([
  ['broken.yml --input event.json', 65, `no rule compiled (1 rule: 1 invalid); see 'tripline rules check'`],
  ['curl.yml --input none.json', 65, `no event in 'none.json': not JSON: `],
  ['curl.yml --input -', 65, `no event in '-': not JSON: `],
  ['nowhere --input event.json', 66, `rules path 'nowhere' cannot be read: there is no such file or directory`],
  ['curl.yml --input nowhere', 66, `input 'nowhere' cannot be read: there is no such file or directory`],
  ['curl.yml --input huge.json', 66, `the events in 'huge.json' are longer than 16,777,216 bytes`],
  ['curl.yml --input events.ndjson --line 2', 65, 'no input has an event in line 2'],
  ['curl.yml --input events.ndjson --line 7 --line other.ndjson:1', 65, 'no input has an event in line 7 or other.ndjson:1'],
  ['curl.yml --input events.ndjson --line 0', 2, "option '--line' is '0'; it takes the number of a line from 1 on, or a path, a colon and a number"],
  ['curl.yml --input events.ndjson --line last', 2, "option '--line' is 'last'; it takes the number of a line"],
  ['curl.yml --input event.json more', 66, "rules path 'more' cannot be read: there is no such file or directory"],
])('explain %s ends with %i', async ([line, code, message]) => {
  const captured = await explain(line)
  expect(captured).toMatchObject({ code, stdout: '' })
  expect(captured.stderr).toContain(`tripline: ${message}`)
})

test('shows what the groups of a correlation came to, over all events', async () => {
  const { code, stdout } = await explain('shells.yml --input shells.ndjson')
  expect(code).toBe(0)
  expect(stdout.slice(stdout.indexOf('✓ Many shells'))).toBe(`✓ Many shells (5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0003) matched
  ✓ 2026-11-20T00:01:10.000Z correlation: event_count 3>=3 by User=eve in 5m
  event_count in 5m: Many shells
    rule shell: lines 1, 2, 3
    ✓ User=eve came to 3>=3 at 2026-11-20T00:01:10.000Z
`)
})

test('prints an explained correlation as one line of JSON', async () => {
  const { stdout } = await explain('shells.yml --input - --json', shellEvent)
  expect(JSON.parse(stdout.split('\n')[1]!)).toEqual({
    rule_id: '5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0003',
    title: 'Many shells',
    matched: false,
    matched_conditions: [],
    matches: [],
    explain: [{
      rule_id: '5f5b7c1e-53b4-4b0f-9a43-6f0e5c2d0003',
      title: 'Many shells',
      type: 'event_count',
      rules: [{ rule_id: expect.any(String), name: 'shell', lines: [1] }],
      groups: [{ group: { User: 'alice' }, at: expect.any(String), value: 1, asked: '1>=3', holds: false, unseen: [] }],
      unused: [],
    }],
  })
})
