// What `npm test` runs: types, lint, then every test. Arguments go to the test runner:
//
//   npm test -- --project engine condition
//
// Stops at the first step that fails. The last line is always the same sentence, for people and for
// programs: `N passed, M failed, K skipped`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseCLI, startVitest } from 'vitest/node'
import type { TestModule } from 'vitest/node'
import { repositoryRoot } from './workspace.ts'

type Counts = { passed: number; failed: number; skipped: number }

process.chdir(repositoryRoot)
runTool('types', 'tsc', ['-b'])
runTool('lint', 'oxlint', ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'])
const counts = await runTests(process.argv.slice(2))
printLine(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
// Ends here even where a test left something open: the counts are in.
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1)

/** Runs one of the installed command line tools; ends the check with its exit code when it fails. */
function runTool(title: string, tool: string, args: readonly string[]): void {
  printLine(`── ${title}: ${[tool, ...args].join(' ')}`)
  const startedAt = performance.now()
  const { status, error } = spawnSync(join('node_modules', '.bin', tool), args, { stdio: 'inherit' })
  if (error !== undefined) printLine(`${tool} could not be started: ${error.message}`)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  printLine(`── ${title}: ${status === 0 ? 'ok' : 'failed'} in ${seconds} s`)
  if (status !== 0) process.exit(status ?? 1)
}

async function runTests(args: string[]): Promise<Counts> {
  printLine(`── tests: ${['vitest', 'run', ...args].join(' ')}`)
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const vitest = await startVitest(filter, options)
  const failedOutsideTests = vitest.state.getUnhandledErrors().length
  const modules = vitest.state.getTestModules()
  const counts = countTests(modules, failedOutsideTests)
  for (const line of printDurations(modules)) printLine(line)
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
    const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
    const slowest = timed.slice(0, 3).map(({ module, ms }) => `${module.relativeModuleId} ${seconds(ms)}`).join(', ')
    return `── ${name}: ${seconds(timed.reduce((sum, { ms }) => sum + ms, 0))} in ${own.length} files; slowest: ${slowest}`
  })
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
