import type { Diagnostic, RuleReport } from '@tripline/engine'
import type { RuleTestReport } from '@tripline/rule-tools'

/** A test as reports have it. */
export type TestRow = {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly ruleId: string
  /** The title of the rule. */
  readonly title: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it did not pass. */
  readonly reason: string | undefined
  /** Undefined where it did not run. */
  readonly result: RuleTestReport | undefined
  readonly ms: number
}

/** A document of tests that cannot be read, or not all of it. */
export type TestProblem = { readonly path: string; readonly text: string; readonly diagnostics: readonly Diagnostic[] }

/** An invalid rule, and the text of its file. */
type InvalidRule = { readonly text: string; readonly report: RuleReport }

/** What a run of `rules test` came to. */
export type TestRun = {
  readonly rows: readonly TestRow[]
  readonly problems: readonly TestProblem[]
  /** The rules that are invalid, with their problems: no test can run them. */
  readonly invalidRules: readonly InvalidRule[]
  /** Rules that run and that no test is about, neither their own nor one of a correlation that names them. */
  readonly untested: readonly RuleReport[]
}

/** Counts what came of a run. */
export function countOutcomes({ rows, problems, invalidRules, untested }: TestRun) {
  const count = (outcome: TestRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length
  return {
    tests: rows.length,
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    unreadable: problems.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0),
    invalid_rules: invalidRules.length,
    rules_tested: new Set(rows.filter(({ outcome }) => outcome !== 'skipped').map(({ ruleId }) => ruleId)).size,
    rules_without_tests: untested.length,
  }
}
