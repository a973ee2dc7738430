/**
 * The event store beside SQLite and DuckDB, on the same events in the same run: how fast events are taken, what they
 * take on disk, and how long searches over all thirty days of them take.
 *
 *     node bench/events.bench.ts [--events 200000] [--data ../shared/data] [--rounds 20]
 *         [--seconds 20] [--databases sqlite,duckdb] [--database-rounds 3] [--keep <folder>] [--searches 'rare term,range']
 *
 * Counts of all are compared before a figure is printed. Every batch of 1,000 events is safe on disk before it
 * counts; the store has four batches under way at a time, as a server has. Times are wall times of one process;
 * `first` is the first page after the store was opened, with nothing in its cache, and the first histogram after the
 * pages. The databases have rounds of their own, of which the median is printed; after `--seconds` of one search no more
 * rounds of it follow. With `--keep` the folder is made where it is not there, and left; another run takes up what is
 * in it, with the figures of filling it. `--rounds 0` fills only; `--searches` names those that are made, all by default.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBenchFolder } from './bench-folder.ts'
import { nodeFileSystem } from '../packages/storage/src/disk/file-system.ts'
import { openSegmentEventStore } from '../packages/storage/src/events/segment-store.ts'
import type { SegmentEventStore } from '../packages/storage/src/events/segment-store.ts'
import { openDuckdbEvents } from './events/duckdb-events.ts'
import type { EventDatabase } from './events/event-database.ts'
import { openFeed } from './events/event-feed.ts'
import { timedQueries } from './events/event-queries.ts'
import type { TimedQuery } from './events/event-queries.ts'
import { openSqliteEvents } from './events/sqlite-events.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    data: { type: 'string', default: join('..', 'shared', 'data') },
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
    databases: { type: 'string', default: 'sqlite,duckdb' },
    'database-rounds': { type: 'string', default: '3' },
    keep: { type: 'string' },
    searches: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const secondsMax = Number(values.seconds)
const databaseNames = values.databases.split(',')
const searches = values.searches?.split(',')
const databaseRounds = Number(values['database-rounds'])
const batchSize = 1_000
const batchesUnderWay = 4
const pageSize = 50
const feed = openFeed(values.data, Number(values.events))
const { folder, removeFolder } = openBenchFolder('events', values.keep)

/** What filling a store took. */
type Filling = { readonly name: string; readonly wallMs: number; readonly processorMs: number; readonly byteCount: number }

try {
  await run()
} finally {
  removeFolder()
}

async function run(): Promise<void> {
  printLine(`${formatCount(feed.count)} events over 30 days, of ${feed.name === 'shared' ? 'recorded ones' : 'the fixtures'}\n`)
  printLine('| taking events in | events per second, made and synced | processor time, µs per event | bytes on disk per event |')
  printLine('| --- | --- | --- | --- |')
  printFilling(await fillOnce('event store', fillStore))
  const databases: EventDatabase[] = []
  if (databaseNames.includes('sqlite')) databases.push(openSqliteEvents(join(folder, 'events.sqlite'), feed))
  const duckdb = databaseNames.includes('duckdb') ? await openDuckdbEvents(join(folder, 'events.duckdb'), feed) : undefined
  if (duckdb !== undefined) databases.push(duckdb)
  for (const database of databases) {
    printFilling(await fillOnce(database.name, async () => {
      await database.add(feed.batches(batchSize))
      return await database.byteCount()
    }))
  }
  if (duckdb === undefined && databaseNames.includes('duckdb')) printLine('\nDuckDB has no binary here and is left out.')
  if (rounds > 0) await searchAll(databases)
  for (const database of databases) database.close()
}

async function searchAll(databases: readonly EventDatabase[]): Promise<void> {
  const openedAt = performance.now()
  await (await openStore()).close()
  printLine(`\nOpening the event store again: ${formatMilliseconds(performance.now() - openedAt)} ms.\n`)
  const names = databases.map(({ name }) => name)
  const headings = [
    'search', 'matches', 'first page: first', 'p50', 'p95', ...names, 'histogram and count: first', 'p50', 'p95', ...names,
  ]
  printLine(`| ${headings.join(' | ')} |\n|${headings.map(() => ' --- |').join('')}`)
  for (const query of timedQueries(feed)) {
    if (searches?.includes(query.name) ?? true) await compare(query, databases)
  }
}

/** Fills a store, or tells how that went in the run that left it here. */
async function fillOnce(name: string, fill: () => Promise<number>): Promise<Filling> {
  const path = join(folder, `${name.replace(' ', '-')}.json`)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Filling
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  const byteCount = await fill()
  const { user, system } = process.cpuUsage(usedBefore)
  const filling = { name, wallMs: performance.now() - startedAt, processorMs: (user + system) / 1_000, byteCount }
  writeFileSync(path, JSON.stringify(filling))
  return filling
}

async function fillStore(): Promise<number> {
  const store = await openStore()
  const underWay: Promise<unknown>[] = []
  for (const batch of feed.batches(batchSize)) {
    underWay.push(store.append('bench', batch))
    if (underWay.length >= batchesUnderWay) await underWay.shift()
  }
  await Promise.all(underWay)
  await store.flush()
  const { storedBytes } = await store.stats('bench')
  await store.close()
  return storedBytes
}

function printFilling({ name, wallMs, processorMs, byteCount }: Filling): void {
  const perSecond = formatCount(Math.round(feed.count / (wallMs / 1_000)))
  const processorPerEvent = ((processorMs * 1_000) / feed.count).toFixed(1)
  printLine(`| ${[name, perSecond, processorPerEvent, (byteCount / feed.count).toFixed(1)].join(' | ')} |`)
}

/** Times one search with a store that was just opened, so that the first call finds nothing in memory. */
async function compare({ name, predicate, where }: TimedQuery, databases: readonly EventDatabase[]): Promise<void> {
  const store = await openStore()
  const search = async (extent: 'page' | 'histogram') => {
    const { from, to } = feed
    const page = await store.search({ tenant: 'bench', from, to, predicate, limit: pageSize, extent, budgetMs: 600_000 })
    return extent === 'page' ? page.events.length : page.total
  }
  const firstPage = await timeSearch(() => search('page'))
  const pages = await repeatSearch(rounds, () => search('page'))
  const firstHistogram = await timeSearch(() => search('histogram'))
  const histograms = await repeatSearch(rounds, () => search('histogram'))
  await store.close()

  const pagesOf: (number | undefined)[] = []
  const histogramsOf: (number | undefined)[] = []
  for (const database of databases) {
    if (where === undefined) {
      pagesOf.push(undefined)
      histogramsOf.push(undefined)
      continue
    }
    const expect = (theirs: number, ours: number) => {
      if (theirs !== ours) throw new Error(`'${name}': ${database.name} finds ${theirs}, the event store ${ours}`)
      return theirs
    }
    const page = async () => expect(await database.page(where, pageSize), firstPage.found)
    const histogram = async () => expect(await database.histogram(where), firstHistogram.found)
    pagesOf.push(computeQuantile(await repeatSearch(databaseRounds, page), 0.5))
    histogramsOf.push(computeQuantile(await repeatSearch(databaseRounds, histogram), 0.5))
  }
  const shown = [
    firstPage.ms, computeQuantile(pages, 0.5), computeQuantile(pages, 0.95), ...pagesOf,
    firstHistogram.ms, computeQuantile(histograms, 0.5), computeQuantile(histograms, 0.95), ...histogramsOf,
  ]
  printLine(`| ${[name, formatCount(firstHistogram.found), ...shown.map(formatMilliseconds)].join(' | ')} |`)
}

function openStore(): Promise<SegmentEventStore> {
  return openSegmentEventStore({ disk: nodeFileSystem(join(folder, 'store')), elapsedMs: () => performance.now() })
}

async function timeSearch(work: () => Promise<number>): Promise<{ readonly ms: number; readonly found: number }> {
  const startedAt = performance.now()
  const found = await work()
  return { ms: performance.now() - startedAt, found }
}

/** Repeats a search, fewer times where it is slow. */
async function repeatSearch(times: number, work: () => Promise<number>): Promise<number[]> {
  const taken: number[] = []
  const startedAt = performance.now()
  for (let round = 0; round < times; round++) {
    taken.push((await timeSearch(work)).ms)
    if (performance.now() - startedAt > secondsMax * 1_000) break
  }
  return taken.sort((a, b) => a - b)
}

/** The value that a share of the sorted ones does not exceed. */
function computeQuantile(sorted: readonly number[], share: number): number | undefined {
  return sorted[Math.ceil(share * sorted.length) - 1]
}

function formatMilliseconds(ms: number | undefined): string {
  return ms === undefined ? '–' : ms < 10 ? ms.toFixed(1) : ms.toFixed(0)
}

function formatCount(number: number): string {
  return number.toLocaleString('en')
}

function printLine(text: string): void {
  process.stdout.write(`${text}\n`)
}
