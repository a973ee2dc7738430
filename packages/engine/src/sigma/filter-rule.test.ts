import { expect, test } from 'vitest'
import { detectionText } from '../../test/correlation-problems.ts'
import { compileRules } from '../compile-rules.ts'
import { limits } from '../limits.ts'

const narrowing = '  selection: { user: admin }\n  condition: not selection'

test.for<[title: string, head: string, section: string, problems: readonly string[]]>([
  ['a list of names', 'logsource: { category: test }', `  rules: [a]\n${narrowing}`, []],
  ['one name', 'logsource: { category: test }', `  rules: a\n${narrowing}`, []],
  ['any', 'logsource: { category: test }', `  rules: any\n${narrowing}`, []],
  ['an empty list', 'logsource: { category: test }', `  rules: []\n${narrowing}`, []],
  ['no logsource', 'description: x', `  rules: any\n${narrowing}`, ["INVALID_LOGSOURCE 1:1 the rule needs a 'logsource' with at least one of category, product and service"]],
  ['no rules', 'logsource: { category: test }', narrowing, ["MISSING_ATTRIBUTE 4:3 the filter has no 'rules'; use 'any' for all rules of its logsource"]],
  ['a map of rules', 'logsource: { category: test }', `  rules: { a: b }\n${narrowing}`, ["INVALID_ATTRIBUTE 4:10 'filter.rules' must be a list of ids or names"]],
  ['a rule that is null', 'logsource: { category: test }', `  rules: [a, null]\n${narrowing}`, ["INVALID_ATTRIBUTE 4:14 'filter.rules' must be a list of ids or names"]],
  ['an unknown rule', 'logsource: { category: test }', `  rules: [a, ab]\n${narrowing}`, ["DANGLING_REFERENCE 4:14 no running detection rule has the id or name 'ab'"]],
  ['a rule of another logsource', 'logsource: { category: test, product: x }', `  rules: [a]\n${narrowing}`,
    ["DANGLING_REFERENCE 4:11 the filter does not apply to the rule 'a', which has another logsource"]],
  ['no condition', 'logsource: { category: test }', '  rules: [a]\n  selection: { user: admin }', ["MISSING_ATTRIBUTE 4:3 the detection has no 'condition'"]],
  ['an unknown selection', 'logsource: { category: test }', '  rules: [a]\n  selection: { user: admin }\n  condition: not s and selection',
    ["UNKNOWN_SELECTION 6:18 the condition names 's', but there is no such selection"]],
])('%s', ([, head, section, problems]) => {
  expect(problemsOf(`title: F\n${head}\nfilter:\n${section}\n`)).toEqual(problems)
})

test('rejects a section that is not a map', () => {
  expect(problemsOf('title: F\nlogsource: { category: test }\nfilter: [a]\n')).toEqual(["INVALID_ATTRIBUTE 3:9 'filter' must be a map"])
})

test('rejects too many rules', () => {
  const names = Array.from({ length: limits.filterRulesMax + 1 }, () => 'a').join(', ')
  const message = `the filter names ${limits.filterRulesMax + 1} rules; the limit is ${limits.filterRulesMax}`
  expect(problemsOf(`title: F\nlogsource: { category: test }\nfilter:\n  rules: [${names}]\n${narrowing}\n`)).toEqual([`LIMIT_EXCEEDED 4:10 ${message}`])
})

function problemsOf(filter: string): string[] {
  const { reports } = compileRules([{ text: detectionText('a') }, { text: filter }])
  return reports.at(-1)!.diagnostics.map(({ code, line, column, message }) => `${code} ${line}:${column} ${message}`)
}
