import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createFolder, runCaptured } from '../../../test/run-captured.ts'
import { brokenRule, curlEvent, curlRule, rootEvent, shellEvent, shellRule, strayEvent } from '../../../test/sample-rules.ts'

const rule = (title: string, selection: string, product = 'linux'): string => (
  `title: ${title}\nname: ${title.toLowerCase().replaceAll(' ', '_')}\nlogsource: {product: ${product}, category: process_creation}\n`
  + `detection: {selection: ${selection}, condition: selection}\n`
)
const correlation = (title: string, rules: string, count: number): string => (
  `title: ${title}\nname: ${title.toLowerCase()}\ncorrelation: {type: event_count, rules: ${rules}, timespan: 1h, condition: {gte: ${count}}}\n`
)

const folder = createFolder({
  'rules/curl.yml': `${curlRule}tests: [{ event: { Image: /usr/bin/wget }, match: true }, { event: { Image: x }, match: false }]\n`,
  'rules/shell.yml': shellRule,
  'rules/hashes.yml': rule('Known hash', '{Hashes|contains: abc}'),
  'rules/wget.yml': rule('Wget', '{Image|endswith: /wget}'),
  'rules/bash.yml': rule('Root of bash', '{Image|endswith: /bash, User: root2}'),
  'rules/windows.yml': rule('Windows', '{Image: x}', 'windows'),
  'rules/windows2.yml': rule('Windows too', '{Image: x}', 'windows'),
  'correlated/rules.yml': [
    rule('Shell', '{Image|endswith: /bash}'), rule('Wget', '{Image|endswith: /wget}'),
    correlation('Twice', '[shell]', 2), correlation('Often', '[shell]', 50), correlation('Never', '[wget]', 1),
    correlation('Inner', '[shell, wget]', 1), correlation('Outer', '[inner]', 1),
  ].join('---\n'),
  'broken.yml': brokenRule,
  'events.ndjson': `${curlEvent}\n${rootEvent}\n${shellEvent}\n`,
  'stray.ndjson': `${strayEvent}\nnonsense\n`,
  'none.ndjson': '\n',
})
afterAll(() => rmSync(folder, { recursive: true }))

const health = (line: string) => runCaptured(`rules health ${line}`, { cwd: folder })

describe('the health of rules', () => {
  test('names rules that never match, what can be mended first, and counts all', async () => {
    const { code, stdout, stderr } = await health('rules --input events.ndjson')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replaceAll(/\([0-9a-f-]{36}\)/g, '(id)')).toBe(`matched           Script download (id): fails 'test 1'
field never seen  Known hash (id): no event has Hashes
never matched     Root of bash (id)
never candidate   Wget (id)
never routed      windows process_creation: 2 rules

7 rules on 3 events
1  field never seen: no event of its logsource has a field that the rule needs
1  never matched: events contain what the rule requires, but none matches
1  never candidate: no event contains a text or number that the rule requires
2  never routed: no event has the logsource of the rule
2  matched: the rule has matched
1  fail their tests
`)
  })

  test('says how many lines it left out', async () => {
    const { stdout } = await health('rules --input events.ndjson --top 1')
    expect(stdout).toContain('\nand 4 more lines (--top, --json)\n\n7 rules on 3 events\n')
  })

  test('of correlations hangs on the rules that they name', async () => {
    const { stdout } = await health('correlated --input events.ndjson --json')
    const { rules, totals } = JSON.parse(stdout) as { rules: readonly Record<string, unknown>[]; totals: Record<string, unknown> }
    expect(rules.filter(({ kind }) => kind === 'correlation').map(({ title, state, silent_rules: silent, matches }) => [title, state, silent, matches]))
      .toEqual([
        ['Never', 'never_fed', ['wget'], 0], ['Often', 'never_matched', [], 0], ['Inner', 'only_named', ['wget'], null],
        ['Twice', 'matched', [], 1], ['Outer', 'matched', [], 1],
      ])
    expect(totals).toMatchObject({ events: 3, rules: 7, matched: 3, never_candidate: 1, failing_tests: 0 })
  })

  test('--json has a row for each rule', async () => {
    const { stdout } = await health('rules --input events.ndjson --json')
    const { rules } = JSON.parse(stdout) as { rules: readonly Record<string, unknown>[] }
    expect(rules.find(({ title }) => title === 'Script download')).toEqual({
      id: '6f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001', title: 'Script download', path: 'rules/curl.yml', kind: 'detection',
      logsource: { category: 'process_creation', product: 'linux' }, state: 'matched', missing_fields: [], silent_rules: [],
      met_events: 3, candidates: 1, matches: 1, tests: 2, failing_tests: ['test 1'],
    })
  })

  test('says which events it could not use', async () => {
    const { code, stderr } = await health('rules/shell.yml broken.yml --input stray.ndjson')
    expect(code).toBe(0)
    expect(stderr.split('\n').map((line) => line.split(';')[0])).toEqual([
      'tripline: 2 rules: 1 compiled, 1 invalid',
      'tripline: 1 malformed line skipped',
      'tripline: 1 of 1 events have no known logsource and were tried with no rule',
      '',
    ])
  })
})

test.for<[line: string, code: number, message: string]>([
  ['rules --input none.ndjson', 65, `no event in 'none.ndjson'`],
  ['broken.yml --input events.ndjson', 65, `no rule compiled (1 rule: 1 invalid); see 'tripline rules check'`],
  ['rules --input nowhere', 66, `input 'nowhere' cannot be read: there is no such file or directory`],
  ['rules --top 0', 2, `option '--top' is '0'; it takes a whole number from 1 to 100,000`],
  ['--input events.ndjson', 2, `'tripline rules health' needs <rules>...`],
])('%s ends with %i and says why', async ([line, code, message]) => {
  expect(await health(line)).toEqual({ code, stdout: '', stderr: `tripline: ${message}\n` })
})
