import type { Compilation, RuleReport, RuleSource } from '@tripline/engine'
import { toRuleTestSuite, parseRuleTests, runRuleTests } from '@tripline/rule-tools'
import type { RuleTestReport, RuleTestSuite } from '@tripline/rule-tools'
import type { Context } from '../framework/context.ts'
import { StatusLine } from '../input/progress.ts'
import { limits } from '../limits.ts'
import type { RegressionData } from './read-regression.ts'
import type { TestProblem, TestRow, TestRun } from './test-report.ts'

/** What tests are run on: compiled rules, the texts that hold tests, and how events are read. */
type TestInput = {
  readonly compilation: Compilation
  readonly sources: readonly RuleSource[]
  readonly regression: readonly RegressionData[]
  readonly taxonomy: 'auto' | 'none'
}

/** Runs all tests of some rules, and shows on a terminal how far it has come. */
export function runTests({ compilation, sources, regression, taxonomy }: TestInput, context: Context): TestRun {
  const suites = parseRuleTests(sources)
  const known = new Set(compilation.reports.map(({ id }) => id))
  const total = suites.reduce((sum, { tests }) => sum + tests.length, 0)
    + regression.reduce((sum, { tests }) => sum + tests.length, 0)
  const run = new TestRunner({ compilation, taxonomy, total }, context)
  for (const suite of suites) run.runSuite(suite)
  for (const data of regression) run.runRegression(data, known.has(data.info.ruleId))
  const texts = new Map(sources.map(({ path = '', text }) => [path, text]))
  const problems: TestProblem[] = [
    ...suites.map(({ path, diagnostics }) => ({ path, text: texts.get(path) ?? '', diagnostics })),
    ...regression.map(({ info: { path, diagnostics }, text }) => ({ path, text, diagnostics })),
  ]
  const rows = run.end()
  return {
    rows,
    problems: problems.filter(({ diagnostics }) => diagnostics.length > 0),
    invalidRules: compilation.reports.filter(({ verdict }) => verdict === 'invalid')
      .map((report) => ({ text: texts.get(report.path) ?? '', report: withoutLints(report) })),
    untested: findUntestedRules(rows, compilation),
  }
}

function withoutLints(report: RuleReport): RuleReport {
  return { ...report, diagnostics: report.diagnostics.filter(({ kind }) => kind !== 'lint') }
}

type RunnerOptions = Pick<TestInput, 'compilation' | 'taxonomy'> & {
  /** How many tests there are. */
  readonly total: number
}

/** Runs suites one after the other and gathers what comes of their tests. */
class TestRunner {
  readonly #options: RunnerOptions
  readonly #context: Context
  readonly #status: StatusLine
  readonly #rows: TestRow[] = []
  #shownAt = -Infinity
  #startedAt = 0

  constructor(options: RunnerOptions, context: Context) {
    this.#options = options
    this.#context = context
    this.#status = new StatusLine(context)
  }

  runSuite(suite: RuleTestSuite): void {
    const { compilation, taxonomy } = this.#options
    this.#startedAt = this.#context.now()
    for (const result of runRuleTests(compilation, [suite], { taxonomy })) this.#add(toTestRow(result))
  }

  /** Runs the tests whose events could be read; the others failed, and those of rules that were not given are skipped. */
  runRegression({ info, tests }: RegressionData, isKnown: boolean): void {
    for (const read of tests) {
      const { name, line, column } = read.test
      const head = { path: info.path, line, column, ruleId: info.ruleId, title: info.title, name, result: undefined }
      if (!isKnown) this.#add({ ...head, outcome: 'skipped', reason: 'its rule is not among those that were given' })
      else if ('problem' in read) this.#add({ ...head, outcome: 'failed', reason: read.problem })
      else this.runSuite(toRuleTestSuite(info, [read]))
    }
  }

  end(): readonly TestRow[] {
    this.#status.clear()
    return this.#rows
  }

  #add(row: Omit<TestRow, 'ms'>): void {
    const now = this.#context.now()
    this.#rows.push({ ...row, ms: row.result === undefined ? 0 : now - this.#startedAt })
    this.#startedAt = now
    if (now - this.#shownAt < limits.progressIntervalMs) return
    this.#shownAt = now
    this.#status.show(`${this.#rows.length.toLocaleString('en')} of ${this.#options.total.toLocaleString('en')} tests`)
  }
}

function toTestRow(result: RuleTestReport): Omit<TestRow, 'ms'> {
  const { suite: { path, ruleId = '', title }, test: { name, line, column }, failure } = result
  const outcome = failure === undefined ? 'passed' : 'failed'
  return { path, line, column, ruleId, title, name, outcome, reason: failure, result }
}

/** A rule is tested by its own tests, and by those of correlations that name it. */
function findUntestedRules(rows: readonly TestRow[], { ruleSet, reports }: Compilation): readonly RuleReport[] {
  const tested = new Set(rows.filter(({ outcome }) => outcome !== 'skipped').map(({ ruleId }) => ruleId))
  const members = new Map(ruleSet.correlations.map((correlation) => [correlation.id, correlation.members]))
  // A set goes on over what is added to it on the way.
  for (const id of tested) for (const { ruleId } of members.get(id) ?? []) tested.add(ruleId)
  return reports.filter(({ id, kind, verdict }) => verdict === 'compiled' && kind !== 'filter' && !tested.has(id))
}
