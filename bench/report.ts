/**
 * Runs suites, compares their counts with `expected.json` and writes `results/<suite>.json` and `.md`.
 *
 *     node bench/report.ts --date 2026-11-21 [--suite match]... [--data ../shared/data] [--rounds 5] [--accept]
 *
 * A suite whose counts are wrong is refused: nothing is written of it, and the run ends with 1. `--accept` takes
 * the counts as the expected ones instead. The date is handed in, as everything from outside is.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printMarkdown, findWrongCounts } from './print-report.ts'
import type { Expected, Report } from './print-report.ts'
import type { Row } from './suite.ts'
import { suites } from './suites.ts'

const folder = import.meta.dirname
const { values } = parseArgs({
  options: {
    date: { type: 'string', default: '' },
    suite: { type: 'string', multiple: true, default: suites.map(({ name }) => name) },
    data: { type: 'string', default: join('..', 'shared', 'data') },
    rounds: { type: 'string', default: '5' },
    accept: { type: 'boolean', default: false },
  },
})
if (!/^\d{4}-\d\d-\d\d$/.test(values.date)) throw new Error(`option '--date' is '${values.date}'; it takes a day as 2026-11-21`)
const expectedPath = join(folder, 'expected.json')
const expectedCounts: Expected = JSON.parse(readFileSync(expectedPath, 'utf8'))

for (const name of values.suite) {
  const suite = suites.find((known) => known.name === name)
  if (suite === undefined) throw new Error(`there is no suite '${name}'; suites: ${suites.map((known) => known.name).join(', ')}`)
  const { corpus, rows } = runSuite(name)
  if (values.accept) acceptCounts(corpus, name, rows)
  const wrong = findWrongCounts(expectedCounts[corpus]?.[name], rows)
  if (wrong.length > 0) {
    process.stderr.write(`${name}: refused\n${wrong.map((sentence) => `  ${sentence}\n`).join('')}`)
    process.exitCode = 1
    continue
  }
  const command = `node bench/report.ts --date ${values.date} --suite ${name} --rounds ${values.rounds}`
  const ownEvents = suite.ownEvents === undefined ? {} : { ownEvents: suite.ownEvents }
  writeReport({ suite: name, title: suite.title, corpus, ...ownEvents, date: values.date, command, machine: describeMachine(), rows })
}

/** In a process of its own, with room for a hundred thousand rules twice. */
function runSuite(name: string): { readonly corpus: Report['corpus']; readonly rows: readonly Row[] } {
  const args = ['--max-old-space-size=16384', join(folder, 'run-suite.ts'), '--suite', name]
  const { status, stdout } = spawnSync(process.execPath, [...args, '--data', values.data, '--rounds', values.rounds], {
    encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 2 ** 26,
  })
  if (status !== 0) throw new Error(`the suite '${name}' ended with ${status}`)
  return JSON.parse(stdout)
}

function acceptCounts(corpus: Report['corpus'], name: string, rows: readonly Row[]): void {
  const counts = Object.fromEntries(rows.map((row) => [row.case, row.counts]))
  expectedCounts[corpus] = { ...expectedCounts[corpus], [name]: counts }
  writeFileSync(expectedPath, `${JSON.stringify(expectedCounts, undefined, 2)}\n`)
}

function writeReport(report: Report): void {
  const results = join(folder, 'results')
  mkdirSync(results, { recursive: true })
  writeFileSync(join(results, `${report.suite}.json`), `${JSON.stringify(report, undefined, 2)}\n`)
  const markdown = printMarkdown(report)
  writeFileSync(join(results, `${report.suite}.md`), markdown)
  process.stdout.write(`${markdown}\n`)
}

function describeMachine(): Report['machine'] {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    v8: process.versions.v8,
    tripline: (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version,
  }
}
