import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readXml } from '../../../test/read-xml.ts'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'
import { brokenRule, curlRule, placeholderRule, shellRule } from '../../../test/sample-rules.ts'

const good = `tests:
  - { name: by name, event: { Image: /usr/bin/curl, CommandLine: curl a.sh }, match: true }
  - { event: { Image: /usr/bin/wget, CommandLine: wget a.sh }, match: false }
`
const bad = `tests:
  - { name: <wrong> & "bad", event: { Image: /usr/bin/wget, CommandLine: x.sh }, match: true }
`
const misspelt = 'tests:\n  - { evnt: {}, match: true }\n'
const correlation = `title: Downloads
id: 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0009
correlation: { type: event_count, rules: [6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001], group-by: [User], timespan: 1m, condition: { gte: 3 } }
tests:
  - sequence: [{ repeat: 3, every: 20s, event: { Image: /usr/bin/curl, CommandLine: curl a.sh, User: al } }]
    matches: [{ at: 40s, group: { User: al } }]
`

const event = { System: { Channel: 'Security', EventID: 1 }, _logsource: { product: 'linux', category: 'process_creation' } }
const curl = { ...event, Image: '/usr/bin/curl', CommandLine: 'curl a.sh' }
const info = (id: string, ...tests: string[]): string => `rule_metadata: [{ id: ${id}, title: Script download }]
regression_tests_info:
${tests.map((line) => `  - ${line}\n`).join('')}`
const curlId = '6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001'

const folder = createFolder({
  'good/curl.yml': `${curlRule}${good}`,
  'good/shell.yml': shellRule,
  'apart/curl.yml': curlRule,
  'apart/curl.test.yml': good,
  'bad/curl.yml': `${curlRule}${good}`,
  'bad/curl.test.yml': bad,
  'misspelt.yml': `${curlRule}${misspelt}`,
  'none.yml': shellRule,
  'correlation/curl.yml': curlRule,
  'correlation/downloads.yml': correlation,
  'near.yml': `${curlRule}---\n${correlation.replace('repeat: 3', 'repeat: 2').replace(/matches: .*/, 'match: true')}`,
  'invalid.yml': `${brokenRule}tests: [{ event: {}, match: true }]\n`,
  'mixed/curl.yml': `${curlRule}${good}`,
  'mixed/broken.yml': brokenRule,
  'declared.yml': `${curlRule}tests: [{ event: { _logsource: { product: linux } }, match: false }]\n`,
  'placeholder.yml': `${placeholderRule}tests: [{ event: { User: alice }, match: true }]\n`,
  'admins.json': '{"admins":["alice"]}',
  'empty/readme.txt': '',
  'data/one/info.yml': info(curlId, `{ name: Positive, type: json, match_count: 1, path: regression_data/one/one.json }`),
  'data/one/one.json': JSON.stringify(curl, null, 2),
  'data/two/info.yml': info(curlId,
    '{ type: evtx, match_count: 2, path: x/two.evtx }', '{ type: ndjson, match_count: 2, path: x/lines.json }',
    '{ type: json, path: x/list.json }', '{ type: json, match_count: 0, path: x/none.json }'),
  'data/two/two.evtx': 'ElfFile',
  'data/two/two.json': `${JSON.stringify(curl, null, 2)}\n${JSON.stringify({ ...curl, CommandLine: '} {"\\" b.sh' }, null, 2)}`,
  'data/two/lines.json': `${JSON.stringify(curl)}\n\n${JSON.stringify(curl)}\n`,
  'data/two/list.json': JSON.stringify([curl, event]),
  'data/two/none.json': JSON.stringify(event),
  'fewer/info.yml': info(curlId, '{ name: few, type: json, match_count: 3, path: a.json }'),
  'fewer/a.json': JSON.stringify(curl),
  'binary/info.yml': info(curlId, '{ name: Positive, type: evtx, path: x/a.evtx }'),
  'binary/a.evtx': 'ElfFile',
  'absent/info.yml': info(curlId, '{ name: Positive, type: json, path: ../../a.json }'),
  'torn/info.yml': info(curlId, '{ name: Positive, type: json, path: a.json }'),
  'torn/a.json': '{"a":',
  'strange/info.yml': info(curlId, '{ name: Positive, type: json, path: a.json }'),
  'strange/a.json': '[1]',
  'other/info.yml': info('6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0abc', '{ type: json, path: a.json }'),
  'unread/info.yml': 'regression_tests_info: []\n',
})
afterAll(() => rmSync(folder, { recursive: true }))

const unrouted = 'events of unknown log source, which do not reach the rule outside of tests; '
  + "add the fields that tell it, or '_logsource'"

const rulesTest = (line: string) => runCaptured(`rules test ${line}`, { cwd: folder })

test.for<[path: string, annotations: readonly string[]]>([
  ['bad', ['::error file=bad/curl.test.yml,line=2,col=5,title=TEST_FAILED::']],
  ['misspelt.yml', ['::error file=misspelt.yml,line=']],
  ['mixed', ['::error file=mixed/broken.yml,line=']],
  ['good/curl.yml', []],
])('--github annotates what fails in %s', async ([path, annotations]) => {
  const { stdout, code } = await runCaptured(`rules test ${path} --github`, { cwd: folder })
  const lines = stdout.split('\n').slice(0, -1)
  expect(lines.map((line, i) => line.slice(0, annotations[i]?.length))).toEqual(annotations)
  expect(code).toBe(annotations.length === 0 ? 0 : 1)
})

describe('the tests beside rules', () => {
  test.for<[line: string, code: number, lastLine: string]>([
    ['good', 0, '2 tests of 1 rule: 2 passed; 1 rule without tests'],
    ['good/curl.yml', 0, '2 tests of 1 rule: 2 passed'],
    ['apart', 0, '2 tests of 1 rule: 2 passed'],
    ['apart/curl.yml', 0, '2 tests of 1 rule: 2 passed'],
    ['apart/curl.test.yml', 0, '2 tests of 1 rule: 2 passed'],
    ['apart/curl.test.yml apart/curl.yml', 0, '2 tests of 1 rule: 2 passed'],
    ['correlation', 0, '1 test of 1 rule: 1 passed'],
    ['bad', 1, '3 tests of 1 rule: 2 passed, 1 failed'],
    ['misspelt.yml', 1, '0 tests of 0 rules: 0 passed; 1 problem in tests that cannot be read; 1 rule without tests'],
    ['good --fail-without-tests', 1, '2 tests of 1 rule: 2 passed; 1 rule without tests'],
    ['none.yml --fail-without-tests', 1, '0 tests of 0 rules: 0 passed; 1 rule without tests'],
    ['good/curl.yml --fail-without-tests', 0, '2 tests of 1 rule: 2 passed'],
    ['invalid.yml', 1, '1 test of 1 rule: 0 passed, 1 failed; 1 invalid rule'],
    ['mixed', 1, '2 tests of 1 rule: 2 passed; 1 invalid rule'],
    ['mixed/broken.yml', 1, '0 tests of 0 rules: 0 passed; 1 invalid rule'],
    ['placeholder.yml', 1, '1 test of 1 rule: 0 passed, 1 failed'],
    ['placeholder.yml --placeholders admins.json', 0, '1 test of 1 rule: 1 passed'],
  ])('%s ends with %i', async ([line, code, lastLine]) => {
    const captured = await rulesTest(line)
    expect(captured.stdout.trimEnd().split('\n').at(-1)).toBe(lastLine)
    expect(captured).toMatchObject({ code, stderr: '' })
  })

  test.for<[line: string, shown: string]>([
    ['bad', `bad/curl.test.yml:2:5: Script download, '<wrong> & "bad"': expected a match, found none\n`],
    ['invalid.yml', "invalid.yml:9:9: Broken, 'test 1': the rule does not run; its verdict is invalid: "
      + "the condition names 'selction', but there is no such selection\n"],
    ['mixed', "mixed/broken.yml:8:14: error UNKNOWN_SELECTION: the condition names 'selction', but there is no such selection\n"],
    ['good', `good/curl.yml:13:5: warning: Script download: 2 tests have ${unrouted}\n`],
    ['good --fail-without-tests', 'good/shell.yml: Shell: no test\n'],
    ['misspelt.yml', "misspelt.yml:13:7: error INVALID_TEST: the key 'evnt' is not allowed in a test\n13 |   - { evnt: {}, match: true }\n           ^\n"
      + "  hint: did you mean 'event'?\n"],
  ])('%s says why', async ([line, shown]) => {
    expect((await rulesTest(line)).stdout).toContain(shown)
  })

  test.for<[file: string, warning: string | null]>([['declared.yml', null], ['bad/curl.test.yml', `the test has ${unrouted}`]])(
    '%s has the warning %s', async ([file, warning]) => {
      const { tests } = JSON.parse((await rulesTest(`${file} --json`)).stdout)
      expect(tests.at(-1).warning).toBe(warning)
      expect((await rulesTest(file)).stdout.includes('warning')).toBe(warning !== null)
    })

  test('--explain shows what did not hold', async () => {
    const { stdout } = await rulesTest('bad --explain')
    expect(stdout.split('\n').slice(1, 4)).toEqual([
      '  ✗ selection', '    ✗ Image|endswith=/curl  (value_mismatch: /usr/bin/wget)', '    ✓ CommandLine|contains=.sh  (matched: x.sh)',
    ])
  })

  test('--explain shows how near a correlation came', async () => {
    const { stdout } = await rulesTest('near.yml --explain')
    expect(stdout).toBe(`near.yml:17:5: Downloads, 'test 1': expected a match, found none; matches in 2 events: \
'6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001' 2; 'Downloads' User=al reached 2>=3
  event_count in 1m: Downloads
    rule 6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001: lines 1, 2
    ✗ User=al came to 2>=3 at 2026-01-01T00:00:20.000Z
near.yml:17:5: warning: Downloads: 1 test has ${unrouted}
1 test of 1 rule: 0 passed, 1 failed
`)
  })

  test('--json says how near a correlation came', async () => {
    const { tests: [test] } = JSON.parse((await rulesTest('near.yml --json')).stdout)
    expect(test.explain).toMatchObject([{ title: 'Downloads', rules: [{ lines: [1, 2] }], groups: [{ group: { User: 'al' }, asked: '2>=3' }] }])
  })

  test('--json prints what programs need', async () => {
    const { stdout } = await rulesTest('bad correlation/downloads.yml none.yml --json')
    const { tests, untested, totals } = JSON.parse(stdout)
    expect(tests.map(({ name, outcome, reason, found, explain }: Record<string, unknown>) => ({ name, outcome, reason, found, isExplained: explain !== null })))
      .toEqual([
        { name: 'by name', outcome: 'passed', reason: null, found: [{ at: '0s', group: {}, events: 1 }], isExplained: false },
        { name: 'test 2', outcome: 'passed', reason: null, found: [], isExplained: false },
        { name: 'test 1', outcome: 'passed', reason: null, found: [{ at: '40s', group: { User: 'al' }, events: 3 }], isExplained: false },
        { name: '<wrong> & "bad"', outcome: 'failed', reason: 'expected a match, found none', found: [], isExplained: true },
      ])
    expect(untested).toEqual([{ path: 'none.yml', rule_id: expect.any(String), title: 'Shell' }])
    expect(totals).toEqual({ tests: 4, passed: 3, failed: 1, skipped: 0, unreadable: 0, invalid_rules: 0, rules_tested: 2, rules_without_tests: 1 })
  })

  test('--junit writes what build servers read', async () => {
    const { code } = await rulesTest('bad misspelt.yml mixed/broken.yml --junit out.xml')
    const root = readXml(readFileSync(join(folder, 'out.xml'), 'utf8'))
    expect({ code, ...root.attributes }).toMatchObject({ code: 1, tests: '5', failures: '3' })
    const cases = root.children.flatMap(({ attributes: { file }, children }) => children.map((one) => [file, one.attributes['name'], one.children.length]))
    expect(cases).toEqual([
      ['bad/curl.yml', 'by name', 0], ['bad/curl.yml', 'test 2', 0], ['bad/curl.test.yml', '<wrong> & "bad"', 1],
      ['mixed/broken.yml', 'the rule is valid, line 8', 1], ['misspelt.yml', 'tests can be read, line 13', 1],
    ])
  })

  test('shows on a terminal how far it is', async () => {
    const { stderr } = await runCaptured('rules test good', { cwd: folder, isTty: true })
    expect(stderr).toBe('\r\u001b[K1 of 2 tests\r\u001b[K')
  })
})

describe('regression tests', () => {
  test.for<[data: string, code: number, lastLine: string]>([
    ['data', 0, '5 tests of 1 rule: 5 passed'],
    ['data/one/info.yml', 0, '1 test of 1 rule: 1 passed'],
    ['fewer', 1, '1 test of 1 rule: 0 passed, 1 failed'],
    ['other', 0, '1 test of 0 rules: 0 passed, 1 skipped, of rules that were not given; 1 rule without tests'],
    ['unread', 1, '0 tests of 0 rules: 0 passed; 1 problem in tests that cannot be read; 1 rule without tests'],
  ])('%s ends with %i', async ([data, code, lastLine]) => {
    const captured = await rulesTest(`apart/curl.yml --regression ${data}`.replace('apart/curl.yml', 'correlation/curl.yml'))
    expect(captured.stdout.trimEnd().split('\n').at(-1)).toBe(lastLine)
    expect(captured).toMatchObject({ code, stderr: '' })
  })

  test.for<[data: string, line: string]>([
    ['fewer', "fewer/info.yml:3:5: Script download, 'few': expected at least 3 matches, found one (at 0s of 1 event)"],
    ['binary', "binary/info.yml:3:5: Script download, 'Positive': 'binary/a.evtx' is a binary log, which Tripline does not read, "
      + "and there is no 'a.json' beside it"],
    ['absent', "absent/info.yml:3:5: Script download, 'Positive': there is no file 'absent/a.json'"],
    ['torn', "torn/info.yml:3:5: Script download, 'Positive': 'torn/a.json' holds what is no event: not JSON: Unexpected end of JSON input"],
    ['strange', "strange/info.yml:3:5: Script download, 'Positive': 'strange/a.json' holds what is no event: a number, not an object"],
  ])('%s says why', async ([data, line]) => {
    expect((await rulesTest(`correlation/curl.yml --regression ${data}`)).stdout).toContain(line)
  })
})

test.for<[line: string, code: number, message: string]>([
  ['none.yml', 65, "no tests in 'none.yml'; write them in the attribute 'tests' of a rule, or in x.test.yml beside it"],
  ['empty', 65, `no rules (*.yml, *.yaml) in 'empty'`],
  ['nowhere', 66, `rules path 'nowhere' cannot be read: there is no such file or directory`],
  ['good --regression nowhere', 66, `rules path 'nowhere' cannot be read: there is no such file or directory`],
  ['good --junit nowhere/out.xml', 74, 'the output cannot be written: there is no such file or directory'],
  ['good --output json', 2, `unknown option '--output' for 'tripline rules test'`],
])('%s ends with %i and says why', async ([line, code, message]) => {
  expect(await rulesTest(line)).toEqual({ code, stdout: '', stderr: `tripline: ${message}\n` })
})
