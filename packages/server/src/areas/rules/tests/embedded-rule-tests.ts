import { toRuleProblem, createRuleError } from '@tripline/detection/rules/rule-errors'
import type { RuleSet } from '@tripline/engine'
import { getRuleClosure, parseRuleTests, runRuleTests } from '@tripline/rule-tools'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { countRuleComparisons, checkTestCost } from './rule-test-cost.ts'

/** A failed test of a rule, with its position in the rule's text. */
export type FailedTest = { readonly test: string; readonly line: number; readonly column: number; readonly failure: string }

/**
 * Runs the tests in a rule's attribute `tests` and returns those that fail. `among` contains the new version of the rule and
 * the rules that it refers to.
 *
 * @throws AppError INVALID_RULE for tests that cannot be read; PAYLOAD_TOO_LARGE for tests that cost too much.
 */
export async function runEmbeddedTests(definition: string, ruleId: string, among: RuleSet): Promise<readonly FailedTest[]> {
  const suites = parseRuleTests([{ text: definition }]).filter((suite) => suite.ruleId === ruleId)
  const problems = suites.flatMap(({ diagnostics }) => diagnostics).filter(({ kind }) => kind !== 'lint')
  if (problems[0] !== undefined) throw createRuleError(problems[0].message, problems.map(toRuleProblem))
  const ruleSet = getRuleClosure(ruleId, among)
  const eventCount = suites.flatMap(({ tests }) => tests).reduce((count, { events }) => count + events.length, 0)
  checkTestCost(countRuleComparisons(ruleSet.rules), eventCount)
  const failed: FailedTest[] = []
  for (const { test, failure } of runRuleTests({ ruleSet, reports: [] }, suites)) {
    if (failure !== undefined) failed.push({ test: test.name, line: test.line, column: test.column, failure })
    await othersFirst()
  }
  return failed
}
