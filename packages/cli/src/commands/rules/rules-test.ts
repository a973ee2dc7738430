import { ExitError, exitCodes } from '@tripline/common/exit-error'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { unwritableError } from '../../framework/command-error.ts'
import { defineCommand } from '../../framework/command.ts'
import { engineOptions, ruleOperands, ruleOptions } from '../../framework/shared-options.ts'
import { writeText } from '../../framework/write-text.ts'
import { printTestAnnotations } from '../../output/print-annotations.ts'
import { printTestJson, printTestJunit, printTestText } from '../../output/print-test-report.ts'
import { loadRules } from '../../rules/load-rules.ts'
import { readRegression } from '../../rules/read-regression.ts'
import { addTestedRules, readTestFiles } from '../../rules/read-rules.ts'
import { runTests } from '../../rules/run-tests.ts'
import type { TestRun } from '../../rules/test-report.ts'

/** Runs the tests of rules. */
export const rulesTestCommand = defineCommand({
  name: 'rules test',
  summary: 'Runs the tests of rules.',
  operands: ruleOperands,
  options: {
    junit: { kind: 'text', value: '<file.xml>', help: 'Also writes the results as JUnit XML.' },
    json: {
      kind: 'flag',
      help: 'Prints one JSON object: {"tests":[{"path","line","rule_id","name","outcome","reason","warning",...}],"problems",'
        + '"untested","totals"}.',
    },
    github: { kind: 'flag', help: 'Prints failures as annotations of GitHub workflows, which stand beside the lines of a change.' },
    explain: { kind: 'flag', help: 'Explains each failed test: which parts of the rule matched and which did not.' },
    regression: {
      kind: 'list',
      value: '<dir>...',
      help: 'Also runs SigmaHQ\'s regression tests: every info.yml below the directory, with the JSON events beside it.',
    },
    'fail-without-tests': { kind: 'flag', help: 'Lists rules without tests, and fails if there are any.' },
    taxonomy: engineOptions.taxonomy,
    ...ruleOptions,
  },
  notes: [
    'Tests are in the attribute "tests" of a rule, or in a file x.test.yml beside x.yml; '
      + 'docs/guide/rule-tests.md documents both. Rules in the paths may reference each other, and filters among '
      + 'them apply.',
    'Exit codes: 0 all passed; 1 a test failed or cannot be read, a rule is invalid, or --fail-without-tests found a rule; '
      + '2 wrong arguments; 65 the paths hold no rule, or no test; 66 a path cannot be read; 74 the JUnit file cannot be written.',
  ],
  async run({ options, operands }, context) {
    const paths = addTestedRules(operands, context.cwd)
    const loaded = loadRules({ ...options, paths }, context)
    const regression = options.regression.flatMap((path) => readRegression(path, context.cwd))
    const sources = [...loaded.sources, ...readTestFiles(paths, context.cwd)]
    const run = runTests({ compilation: loaded, sources, regression, taxonomy: options.taxonomy }, context)
    const mustAllHaveTests = options['fail-without-tests']
    if (run.rows.length + run.problems.length + run.invalidRules.length === 0 && !mustAllHaveTests) throw noTests(operands)
    if (options.junit !== undefined) writeJunit(resolve(context.cwd, options.junit), run)
    const print = options.json ? printTestJson : options.github ? printTestAnnotations : printTestText
    await writeText(context.stdout, print(run, { explains: options.explain, namesUntested: mustAllHaveTests }))
    const failed = run.problems.length + run.invalidRules.length > 0 || run.rows.some(({ outcome }) => outcome === 'failed')
    return failed || (mustAllHaveTests && run.untested.length > 0) ? exitCodes.found : exitCodes.ok
  },
})

function noTests(paths: readonly string[]): ExitError {
  const places = paths.map((path) => `'${path}'`).join(', ')
  const hint = "write them in the attribute 'tests' of a rule, or in x.test.yml beside it"
  return new ExitError(exitCodes.noData, `no tests in ${places}; ${hint}`)
}

function writeJunit(file: string, run: TestRun): void {
  try {
    writeFileSync(file, printTestJunit(run))
  } catch (error) {
    throw unwritableError(error)
  }
}
