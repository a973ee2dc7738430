/**
 * First pages of searches for a bare word, as `GET /v1/search` makes them, over a fleet's events of thirty days:
 *
 *     node bench/words.bench.ts [--events 10000000] [--tail 12000] [--seed 11] [--rounds 20] [--count 100] [--keep <folder>]
 *
 * The events come from a seeded generator (`bench/fleet`); some words are planted in one of so many. The newest ones, `--tail`,
 * are still in memory. `first` is the first search for the word, with the filters of blocks in memory, and beside it the
 * processor time that it took in all threads, which other programs change less; p50 and p95 are of further ones. Searches count
 * for as long as the server lets them, or for `--count` milliseconds. With `--keep` the folder is made where it is not there,
 * and left; another run finds the events in it.
 */
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { compileQuery } from '../packages/query/src/index.ts'
import { nodeFileSystem } from '../packages/storage/src/disk/file-system.ts'
import { openSegmentEventStore } from '../packages/storage/src/events/segment-store.ts'
import type { SegmentEventStore } from '../packages/storage/src/events/segment-store.ts'
import { limits } from '../packages/server/src/limits.ts'
import { computePercentile } from './pipeline/offer-load.ts'
import { generateFleetBatches } from './words/fleet-feed.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '10000000' },
    tail: { type: 'string', default: '12000' },
    count: { type: 'string', default: String(limits.search.countMs) },
    seed: { type: 'string', default: '11' },
    rounds: { type: 'string', default: '20' },
    keep: { type: 'string' },
  },
})
const count = Number(values.events)
const rounds = Number(values.rounds)
const dayMs = 86_400_000
const from = Date.UTC(2026, 9, 25)
const planted = [
  { word: 'zebrafinch', oneIn: 2_000_000 }, { word: 'quokka', oneIn: 100_000 }, { word: 'axolotl', oneIn: 10_000 },
  { word: 'narwhal', oneIn: 1_000 }, { word: 'capybara', oneIn: 50 },
]
/** What is searched: how often it occurs decides how many blocks a page is read from. */
const words: readonly (readonly [kind: string, word: string])[] = [
  ...planted.map(({ word, oneIn }) => [`in one of ${oneIn.toLocaleString('en')}`, word] as const),
  ...['powershell', 'svchost.exe'].map((word) => ['frequent', word] as const),
  ...['abc', 'nc', 'qqq', 'qzjq'].map((word) => ['short', word] as const),
  ...['mimikatz', 'xyzzyqx', 'evilx', 'lsass'].map((word) => ['absent word', word] as const),
  ['absent GUID', '1f0c2a77-93d4-4be1-8a66-0c9d5e7b2f31'], ['absent MD5', '5d41402abc4b2a76b9719d911017c592'],
  ['absent SHA-256', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  ['absent address', '10.251.77.3'], ['absent host', 'lt-0815zz.corp.example'], ['absent user', 'absent.q8zv2k'],
  ...['*mimi*katz*', 'quok?a', 'axolo*', 'CommandLine:*axolotl*', 'user:nosuchq', 'Hashes:*5d41402abc4b2a76b9719d911017c592*']
    .map((word) => ['pattern or field', word] as const),
]
const batchSize = 1_000
const batchesUnderWay = 4

const { folder, removeFolder } = openBenchFolder('words', values.keep)
try {
  await run()
} finally {
  removeFolder()
}

async function run(): Promise<void> {
  const store = await openSegmentEventStore({ disk: nodeFileSystem(folder), elapsedMs: () => performance.now() })
  if ((await store.stats('bench')).eventCount === 0) await fill(store)
  const { eventCount, storedBytes } = await store.stats('bench')
  printLine(`${eventCount.toLocaleString('en')} events in ${Math.round(storedBytes / 1_048_576)} MiB\n`)
  await search(store, 'filters into memory')
  const searched = [...words, ...await pickValues(store)]
  printLine('| kind | word | matches counted | on the page | first, ms | processor, ms | p50, ms | p95, ms | max, ms |')
  printLine('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  const first = new Map<string, readonly [tookMs: number, processorMs: number]>()
  for (const [, word] of searched) {
    const { tookMs, processorMs } = await search(store, word)
    first.set(word, [tookMs, processorMs])
  }
  const taken = new Map<string, number[]>(searched.map(([, word]) => [word, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [kind, word] of searched) {
      const { tookMs, counted, events } = await search(store, word)
      taken.get(word)!.push(tookMs)
      if (round < rounds - 1) continue
      const firstTimes = first.get(word)!.map((ms) => ms.toFixed(1))
      printLine(`| ${[kind, word, counted, events, ...firstTimes, ...summarize(taken.get(word)!)].join(' | ')} |`)
    }
  }
  printLine(`| all, first | | | | | | ${summarize([...first.values()].map(([tookMs]) => tookMs)).join(' | ')} |`)
  printLine(`| all, again | | | | | | ${summarize([...taken.values()].flat()).join(' | ')} |`)
  await store.close()
}

function summarize(times: readonly number[]): string[] {
  return [50, 95, 100].map((share) => (computePercentile([...times], share) ?? 0).toFixed(1))
}

/** A checksum and a GUID that few events have, of the page of a rare word. */
async function pickValues(store: SegmentEventStore): Promise<(readonly [kind: string, word: string])[]> {
  const range = { tenant: 'bench', from, to: from + 10 * dayMs }
  const { predicate } = compileQuery('narwhal')
  const { events } = await store.search({ ...range, predicate, limit: 50, extent: 'page', budgetMs: 60_000 })
  const texts = events.map(({ bytes }) => Buffer.from(bytes).toString())
  const find = (pattern: RegExp): string | undefined => texts.map((text) => pattern.exec(text)?.[0]).find((value) => value !== undefined)
  const guid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/
  const found = [['stored SHA-256', find(/\b[0-9A-F]{64}\b/)], ['stored GUID', find(guid)]] as const
  return found.flatMap(([kind, word]) => (word === undefined ? [] : [[kind, word] as const]))
}

async function fill(store: SegmentEventStore): Promise<void> {
  const underWay: Promise<unknown>[] = []
  const options = { count, seed: Number(values.seed), from, spanMs: 30 * dayMs, words: planted }
  for (const batch of generateFleetBatches(options, batchSize)) {
    underWay.push(store.append('bench', batch))
    if (underWay.length >= batchesUnderWay) await underWay.shift()
  }
  await Promise.all(underWay)
  await store.flush()
  const tail = { ...options, count: Number(values.tail), seed: options.seed + 1_000_000, from: from + 30 * dayMs, spanMs: dayMs }
  for (const batch of generateFleetBatches(tail, batchSize)) await store.append('bench', batch)
}

async function search(store: SegmentEventStore, word: string) {
  const startedMs = performance.now()
  const startedUsage = process.cpuUsage()
  const { budgetMs } = limits.search
  const { events, total, isTotalExact } = await store.search({
    tenant: 'bench', from, to: from + 90 * dayMs, predicate: compileQuery(word).predicate, limit: limits.page.sizeDefault,
    extent: 'histogram', budgetMs, keywordCountMs: Number(values.count),
  })
  const tookMs = performance.now() - startedMs
  const { user, system } = process.cpuUsage(startedUsage)
  const processorMs = (user + system) / 1_000
  return { tookMs, processorMs, events: events.length, counted: `${total.toLocaleString('en')}${isTotalExact ? '' : ' or more'}` }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
