// What `npm test` runs: types, lint, then every test. Arguments go to the test runner:
//
//   npm test -- --project engine condition
//   npm test -- --quick        # types, lint of changed files, the fast tests beside the sources
//
// Stops at the first step that fails. The last line is always the same sentence, for people and for
// programs: `N passed, M failed, K skipped`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCLI, startVitest } from 'vitest/node'
import type { TestModule } from 'vitest/node'
import { isQuickTest, planRun } from './quick-run.ts'
import type { RunPlan } from './quick-run.ts'
import { runFailedAgain } from './second-try.ts'
import { listFiles, repositoryRoot } from './workspace.ts'

type Counts = { passed: number; failed: number; skipped: number }

process.chdir(repositoryRoot)
const startedAt = performance.now()
const plan = readPlan()
const linted = plan.isQuick ? listChangedFiles() : []
runTool('types', 'tsc', ['-b'])
const lintOptions = ['--type-aware', '--deny-warnings', '--report-unused-disable-directives']
if (!plan.isQuick || linted.length > 0) runTool('lint', 'oxlint', [...lintOptions, ...linted])
const counts = await runTests(plan)
if (plan.isQuick) printLine(`── quick run: ${formatSeconds(performance.now() - startedAt)}; npm test runs the other tests too`)
printLine(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
// Ends here even where a test left something open: the counts are in.
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1)

function readPlan(): RunPlan {
  try {
    return planRun(process.argv.slice(2), process.env)
  } catch (error) {
    printLine(`tripline: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

/** The sources that differ from the last commit; none where git does not tell. */
function listChangedFiles(): readonly string[] {
  const args = ['ls-files', '--modified', '--others', '--exclude-standard', '--deduplicate']
  const { stdout, status } = spawnSync('git', args, { encoding: 'utf8' })
  if (status !== 0) return []
  return stdout.split('\n').filter((path) => /\.(?:ts|tsx|mjs)$/.test(path) && existsSync(path))
}

/** Runs one of the installed command line tools; ends the check with its exit code when it fails. */
function runTool(title: string, tool: string, args: readonly string[]): void {
  printLine(`── ${title}: ${[tool, ...args].join(' ')}`)
  const toolStartedAt = performance.now()
  const { status, error } = spawnSync(join('node_modules', '.bin', tool), args, { stdio: 'inherit' })
  if (error !== undefined) printLine(`${tool} could not be started: ${error.message}`)
  printLine(`── ${title}: ${status === 0 ? 'ok' : 'failed'} in ${formatSeconds(performance.now() - toolStartedAt)}`)
  if (status !== 0) process.exit(status ?? 1)
}

async function runTests({ args, isQuick }: RunPlan): Promise<Counts> {
  printLine(`── tests: ${['vitest', 'run', ...args].join(' ')}`)
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const isAskedFor = (path: string): boolean => filter.length === 0 || filter.some((part) => path.includes(part))
  const quickTests = listFiles('packages/*/src/**/*.test.{ts,tsx}').filter((path) => isQuickTest(path) && isAskedFor(path))
  // Quick tests share the modules that they load, which halves the time: they change nothing that another file would see.
  const runOptions = isQuick ? { ...options, isolate: false } : options
  const vitest = await startVitest(isQuick ? quickTests.map((path) => join(repositoryRoot, path)) : filter, runOptions)
  const { modules, errors, lines } = await runFailedAgain(vitest, 'browser')
  const counts = countTests(modules, errors)
  for (const line of [...printDurations(modules), ...lines]) printLine(line)
  await vitest.close()
  return counts
}

/** Counts tests; a file that failed without a failing test (it did not load, a hook threw) counts as one failure. */
function countTests(modules: readonly TestModule[], failedOutsideTests: number): Counts {
  const counts = { passed: 0, failed: failedOutsideTests, skipped: 0 }
  for (const module of modules) {
    const failedBefore = counts.failed
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') counts.passed += 1
      else if (state === 'skipped') counts.skipped += 1
      else counts.failed += 1
    }
    if (!module.ok() && counts.failed === failedBefore) counts.failed += 1
  }
  return counts
}

/** A line for each project: how long its files took together, whichever ran beside each other, and the slowest of them. */
function printDurations(modules: readonly TestModule[]): readonly string[] {
  return [...Map.groupBy(modules, ({ project }) => project.name)].map(([name, own]) => {
    const timed = own.map((module) => ({ module, ms: module.diagnostic().duration })).sort((a, b) => b.ms - a.ms)
    const slowest = timed.slice(0, 3).map(({ module, ms }) => `${module.relativeModuleId} ${formatSeconds(ms)}`).join(', ')
    return `── ${name}: ${formatSeconds(timed.reduce((sum, { ms }) => sum + ms, 0))} in ${own.length} files; slowest: ${slowest}`
  })
}

function formatSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
