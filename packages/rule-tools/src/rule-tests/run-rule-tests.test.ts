import { compileRules } from '@tripline/engine'
import { describe, expect, test } from 'vitest'
import { parseRuleTests } from './parse-rule-tests.ts'
import { runRuleTests } from './run-rule-tests.ts'
import type { RuleTestReport } from './run-rule-tests.ts'

/** Runs the tests in a text of rules; none of them may be unreadable. */
function resultsOf(text: string): RuleTestReport[] {
  const sources = [{ path: 'rule.yml', text }]
  const suites = parseRuleTests(sources)
  expect(suites.flatMap(({ diagnostics }) => diagnostics)).toEqual([])
  return [...runRuleTests(compileRules(sources), suites)]
}

/** Lines of YAML one level deeper. */
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

const logon = `title: Logon
name: logon
logsource: { product: linux, service: sshd }
detection:
  selection: { action: logon }
  condition: selection
`
const failure = `title: Failed logon
name: failed_logon
logsource: { product: linux, service: sshd }
detection:
  selection: { action: failed }
  condition: selection
`
const many = `title: Many failures
name: many_failures
correlation:
  type: event_count
  rules: [failed_logon]
  group-by: [user]
  timespan: 1m
  condition: { gte: 5 }
`
const guessed = `title: Guessed password
correlation:
  type: temporal_ordered
  rules: [many_failures, logon]
  group-by: [user]
  timespan: 10m
`
const unanswered = `title: A failure that no logon follows
correlation:
  type: temporal
  rules: [failed_logon, logon]
  group-by: [user]
  timespan: 1m
  condition: failed_logon and not logon
`

const single = (tests: string): string => `${failure}tests:\n${indented(tests)}\n`
const correlated = (rule: string, tests: string): string => (
  [logon, failure, many, `${rule}tests:\n${indented(tests)}\n`].join('---\n')
)

describe('tests that pass', () => {
  test.for<[title: string, text: string]>([
    ['a rule matches an event without a recognizable logsource', single('- { event: { action: failed }, match: true }')],
    ['a rule does not match another one', single('- { event: { action: logon }, match: false }')],
    ['a rule does not match an event of another logsource',
      single('- { event: { action: failed, _logsource: { product: linux, service: cron } }, match: false }')],
    ['a rule matches at the expected times', single(
      '- sequence: [{ at: 5s, event: { action: failed } }, { event: { action: logon } }, { at: 1m, event: { action: failed } }]\n'
      + '  matches: [{ at: 5s }, { at: 1m }]')],
    ['a correlation matches with the event that completes it', correlated(guessed.replace('many_failures, logon', 'failed_logon, logon'),
      '- sequence: [{ event: { action: failed, user: Al } }, { at: 9s, event: { action: logon, user: al } }]\n'
      + '  matches: [{ at: 9s, group: { user: AL }, events: 2 }]')],
    ['a correlation of a correlation matches', correlated(guessed,
      '- sequence: [{ repeat: 5, every: 2s, event: { action: failed, user: al } }, { at: 1m, event: { action: logon, user: al } }]\n'
      + '  matches: [{ at: 1m, group: { user: al } }]')],
    ['a correlation does not match too few events', correlated(guessed,
      '- sequence: [{ repeat: 4, event: { action: failed, user: al } }, { at: 1m, event: { action: logon, user: al } }]\n  match: false')],
    ['absence is decided when the window closes', correlated(unanswered,
      '- sequence: [{ at: 5s, event: { action: failed, user: al } }]\n  matches: [{ at: 1m5s }]')],
    ['an event within the window is not absent', correlated(unanswered,
      '- sequence: [{ event: { action: failed, user: al } }, { at: 59s, event: { action: logon, user: al } }]\n  match: false')],
    ['the order of the events in the test does not matter', correlated(unanswered,
      '- sequence: [{ at: 59s, event: { action: logon, user: al } }, { at: 0s, event: { action: failed, user: al } }]\n  match: false')],
    ['the event time is that of the event', single(
      "- sequence: [{ event: { action: failed, '@timestamp': '2026-01-01T00:01:00Z' } }]\n  matches: [{ at: 1m }]")],
  ])('%s', ([, text]) => {
    expect(resultsOf(text).map(({ failure: why }) => why)).toEqual([undefined])
  })

  test('apply filters to the rule', () => {
    const filter = 'title: Robots\nlogsource: { product: linux }\nfilter: { rules: any, robot: { user: robot }, condition: not robot }\n'
    const results = resultsOf(`${single('- { event: { action: failed, user: robot }, match: false }\n'
      + '- { event: { action: failed, user: al }, match: true }')}---\n${filter}`)
    expect(results.map(({ failure: why }) => why)).toEqual([undefined, undefined])
  })

  test('include rules whose own matches a correlation suppresses', () => {
    const text = [single('- { event: { action: failed }, match: true }'), many].join('---\n')
    expect(resultsOf(text).map(({ failure: why }) => why)).toEqual([undefined])
  })
})

describe('tests that fail', () => {
  test.for<[failure: string, text: string]>([
    ['expected a match, found none', single('- { event: { action: logon }, match: true }')],
    ['expected no match, found one (at 0s of 1 event)', single('- { event: { action: failed }, match: false }')],
    ['expected a match, found none; the event has another logsource than the rule',
      single('- { event: { action: failed, _logsource: { product: linux, service: cron } }, match: true }')],
    ["expected a match, found none; matches in 5 events: 'failed_logon' 4, 'logon' 1; 'Many failures' user=al reached 4>=5, "
      + "'Guessed password' user=al reached 1>=2 without 'many_failures'", correlated(guessed,
      '- sequence: [{ repeat: 4, event: { action: failed, user: al } }, { at: 1m, event: { action: logon, user: al } }]\n  match: true')],
    ["expected a match, found none; matches in 1 event: 'failed_logon' 0, 'logon' 0", correlated(guessed, '- { event: {}, match: true }')],
    ["expected no match, found one (at 0s by user=al of 5 events); matches in 5 events: 'failed_logon' 5",
      [failure, `${many}tests: [{ sequence: [{ repeat: 5, event: { action: failed, user: al } }], match: false }]\n`].join('---\n')],
    ["the rule does not run; its verdict is invalid: the condition names 'selction', but there is no such selection",
      single('- { event: {}, match: true }').replace('condition: selection', 'condition: selction')],
  ])('%s', ([why, text]) => {
    expect(resultsOf(text).map((result) => result.failure)).toEqual([why])
  })

  test('explain the result for a single event', () => {
    const [result] = resultsOf(single('- { event: { action: logon }, match: true }'))
    expect(result?.explanation).toMatchObject({
      matched: false, tree: { node: 'selection', children: [{ field: 'action', actual: 'logon', reason: 'value_mismatch' }] },
    })
  })
})

describe('events that no rule is tried on outside of a test are counted', () => {
  test.for<[title: string, unroutedCount: number, text: string]>([
    ['without a logsource', 1, single('- { event: { action: failed }, match: true }')],
    ['with a declared logsource', 0, single('- { event: { action: failed, _logsource: { product: linux, service: sshd } }, match: true }')],
    ['with a declared logsource of another rule', 0, single('- { event: { action: failed, _logsource: { product: macos } }, match: false }')],
    ['with a recognized logsource', 0, single('- { event: { Channel: Security, EventID: 4625 }, match: false }')],
    ['in a sequence', 2, single(
      '- { sequence: [{ repeat: 2, event: { action: failed } }, { event: { _logsource: { product: linux } } }], matches: 2 }')],
    ['of a correlation', 5, [failure, `${many}tests: [{ sequence: [{ repeat: 5, event: { action: failed, user: al } }], match: true }]\n`].join('---\n')],
  ])('%s: %i', ([, unroutedCount, text]) => {
    expect(resultsOf(text).map((result) => [result.failure, result.unroutedCount])).toEqual([[undefined, unroutedCount]])
  })
})

test('a test can have the maximum number of events', () => {
  const text = single('- { sequence: [{ repeat: 10000, every: 1s, event: { action: failed } }], matches: 10000 }')
  expect(resultsOf(text).map(({ failure: why }) => why)).toEqual([undefined])
})
