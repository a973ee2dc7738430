/**
 * First pages of searches for a bare word, as `GET /v1/search` makes them, over a fleet's events of thirty days:
 *
 *     node bench/words.bench.ts [--events 10000000] [--seed 11] [--rounds 20] [--keep <folder>]
 *
 * The events come from a seeded generator (`bench/fleet`); some words are planted in one of so many. `first` is the first
 * search for the word, with the filters of blocks in memory; p50 and p95 are of further ones, which count for as long as the
 * server lets them. With `--keep` the folder is made where it is not there, and left; another run finds the events in it.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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
/** The planted words, words of the generator's events, short parts of identifiers, and words that no event has. */
const words = [...planted.map(({ word }) => word), 'powershell', 'svchost.exe', 'abc', 'nc', 'qqq', 'mimikatz', 'xyzzyqx']
const batchSize = 1_000
const batchesUnderWay = 4

const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'tripline-words-'))
try {
  mkdirSync(folder, { recursive: true })
  await run()
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true })
}

async function run(): Promise<void> {
  const store = await openSegmentEventStore({ disk: nodeFileSystem(folder), elapsedMs: () => performance.now() })
  if ((await store.stats('bench')).eventCount === 0) await fill(store)
  const { eventCount, storedBytes } = await store.stats('bench')
  printLine(`${eventCount.toLocaleString('en')} events in ${Math.round(storedBytes / 1_048_576)} MiB\n`)
  await search(store, 'filters into memory')
  printLine('| word | matches counted | events on the page | first, ms | p50, ms | p95, ms |\n| --- | --- | --- | --- | --- | --- |')
  const first = new Map<string, number>()
  for (const word of words) first.set(word, (await search(store, word)).tookMs)
  const taken = new Map<string, number[]>(words.map((word) => [word, []]))
  let shown = ''
  for (let round = 0; round < rounds; round++) {
    for (const word of words) {
      const { tookMs, counted, events } = await search(store, word)
      taken.get(word)!.push(tookMs)
      if (round < rounds - 1) continue
      const [p50, p95] = [50, 95].map((share) => computePercentile(taken.get(word)!, share) ?? 0)
      shown += `| ${[word, counted, events, ...[first.get(word)!, p50!, p95!].map((ms) => ms.toFixed(1))].join(' | ')} |\n`
    }
  }
  const all = [...taken.values()].flat()
  printLine(`${shown}| all | | | | ${[50, 95].map((share) => (computePercentile(all, share) ?? 0).toFixed(1)).join(' | ')} |`)
  await store.close()
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
}

async function search(store: SegmentEventStore, word: string) {
  const startedMs = performance.now()
  const { budgetMs, countMs } = limits.search
  const { events, total, isTotalExact } = await store.search({
    tenant: 'bench', from, to: from + 90 * dayMs, predicate: compileQuery(word).predicate, limit: limits.page.sizeDefault,
    extent: 'histogram', budgetMs, keywordCountMs: countMs,
  })
  const tookMs = performance.now() - startedMs
  return { tookMs, events: events.length, counted: `${total.toLocaleString('en')}${isTotalExact ? '' : ' or more'}` }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
