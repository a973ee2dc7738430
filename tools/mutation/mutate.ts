// Mutation testing: changes the code of a folder, one small change at a time, and runs the tests that cover it.
//
//   node tools/mutation/mutate.ts FOLDER [--work DIR] [--seed N] [--count N]
//
// FOLDER is a name in folders.ts. The changes are made in a copy of the repository in DIR (by default in the folder of temporary
// files), with one process. Of a folder with more than N mutants (500), a seeded sample is run. Each batch leaves its report in DIR,
// so that a run that was interrupted goes on where it stopped, and a batch runs again only if its mutants or any file of the folder
// or its tests changed. Prints the score and the mutants that survived; ends with 1 if the score is below the folder's.
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, cpSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { isGenerated } from '../check-style.ts'
import { packageManager } from '../release/pack.ts'
import { listFiles, readText, repositoryRoot } from '../workspace.ts'
import { mutatedFolders } from './folders.ts'
import type { MutatedFolder } from './folders.ts'
import { countOutcomes, printReport } from './report.ts'
import type { MutantResult } from './report.ts'
import { sampleMutants } from './sample-mutants.ts'
import type { Mutant } from './sample-mutants.ts'

/** Mutants of one run of Stryker: each begins with all tests once. */
const batchMutantsMax = 250
/** Minutes for all tests once before the first mutant: Stryker's own five are too few for tests of a server on a busy machine. */
const firstRunMinutesMax = 60
/** Milliseconds that the tests of a mutant may take beyond a multiple of what they took without it, so that waiting is no kill. */
const mutantSlackMs = 60_000
const mutantSlownessMax = 4
/** The end of what Stryker printed before it failed, which names the test that failed. */
const outputCharsMax = 20_000

const silentLogger = {
  isTraceEnabled: () => false, isDebugEnabled: () => false, isInfoEnabled: () => false, isWarnEnabled: () => false,
  isErrorEnabled: () => false, isFatalEnabled: () => false,
  trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {},
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { work: { type: 'string' }, seed: { type: 'string', default: '1' }, count: { type: 'string', default: '500' } },
  })
  const [name = ''] = positionals
  const folder = mutatedFolders[name]
  if (folder === undefined) {
    process.stderr.write(`unknown folder '${name}'; known: ${Object.keys(mutatedFolders).join(', ')}\n`)
    return 2
  }
  const work = values.work ?? join(tmpdir(), `tripline-mutate-${name}`)
  const sources = listSources(folder)
  const mutants = await listMutants(sources)
  const sample = sampleMutants(mutants, Number(values.count), Number(values.seed))
  process.stdout.write(`${name}: ${mutants.length} mutants in ${sources.length} files, ${sample.length} are run\n`)
  copyRepository(work)
  const version = hashFiles([...sources, ...listTests(folder)])
  const results: MutantResult[] = []
  for (let start = 0; start < sample.length; start += batchMutantsMax) {
    results.push(...runBatch(work, folder, sample.slice(start, start + batchMutantsMax), version))
    process.stdout.write(`${printCounts(results)}\n`)
  }
  process.stdout.write(printReport(results))
  return countOutcomes(results).score >= folder.scoreMin ? 0 : 1
}

function printCounts(results: readonly MutantResult[]): string {
  const { killedCount, timeoutCount, survivedCount, staticCount, score } = countOutcomes(results)
  const killed = `${killedCount} killed (${timeoutCount} of them by time)`
  return `${killed}, ${survivedCount} survived, ${staticCount} static and not run: ${score.toFixed(1)} %`
}

/** What is generated, such as a parser from its grammar, is the work of its generator. */
function listSources({ sources }: MutatedFolder): readonly string[] {
  return [...new Set(sources.flatMap((glob) => listFiles(glob)))]
    .filter((path) => !path.endsWith('.test.ts') && !isGenerated(readText(path)))
}

function listTests({ tests }: MutatedFolder): readonly string[] {
  return [...new Set(tests.flatMap((glob) => listFiles(glob)))]
}

/** The mutants that Stryker would make of files, in their order. */
async function listMutants(paths: readonly string[]): Promise<readonly Mutant[]> {
  const instrumenter = new Instrumenter(silentLogger)
  const files = paths.map((name) => ({ name, content: readText(name), mutate: true }))
  const { mutants } = await instrumenter.instrument(files, { plugins: [], excludedMutations: [], ignorers: [] })
  return mutants.map(({ fileName, location: { start, end }, replacement, mutatorName }) => ({
    file: fileName, mutatorName, replacement,
    startLine: start.line + 1, startColumn: start.column, endLine: end.line + 1, endColumn: end.column,
  }))
}

/** Brings the files that git knows to the folder, and installs the packages there. */
function copyRepository(work: string): void {
  const paths = run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], repositoryRoot).split('\0')
  for (const path of paths) {
    const source = join(repositoryRoot, path)
    if (path === '' || !existsSync(source)) continue
    mkdirSync(dirname(join(work, path)), { recursive: true })
    cpSync(source, join(work, path), { force: true })
  }
  run('npx', ['--yes', '--loglevel=error', packageManager, 'install', '--frozen-lockfile', '--prefer-offline', '--reporter=silent'], work)
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 28,
  })
  if (error !== undefined) throw new Error(`${command} could not be started: ${error.message}`, { cause: error })
  if (status !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} ended with ${status}`)
  return stdout
}

/** Runs Stryker, whose progress is in `stryker.log` of the copy while it runs. @throws Error with the end of the log if it fails. */
function runStryker(work: string): void {
  const logPath = join(work, 'stryker.log')
  const log = openSync(logPath, 'w')
  const program = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'mutation.stryker.json']
  const { status, error } = spawnSync(process.execPath, program, { cwd: work, stdio: ['ignore', log, 'inherit'] })
  closeSync(log)
  if (error !== undefined) throw new Error(`Stryker could not be started: ${error.message}`, { cause: error })
  if (status !== 0) throw new Error(`Stryker ended with ${status}:\n${readFileSync(logPath, 'utf8').slice(-outputCharsMax)}`)
}

function hashFiles(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(path).update(readText(path))
  return hash.digest('hex')
}

/** Runs Stryker over a batch in the copy, unless the report of exactly this batch is there. */
function runBatch(work: string, folder: MutatedFolder, batch: readonly Mutant[], version: string): readonly MutantResult[] {
  const key = createHash('sha256').update(version).update(JSON.stringify(batch)).digest('hex').slice(0, 16)
  const reportPath = join(work, 'reports', `${key}.json`)
  if (!existsSync(reportPath)) {
    const partPath = `${reportPath}.part`
    writeFileSync(join(work, 'mutation.vitest.config.ts'), printVitestConfig(listTests(folder)))
    writeFileSync(join(work, 'mutation.stryker.json'), JSON.stringify({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      // The folder names its tests; following their imports for each mutant would take longer than they do.
      vitest: { configFile: 'mutation.vitest.config.ts', related: false },
      mutate: batch.map(({ file, startLine, startColumn, endLine, endColumn }) =>
        `${file}:${startLine}:${startColumn}-${endLine}:${endColumn}`),
      // The places of a sample hold the mutants inside of them too; nothing else changes.
      inPlace: true, concurrency: 1, coverageAnalysis: 'perTest', disableTypeChecks: false,
      // A mutant of a table, which is read once, would need all tests again.
      ignoreStatic: true,
      reporters: ['json', 'progress-append-only'], jsonReporter: { fileName: partPath },
      tempDirName: 'stryker-tmp', allowEmpty: true, checkers: [],
      dryRunTimeoutMinutes: firstRunMinutesMax, timeoutMS: mutantSlackMs, timeoutFactor: mutantSlownessMax,
    }))
    runStryker(work)
    cpSync(partPath, reportPath)
  }
  return readReport(reportPath)
}

/**
 * Tests run in the order of the folder's globs, those beside the code first: most mutants end there, before a server is loaded.
 * Files share the modules that those before them loaded, for loading a server again for each takes most of the time; each mutant
 * has a worker of its own, so that what it breaks stays with it.
 */
function printVitestConfig(tests: readonly string[]): string {
  const exclude = ['**/node_modules/**', '**/dist/**']
  const options = { include: tests, exclude, isolate: false, testTimeout: 60_000, hookTimeout: 60_000 }
  return `const tests = ${JSON.stringify(tests)}
const rank = ({ moduleId }) => tests.findIndex((path) => moduleId.endsWith(path))
class TestOrder {
  shard(files) { return files }
  sort(files) { return files.toSorted((one, other) => rank(one) - rank(other)) }
}
export default { test: { ...${JSON.stringify(options)}, sequence: { sequencer: TestOrder } } }
`
}

/** The part of Stryker's report that is read. */
type StrykerReport = {
  readonly files: {
    readonly [path: string]: { readonly source: string; readonly mutants: readonly (Omit<MutantResult, 'file' | 'line' | 'original'> & {
      readonly location: { readonly start: Position; readonly end: Position }
    })[] }
  }
}
type Position = { readonly line: number; readonly column: number }

function readReport(path: string): readonly MutantResult[] {
  const { files } = JSON.parse(readFileSync(path, 'utf8')) as StrykerReport
  return Object.entries(files).flatMap(([file, { source, mutants }]) => mutants.map(({ location: { start, end }, ...mutant }) => {
    const lines = source.split('\n').slice(start.line - 1, end.line)
    const isOneLine = start.line === end.line
    const original = isOneLine ? (lines[0] ?? '').slice(start.column - 1, end.column - 1) : `${(lines[0] ?? '').slice(start.column - 1)} …`
    return { file, line: start.line, original, mutatorName: mutant.mutatorName, replacement: mutant.replacement, status: mutant.status }
  }))
}

process.exitCode = await main()
