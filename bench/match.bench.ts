/**
 * What matching costs beside parsing: `JSON.parse` of every line alone, against parsing and matching.
 *
 *     node bench/match.bench.ts [--rules <folder>]... [--events <file.ndjson[.gz]>]... [--rounds N]
 *
 * Without arguments it runs the project's own fixtures, which are few: give it real rules and events for
 * figures that mean something. Answers are compared before anything is timed. Every round begins with a rule
 * set that has seen nothing, warms it with the first half of the events and times the second half, so that no
 * memory of values flatters; rounds are interleaved, and the ratio is printed with its spread.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Engine, RuleSet, compileRules } from '@tripline/engine'
import type { EventObject } from '@tripline/engine'
import { Bench } from 'tinybench'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const { values } = parseArgs({
  options: {
    rules: { type: 'string', multiple: true, default: [join(fixtures, 'rules')] },
    events: { type: 'string', multiple: true, default: filesIn(join(fixtures, 'events'), '.ndjson') },
    rounds: { type: 'string', default: '7' },
  },
})
/** Lines of one sample: few enough that a sample is short, enough that what is done once does not show. */
const linesMax = 40_000
const linesMin = 10_000

const rulePaths = values.rules.flatMap((folder) => filesIn(folder, '.yml'))
const { ruleSet } = compileRules(rulePaths.map((path) => ({ path, text: readFileSync(path, 'utf8') })))
const given = values.events.flatMap(readLines).slice(0, linesMax)
const lines = Array.from({ length: Math.max(given.length, linesMin) }, (_, i) => given[i % given.length] ?? '{}')
const matchCount = compareAnswers(ruleSet, lines)
const half = Math.floor(lines.length / 2)
const [seen, timed] = [lines.slice(0, half), lines.slice(half)]
const ratios: number[] = []
let eventsPerSecond = 0
for (let round = 0; round < Number(values.rounds); round++) {
  const engine = new Engine(new RuleSet(ruleSet.rules))
  engine.push(parseAll(seen))
  const bench = new Bench({ iterations: 1, time: 0, warmup: false })
  bench.add('parse', () => void parseAll(timed))
  bench.add('parse and match', () => void engine.push(parseAll(timed)))
  await bench.run()
  const [parse = 0, both = 0] = bench.tasks.map(({ result }) => ('latency' in result ? result.latency.min : 0))
  ratios.push(both / parse)
  eventsPerSecond = Math.max(eventsPerSecond, Math.round((timed.length / both) * 1000))
}
ratios.sort((a, b) => a - b)
print(`${ruleSet.rules.length} rules, ${lines.length} events, ${matchCount} matches; the second half is timed`)
const spread = `${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)}, ${ratios.length} rounds`
print(`parse and match: ${median(ratios)} x JSON.parse alone (${spread})`)
print(`fastest round: ${eventsPerSecond} events/s on one thread`)

/** Runs all events in one batch and each on its own; the matches must be the same. */
function compareAnswers(rules: RuleSet, texts: readonly string[]): number {
  const events = parseAll(texts)
  const together = new Engine(rules).push(events).map(({ row, rule: { id } }) => `${row} ${id}`)
  const engine = new Engine(rules)
  const alone = events.flatMap((event, row) => engine.push([event]).map(({ rule: { id } }) => `${row} ${id}`))
  if (together.join('\n') !== alone.join('\n')) throw new Error('a batch gives other matches than its events one by one')
  return together.length
}

function parseAll(texts: readonly string[]): EventObject[] {
  return texts.map((line) => JSON.parse(line))
}

function readLines(path: string): string[] {
  const bytes = readFileSync(path)
  const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
  return text.toString('utf8').split('\n').filter((line) => line !== '')
}

function filesIn(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))
  return names.toSorted().map((name) => join(folder, name))
}

function median(sorted: readonly number[]): string {
  return (sorted[Math.floor(sorted.length / 2)] ?? NaN).toFixed(2)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
