import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../test/run-captured.ts'

const rule = (title: string, { level, tags, image }: { level: string; tags: string; image: string }): string => `title: ${title}
id: 6f2d1c1e-0f5b-4b7e-9d3a-${image.padEnd(12, '0').replaceAll(/[^0-9a-f]/g, '1')}
description: Finds ${image}
references: [https://example.org/${image}]
level: ${level}
tags: [${tags}]
logsource: { category: process_creation, product: windows }
detection:
  selection:
    Image|endswith: '\\${image}.exe'
  condition: selection
`

function event(minute: number, image: string, { host = 'ws1', user = 'alice' } = {}): string {
  return JSON.stringify({
    '@timestamp': `2024-05-01T10:${String(minute).padStart(2, '0')}:00.000Z`, Channel: 'Microsoft-Windows-Sysmon/Operational', EventID: 1,
    Computer: host, User: user, Image: `C:\\${image}.exe`, CommandLine: `${image} <b>"x"</b>`,
  })
}

const folder = createFolder({
  'rules/curl.yml': rule('Download', { level: 'high', tags: 'attack.t1105, attack.command-and-control', image: 'curl' }),
  'rules/whoami.yml': rule('Discovery', { level: 'low', tags: 'attack.t1033', image: 'whoami' }),
  'rules/powershell.yml': rule('=Shell', { level: 'medium', tags: 'attack.t1059.001', image: 'powershell' }),
  'events.ndjson': [event(30, 'whoami'), event(5, 'curl', { host: 'ws2', user: 'bob' }), event(20, 'powershell'), event(31, 'whoami')].join('\n'),
  'undated.ndjson': event(0, 'curl').replace(/"@timestamp":"[^"]*",/, ''),
})
afterAll(() => rmSync(folder, { recursive: true }))

async function detect(options: string, surroundings = {}): Promise<string> {
  const { code, stdout, stderr } = await runCaptured(`detect rules --input events.ndjson ${options}`, { cwd: folder, ...surroundings })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test('a table has time, host, user and ATT&CK, and ends with totals', async () => {
  const rows = (await detect('--output table')).split('\n')
  expect(rows[2]).toMatch(/^ {7}2 {2}2024-05-01T10:05:00Z {2}high {11}ws2 +bob +Download +T1105 +selection: Image/)
  expect(rows.slice(6)).toEqual([
    '4 matches, 3 rules, 2 hosts, 2024-05-01T10:05:00.000Z to 2024-05-01T10:31:00.000Z',
    '       1  high           Download  rules/curl.yml',
    '       1  medium         =Shell  rules/powershell.yml',
    '       2  low            Discovery  rules/whoami.yml',
    'hosts: ws1 3, ws2 1',
    'users: alice 3, bob 1',
    '2024-05-01T10:05       1  ####################',
    '2024-05-01T10:10       0',
    '2024-05-01T10:15       0',
    '2024-05-01T10:20       1  ####################',
    '2024-05-01T10:25       0',
    '2024-05-01T10:30       2  ########################################',
    '',
  ])
})

test('a timeline is in the order of time', async () => {
  const text = await detect('--output timeline')
  expect(text.match(/^2024\S+ {2}.*(?=\n {4})/gm)).toEqual([
    '2024-05-01T10:05:00.000Z  high           Download  ws2  bob',
    '2024-05-01T10:20:00.000Z  medium         =Shell  ws1  alice',
    '2024-05-01T10:30:00.000Z  low            Discovery  ws1  alice',
    '2024-05-01T10:31:00.000Z  low            Discovery  ws1  alice',
  ])
  expect(text).toContain('    curl <b>"x"</b>\n    selection: Image|endswith=\\curl.exe; T1105; line 2\n')
})

describe('colours', () => {
  test.for<[title: string, surroundings: object, isColored: boolean]>([
    ['on a terminal', { isTty: true }, true],
    ['elsewhere', {}, false],
    ['with NO_COLOR', { isTty: true, environment: { NO_COLOR: '1' } }, false],
    ['with an empty NO_COLOR', { isTty: true, environment: { NO_COLOR: '' } }, true],
    ['on a dumb terminal', { isTty: true, environment: { TERM: 'dumb' } }, false],
  ])('%s', async ([, surroundings, isColored]) => {
    const { stdout } = await runCaptured('detect rules --input events.ndjson --output table', { cwd: folder, ...surroundings })
    expect(stdout.includes('\u001b[31mhigh')).toBe(isColored)
    expect(stdout.includes('\u001b')).toBe(isColored)
  })
})

test.for(['table', 'timeline'])('a %s without matches says so', async (output) => {
  const { stdout, code } = await runCaptured(`detect rules/curl.yml --output ${output} --input -`, { cwd: folder, stdin: '{}\n' })
  expect({ code, isStated: stdout.endsWith('\n0 matches\n') }).toEqual({ code: 0, isStated: true })
})

test('CSV quotes, and disarms formulas', async () => {
  const rows = (await detect('--output csv')).split('\n')
  expect(rows[0]).toBe('time,level,title,rule_id,rule_path,attack,host,user,process,command_line,source_address,conditions,events,input,line')
  expect(rows[2]).toContain('2024-05-01T10:05:00.000Z,high,Download,')
  expect(rows[2]).toContain(',rules/curl.yml,T1105,ws2,bob,C:\\curl.exe,"curl <b>""x""</b>",')
  expect(rows[3]).toContain(",'=Shell,")
})

test('JSON has totals and matches', async () => {
  const report = JSON.parse(await detect('--output json')) as Record<string, unknown>
  expect(report).toMatchObject({
    match_count: 4, first_at: '2024-05-01T10:05:00.000Z', hosts: [{ name: 'ws1', count: 3 }, { name: 'ws2', count: 1 }],
    rules: [{ title: 'Download', matches: 1, rule_path: 'rules/curl.yml' }, { title: '=Shell' }, { title: 'Discovery', matches: 2 }],
    matches: [
      { time: '2024-05-01T10:05:00.000Z', line: 2, attack: ['T1105'], host: 'ws2', user: 'bob', command_line: 'curl <b>"x"</b>', event_count: 1 },
      {}, {}, {},
    ],
  })
})

test('HTML loads nothing, runs nothing and escapes what events say', async () => {
  const html = await detect('--output html')
  expect(html).toMatch(/^<!doctype html>/)
  expect(html).toContain('curl &lt;b&gt;&quot;x&quot;&lt;/b&gt;')
  expect(html).toContain("default-src 'none'")
  expect(html).not.toMatch(/<script|<b>|src=|href=|url\(/)
  expect(html.match(/<rect /g)?.length).toBeGreaterThan(10)
  expect(html).toContain('<h1>4 matches of 3 rules on 2 hosts</h1>')
})

test('OCSF findings have class, severity, time, attacks and evidence', async () => {
  const findings = (await detect('--output ocsf')).trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(findings).toHaveLength(4)
  expect(findings[2]).toMatchObject({
    class_uid: 2004, type_uid: 200_401, severity_id: 3, severity: 'Medium', time: Date.UTC(2024, 4, 1, 10, 20),
    metadata: { version: '1.4.0', product: { name: 'Tripline' } },
    finding_info: { title: '=Shell', desc: 'Finds powershell', attacks: [{ technique: { uid: 'T1059' }, sub_technique: { uid: 'T1059.001' } }] },
    device: { hostname: 'ws1' },
    evidences: [{ actor: { user: { name: 'alice' }, process: { file: { name: 'powershell.exe' }, cmd_line: 'powershell <b>"x"</b>' } } }],
  })
  expect(new Set(findings.map((finding) => (finding['finding_info'] as { uid: string }).uid)).size).toBe(4)
})

test('SARIF has a rule and a place for each result', async () => {
  const { runs: [run] } = JSON.parse(await detect('--output sarif')) as { runs: [{ tool: { driver: { rules: { id: string }[] } }; results: Result[] }] }
  type Result = { ruleId: string; ruleIndex: number; level: string; locations: object[] }
  expect(run.results.map(({ level }) => level)).toEqual(['error', 'warning', 'note', 'note'])
  for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
  expect(run.results[0]).toMatchObject({ locations: [{ physicalLocation: { region: { startLine: 2 } } }] })
})

test('an event without a time is shown without one, and last', async () => {
  const { stdout } = await runCaptured('detect rules --input undated.ndjson --input events.ndjson --output timeline', { cwd: folder })
  expect(stdout).toContain('no time  high           Download  ws1  alice')
  expect(stdout.indexOf('no time')).toBeGreaterThan(stdout.indexOf('10:31'))
})

describe('rules coverage', () => {
  const run = async (options: string) => (await runCaptured(`rules coverage rules --input events.ndjson ${options}`, { cwd: folder })).stdout

  test('counts what works, by tactic and technique', async () => {
    const text = await run('')
    expect(text).toMatch(/^3 rules, 3 enabled, 3 with data, 3 that work; 0 name no technique\n/)
    expect(text).toMatch(/^command-and-control +1 +\d+ +1 +1 +1$/m)
    expect(text).toContain('4 techniques: a rule that covers it has matched\n  T1033 T1059 T1059.001 T1105\n')
  })

  test.for<[layer: string, scores: object]>([
    ['rules', { T1033: 1, T1059: 1, 'T1059.001': 1, T1105: 1 }],
    ['hits', { T1033: 2, T1059: 1, 'T1059.001': 1, T1105: 1 }],
  ])('prints the layer %s', async ([layer, scores]) => {
    const { techniques } = JSON.parse(await run(`--layer ${layer}`)) as { techniques: { techniqueID: string; score: number }[] }
    expect(Object.fromEntries(techniques.map(({ techniqueID, score }) => [techniqueID, score]))).toEqual(scores)
  })

  test('a rule without data covers nothing', async () => {
    const { stdout } = await runCaptured('rules coverage rules --layer gaps', { cwd: folder, stdin: '{"a":1}' })
    const { techniques } = JSON.parse(stdout) as { techniques: { techniqueID: string; comment: string }[] }
    expect(techniques.find(({ techniqueID }) => techniqueID === 'T1105')?.comment).toBe('no event of the log sources of its enabled rules has arrived')
  })
})

describe('selects', () => {
  test.for<[options: string, titles: string[]]>([
    ['--min-level medium', ['Download', '=Shell']],
    ['--tag attack.t1059', ['=Shell']],
    ['--tag T1033 --tag attack.command_and_control', ['Discovery', 'Download', 'Discovery']],
    ['--rule discovery', ['Discovery', 'Discovery']],
    ['--rule curl.yml', ['Download']],
    ['--rule rules/powershell.yml --min-level high', []],
  ])('%s', async ([options, titles]) => {
    const found = (await detect(options)).split('\n').filter((line) => line !== '').map((line) => (JSON.parse(line) as { title: string }).title)
    expect(found).toEqual(titles)
  })

  test('what is not shown does not fail', async () => {
    expect((await runCaptured('detect rules --input events.ndjson --rule discovery --fail-on high', { cwd: folder })).code).toBe(0)
  })

  test.for<[options: string, message: string]>([
    ['--rule downlod', "option '--rule' is 'downlod', which no rule is called; did you mean 'Download'?"],
    ['--tag attack.t1', "option '--tag' is 'attack.t1', which no rule has"],
  ])('refuses %s', async ([options, message]) => {
    const { code, stderr } = await runCaptured(`detect rules --input events.ndjson ${options}`, { cwd: folder })
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })
})
