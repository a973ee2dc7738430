import { compileRules } from '@tripline/engine'
import { describe, expect, test } from 'vitest'
import { parseRuleTests } from './parse-rule-tests.ts'
import type { TestSource } from './parse-rule-tests.ts'
import { defaultStartAt } from './rule-test.ts'

const rule = `title: Whoami
id: 0f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001
name: whoami
logsource: { product: linux, category: process_creation }
detection:
  selection: { Image|endswith: /whoami }
  condition: selection
`
const filter = `title: Not here
logsource: { product: linux }
filter: { rules: any, selection: { User: bob }, condition: not selection }
`

/** The tests of one rule, each line of them indented below `tests:`. */
const withTests = (...lines: string[]): TestSource => ({ path: 'whoami.yml', text: `${rule}tests:\n${lines.map((line) => `  ${line}\n`).join('')}` })

function problemsOf(...sources: TestSource[]): string[] {
  return parseRuleTests(sources).flatMap(({ path, diagnostics }) => (
    diagnostics.map(({ code, message, line, column, hint }) => `${path}:${line}:${column} ${code} ${message}${hint === undefined ? '' : ` (${hint})`}`)
  ))
}

/** When the events of the first test arrive, in seconds since its start. */
function secondsOf(...lines: string[]): number[] {
  const [suite] = parseRuleTests([withTests(...lines)])
  expect(suite?.diagnostics).toEqual([])
  return suite!.tests[0]!.events.map(({ at }) => (at - defaultStartAt) / 1_000)
}

describe('tests in a rule', () => {
  test('have a name, a position, events and expectations', () => {
    const [suite] = parseRuleTests([withTests(
      '- name: by path', '  event: { Image: /usr/bin/whoami, Ids: [1, { a: null }] }', '  match: true', '- event: { Image: /bin/ls }', '  match: false',
    )])
    expect(suite).toMatchObject({ path: 'whoami.yml', ruleId: '0f2d1c1e-0f5b-4b7e-9d3a-0d7d3c8f0001', title: 'Whoami', diagnostics: [] })
    expect(suite?.tests.map(({ name, line, column, expected }) => ({ name, line, column, expected }))).toEqual([
      { name: 'by path', line: 9, column: 5, expected: { kind: 'match', isMatch: true } },
      { name: 'test 2', line: 12, column: 5, expected: { kind: 'match', isMatch: false } },
    ])
    expect(JSON.stringify(suite?.tests[0]?.events[0]?.event)).toBe('{"Image":"/usr/bin/whoami","Ids":[1,{"a":null}]}')
  })

  test.for<[steps: string, seconds: readonly number[]]>([
    ['[{ event: {} }]', [0]],
    ['[{ at: 10s, event: {} }, { event: {} }]', [10, 10]],
    ['[{ at: 1m30s, repeat: 3, every: 2s, event: {} }, { event: {} }]', [90, 92, 94, 94]],
    ['[{ repeat: 3, every: 10s, event: {} }, { at: 15s, event: {} }]', [0, 10, 15, 20]],
    ['[{ repeat: 0, event: {} }]', []],
    ['[{ at: 20s, event: {} }, { at: 2026-01-01T00:00:05Z, event: {} }]', [5, 20]],
  ])('%s', ([steps, seconds]) => {
    expect(secondsOf(`- sequence: ${steps}`, '  match: true')).toEqual(seconds)
  })

  test('can start at another time', () => {
    const [suite] = parseRuleTests([withTests("- start: '2020-02-29T12:00:00Z'", '  event: {}', '  matches: [{ at: 5s }]')])
    expect(suite?.tests[0]).toMatchObject({
      startAt: Date.UTC(2020, 1, 29, 12),
      expected: { matches: [{ at: Date.UTC(2020, 1, 29, 12, 0, 5), group: undefined, eventCount: undefined }] },
    })
  })
})

test('embedded tests do not change the derived id of a rule', () => {
  const text = rule.replace(/^id: .*\n/m, '')
  const idOf = (more: string): string | undefined => compileRules([{ text: text + more }]).reports[0]?.id
  expect(idOf('tests: [{ event: {}, match: false }]\n')).toBe(idOf(''))
  expect(idOf('status: test\n')).not.toBe(idOf(''))
})

describe('a problem of a test', () => {
  test.for<[lines: readonly string[], problem: string]>([
    [['- event: {}', '  match: true', '  nam: x'], "11:5 INVALID_TEST the key 'nam' is not allowed in a test (did you mean 'name'?)"],
    [['- event: {}'], "9:5 INVALID_TEST the test has neither 'match' nor 'matches'"],
    [['- match: true'], "9:5 INVALID_TEST the test has neither 'event' nor 'sequence'"],
    [['- event: {}', '  sequence: []', '  match: true'], "10:5 INVALID_TEST a test must have either 'event' or 'sequence', not both"],
    [['- event: {}', '  match: true', '  matches: 1'], "11:5 INVALID_TEST a test must have either 'match' or 'matches', not both"],
    [['- event: whoami', '  match: true'], "9:12 INVALID_TEST 'event' must be a map of fields"],
    [['- event: {}', '  match: yes'], "10:12 INVALID_TEST 'match' must be true or false"],
    [['- event: {}', '  matches: -1'], "10:14 INVALID_TEST 'matches' must be a whole number from 0 to 10000"],
    [['- event: {}', '  matches: [{ at: soon }]'],
      "10:21 INVALID_TEST 'at' must be a time since the start such as 90s or 1m30s, or a date with a time"],
    [['- event: {}', '  matches: [{ group: alice }]'], "10:24 INVALID_TEST 'group' must be a map from fields to values"],
    [['- event: {}', '  matches: [1]'], "10:15 INVALID_TEST an entry of 'matches' must be a map with keys of at, group, events"],
    [['- sequence: {}', '  match: true'], "9:15 INVALID_TEST 'sequence' must be a list of maps with 'event' and 'at'"],
    [['- sequence: [{ at: 1s }]', '  match: true'], "9:16 INVALID_TEST the entry of 'sequence' has no 'event'"],
    [['- sequence: [{ every: 2s, event: {} }]', '  match: true'],
      "9:25 INVALID_TEST 'every' needs 'repeat'"],
    [['- sequence: [{ repeat: 9999, event: {} }, { repeat: 2, event: {} }]', '  match: true'],
      '9:45 LIMIT_EXCEEDED the test has more than 10000 events'],
    [['- sequence: [{ repeat: 9999, every: 999999999w, event: {} }]', '  match: true'],
      "9:16 INVALID_TEST 'every' leads to times after the year 9999"],
    [['- start: now', '  event: {}', '  match: true'],
      "9:12 INVALID_TEST 'start' must be a date with a time such as 2026-01-01T00:00:00Z"],
    [['- 1'], "9:5 INVALID_TEST a test must be a map with 'event' or 'sequence'"],
    [['{}'], "9:3 INVALID_TEST 'tests' must be a non-empty list of tests"],
  ])('%j', ([lines, problem]) => {
    expect(problemsOf(withTests(...lines))).toEqual([`whoami.yml:${problem}`])
    expect(parseRuleTests([withTests(...lines)]).flatMap(({ tests }) => tests)).toEqual([])
  })

  test('does not affect the other tests', () => {
    const [suite] = parseRuleTests([withTests('- event: {}', '- event: {}', '  match: true')])
    expect(suite?.tests.map(({ name }) => name)).toEqual(['test 2'])
    expect(suite?.diagnostics).toHaveLength(1)
  })

  test('too many tests', () => {
    const [suite] = parseRuleTests([withTests(...Array.from({ length: 1_001 }, () => '- { event: {}, match: true }'))])
    expect(suite?.tests).toHaveLength(1_000)
    expect(suite?.diagnostics.map(({ message }) => message)).toEqual(['the rule has 1001 tests; the limit is 1000'])
  })

  test('tests in a filter', () => {
    expect(problemsOf({ path: 'f.yml', text: `${filter}tests: []\n` })[0]).toBe(
      'f.yml:4:8 INVALID_TEST a filter rule has no tests of its own; test the rules it applies to')
  })
})

describe('tests in a test file', () => {
  const tests = 'tests: [{ event: {}, match: false }]\n'
  const beside = { path: 'a/whoami.yml', text: rule }
  const other = { path: 'a/other.yml', text: rule.replaceAll('whoami', 'other').replace('0001', '0002') }

  test.for<[title: string, file: TestSource, rules: readonly TestSource[], ruleId: string]>([
    ['test the rule next to it', { path: 'a/whoami.test.yml', text: tests }, [beside, other], '0001'],
    ['test the rule next to it, with any extension', { path: 'a/whoami.test.yaml', text: tests }, [beside], '0001'],
    ['refer to a rule by name', { path: 'b.test.yml', text: `rule: other\n${tests}` }, [beside, other], '0002'],
    ['refer to a rule by id', { path: 'b.test.yml', text: `rule: 0F2D1C1E-0f5b-4b7e-9d3a-0d7d3c8f0002\n${tests}` }, [beside, other], '0002'],
  ])('%s', ([, file, rules, ruleId]) => {
    const suites = parseRuleTests([file, ...rules])
    expect(suites.map((suite) => [suite.path, suite.ruleId?.slice(-4), suite.tests.length, suite.diagnostics])).toEqual([[file.path, ruleId, 1, []]])
  })

  test('can test several rules', () => {
    const file = { path: 'all.test.yml', text: `rule: whoami\n${tests}---\nrule: other\n${tests}` }
    expect(parseRuleTests([file, beside, other]).map(({ ruleId }) => ruleId?.slice(-4))).toEqual(['0001', '0002'])
  })

  test.for<[file: TestSource, problem: string]>([
    [{ path: 'b.test.yml', text: tests }, "1:1 INVALID_TEST there is no rule in b.yml; name one with 'rule'"],
    [{ path: 'c.test.yml', text: tests }, "1:1 INVALID_TEST c.yml has 2 rules; name one with 'rule'"],
    [{ path: 'b.test.yml', text: `rule: whoam\n${tests}` },
      "1:7 INVALID_TEST no rule has the id or name 'whoam' (did you mean 'whoami'?)"],
    [{ path: 'b.test.yml', text: '' }, '1:1 INVALID_TEST the file has no tests'],
    [{ path: 'b.test.yml', text: '- 1\n' },
      "1:1 INVALID_TEST a test document must be a map with 'tests', and 'rule' when the rule is not in the file next to it"],
    [{ path: 'a/whoami.test.yml', text: `rules: whoami\n${tests}` }, "1:1 INVALID_TEST the key 'rules' is not allowed in a test document (did you mean 'rule'?)"],
    [{ path: 'b.test.yml', text: 'tests: [\n' }, '1:8 YAML the YAML is not valid: the list that begins with [ here is not closed'],
  ])('%j', ([file, problem]) => {
    const both = { path: 'c.yml', text: `${rule}---\n${rule}` }
    expect(problemsOf(file, beside, both)).toEqual([`${file.path ?? ''}:${problem}`])
  })
})
