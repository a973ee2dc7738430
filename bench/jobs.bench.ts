/**
 * What more workers give: a pool of one against a pool of several, over the bytes of the same events.
 *
 *     node bench/jobs.bench.ts [<rules>...] [--events <file.ndjson[.gz]>]... [--jobs N] [--rounds N]
 *
 * Without arguments it runs the project's own fixtures, again and again until they are some megabytes: give it real
 * rules and events for figures that mean something. Both pools' matches are compared before anything is timed, which
 * also warms their memories of values. Rounds are interleaved and begin with the one pool or the other in turn; the
 * ratio is printed with its spread. On a busy machine that is what the neighbours left over, so that rounds in which
 * they had little can be recognised; the processor time shows what sharing the work costs other programs.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { compileRules } from '@tripline/engine'
import { openPool } from '@tripline/pool'
import type { DetectionPool, PoolOutcome } from '@tripline/pool'
import { median } from 'tripline/measuring'

const fixtures = fileURLToPath(new URL('../fixtures/', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string', multiple: true, default: listRuleFiles(join(fixtures, 'events'), '.ndjson') },
    jobs: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '7' },
  },
})
const chunkBytes = 524_288
const bytesMin = 16_777_216
const lineFeed = 0x0a
/** Of one core: what others may have in a round that counts as undisturbed. */
const disturbanceRatioMax = 0.1

const ruleFolders = positionals.length === 0 ? [join(fixtures, 'rules')] : positionals
const rulePaths = ruleFolders.flatMap((folder) => listRuleFiles(folder, '.yml'))
const sources = rulePaths.map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const { ruleSet } = compileRules(sources)
const chunks = splitIntoChunks(repeatToLength(Buffer.concat(values.events.map(readBytes))))
const megabytes = chunks.reduce((sum, piece) => sum + piece.length, 0) / 1e6
const oneWorker = await openPool({ ruleSet, jobs: 1 })
const severalWorkers = await openPool({ ruleSet, jobs: Number(values.jobs) })
await compareAnswers()

const ratios: number[] = []
const measureUndisturbed: number[] = []
const findFastest = { one: Infinity, several: Infinity }
const processorTime = { one: 0, several: 0 }
for (let round = 0; round < Number(values.rounds); round++) {
  const times = { one: 0, several: 0 }
  let disturbance = 0
  const order = ['one', 'several'] as const
  for (const name of round % 2 === 0 ? order : order.toReversed()) {
    const usedBefore = process.cpuUsage()
    const busyBefore = readBusyMs()
    const startedAt = performance.now()
    await matchAll(name === 'one' ? oneWorker : severalWorkers)
    times[name] = performance.now() - startedAt
    const { user, system } = process.cpuUsage(usedBefore)
    processorTime[name] += user + system
    disturbance = Math.max(disturbance, (readBusyMs() - busyBefore - (user + system) / 1000) / times[name])
    findFastest[name] = Math.min(findFastest[name], times[name])
  }
  ratios.push(times.one / times.several)
  if (disturbance <= disturbanceRatioMax) measureUndisturbed.push(times.one / times.several)
}
printLine(`${ruleSet.rules.length} rules, ${megabytes.toFixed(1)} MB in ${chunks.length} pieces`)
printLine(`${values.jobs} workers: ${computeMedian(ratios)} the speed of one`)
printLine(`undisturbed by others: ${computeMedian(measureUndisturbed)}`)
printLine(`fastest rounds: ${formatSpeed(findFastest.one)} with one, ${formatSpeed(findFastest.several)} with ${values.jobs}`)
printLine(`processor time: ${(processorTime.several / processorTime.one).toFixed(2)} x that of one, all threads together`)
await Promise.all([oneWorker.close(), severalWorkers.close()])

async function compareAnswers(): Promise<void> {
  const [alone, shared] = [await matchAll(oneWorker), await matchAll(severalWorkers)]
  const differs = alone.findIndex((outcome, index) => summarizeMatches(outcome) !== summarizeMatches(shared[index]))
  if (differs !== -1) throw new Error(`piece ${differs} has other matches with ${values.jobs} workers than with one`)
  printLine(`${alone.reduce((sum, { matches }) => sum + matches.length, 0)} matches, the same with both`)
}

/** Pushes every piece as soon as there is room; the pool gets copies, for it keeps what it is given. */
async function matchAll(pool: DetectionPool): Promise<PoolOutcome[]> {
  const outcomes: Promise<PoolOutcome>[] = []
  for (const piece of chunks) {
    await pool.waitForCapacity()
    outcomes.push(pool.push(piece))
  }
  return await Promise.all(outcomes)
}

function summarizeMatches(outcome: PoolOutcome | undefined): string {
  return JSON.stringify([outcome?.matches, outcome?.malformed, outcome?.lineCount, outcome?.eventCount])
}

/** Parts of one buffer, each of whole lines: a pool copies those. */
function splitIntoChunks(bytes: Buffer): Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = bytes.indexOf(lineFeed, Math.min(start + chunkBytes, bytes.length - 1)) + 1 || bytes.length
    parts.push(bytes.subarray(start, end))
  }
  return parts
}

function repeatToLength(bytes: Buffer): Buffer {
  const count = Math.max(1, Math.ceil(bytesMin / Math.max(1, bytes.length)))
  return Buffer.concat(Array.from({ length: count }, () => bytes))
}

function readBytes(path: string): Buffer {
  const bytes = readFileSync(path)
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes
}

function listRuleFiles(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))
  return names.toSorted().map((name) => join(folder, name))
}

function formatSpeed(ms: number): string {
  return `${(megabytes / (ms / 1000)).toFixed(0)} MB/s`
}

/** Milliseconds that all cores have worked, for whomever. */
function readBusyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
}

/** `1.73 x (1.27 to 1.82, 12 rounds)` */
function computeMedian(ratiosOfRounds: readonly number[]): string {
  if (ratiosOfRounds.length === 0) return 'no round'
  const [least, most] = [Math.min(...ratiosOfRounds), Math.max(...ratiosOfRounds)]
  return `${median(ratiosOfRounds).toFixed(2)} x (${least.toFixed(2)} to ${most.toFixed(2)}, ${ratiosOfRounds.length} rounds)`
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
