/**
 * The event store beside SQLite, on the same events in the same run: how fast events are taken, what they take on
 * disk, and how long searches over all thirty days of them take.
 *
 *     node bench/events.bench.ts [--events 200000] [--data ../shared/data] [--rounds 7] [--folder <folder>]
 *
 * Counts of both are compared before a figure is printed. Every batch of 1,000 events is safe on disk before it
 * counts; the store has four batches under way at a time, as a server has. Times are wall times of one process, the
 * middle and the worst of the rounds; `first` is the first call after the store was opened, with nothing in its cache.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeDisk } from '../packages/server/src/disk.ts'
import { openEmbeddedEvents } from '../packages/server/src/events/embedded-events.ts'
import type { EmbeddedEvents } from '../packages/server/src/events/embedded-events.ts'
import { openFeed } from './events/event-feed.ts'
import { timedQueries } from './events/event-queries.ts'
import type { TimedQuery } from './events/event-queries.ts'
import { SqliteEvents } from './events/sqlite-events.ts'

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '200000' },
    data: { type: 'string', default: join('..', 'shared', 'data') },
    rounds: { type: 'string', default: '7' },
    folder: { type: 'string', default: tmpdir() },
  },
})
const rounds = Number(values.rounds)
const batchSize = 1_000
const batchesUnderWay = 4
const pageSize = 50
const feed = openFeed(values.data, Number(values.events))
const folder = mkdtempSync(join(values.folder, 'tripline-bench-'))

try {
  await run()
} finally {
  rmSync(folder, { recursive: true })
}

async function run(): Promise<void> {
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  const store = await open()
  await fill(store)
  await store.flush()
  const storeMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(usedBefore)
  const { storedBytes } = await store.stats('bench')
  await store.close()

  const sqlite = new SqliteEvents(join(folder, 'events.sqlite'), feed)
  const sqliteMs = timed(() => sqlite.add(feed.batches(batchSize)))
  const perSecond = (ms: number): string => Math.round(feed.count / (ms / 1_000)).toLocaleString('en')
  const perEvent = (bytes: number): string => (bytes / feed.count).toFixed(1)
  print(`${feed.count.toLocaleString('en')} events over 30 days, of ${feed.name === 'shared' ? 'recorded ones' : 'the fixtures'}\n`)
  print('| taking events in | event store | SQLite |\n| --- | --- | --- |')
  print(`| events per second, made and synced | ${perSecond(storeMs)} | ${perSecond(sqliteMs)} |`)
  print(`| processor time, µs per event, with making them | ${((user + system) / feed.count).toFixed(1)} | – |`)
  print(`| bytes on disk per event | ${perEvent(storedBytes)} | ${perEvent(sqlite.byteCount)} |\n`)

  const openedAt = performance.now()
  await (await open()).close()
  print(`Opening it again: ${(performance.now() - openedAt).toFixed(0)} ms.\n`)
  print('| search | matches | first page: first | p50 | worst | SQLite p50 | histogram and count: first | p50 | worst | SQLite |')
  print('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const query of timedQueries(feed)) await compare(query, sqlite)
  sqlite.close()
}

async function fill(store: EmbeddedEvents): Promise<void> {
  const underWay: Promise<unknown>[] = []
  for (const batch of feed.batches(batchSize)) {
    underWay.push(store.append('bench', batch))
    if (underWay.length >= batchesUnderWay) await underWay.shift()
  }
  await Promise.all(underWay)
}

/** Times one search with a store that was just opened, so that the first call finds nothing in memory. */
async function compare({ name, predicate, where }: TimedQuery, sqlite: SqliteEvents): Promise<void> {
  const store = await open()
  const search = async (extent: 'page' | 'histogram') => {
    const startedAt = performance.now()
    const { from, to } = feed
    const page = await store.search({ tenant: 'bench', from, to, predicate, limit: pageSize, extent, budgetMs: 600_000 })
    return { ms: performance.now() - startedAt, total: page.total, eventCount: page.events.length }
  }
  const repeat = async (extent: 'page' | 'histogram') => {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) times.push((await search(extent)).ms)
    return times.sort((a, b) => a - b)
  }
  const firstPage = await search('page')
  const pages = await repeat('page')
  const firstCount = await search('histogram')
  const counts = await repeat('histogram')
  await store.close()

  const pageTimes: number[] = []
  const countTimes: number[] = []
  for (let round = 0; where !== undefined && round < Math.min(3, rounds); round++) {
    pageTimes.push(timed(() => expectEqual(name, sqlite.page(where, pageSize), firstPage.eventCount)))
    countTimes.push(timed(() => expectEqual(name, sqlite.histogram(where), firstCount.total)))
  }
  const shown = [
    firstPage.ms, middle(pages), pages.at(-1), middle(pageTimes), firstCount.ms, middle(counts), counts.at(-1), middle(countTimes),
  ]
  print(`| ${[name, firstCount.total.toLocaleString('en'), ...shown.map(milliseconds)].join(' | ')} |`)
}

function expectEqual(name: string, sqliteCount: number, storeCount: number): void {
  if (sqliteCount !== storeCount) throw new Error(`'${name}': SQLite finds ${sqliteCount}, the event store ${storeCount}`)
}

function open(): Promise<EmbeddedEvents> {
  return openEmbeddedEvents({ disk: nodeDisk(join(folder, 'store')), elapsedMs: () => performance.now() })
}

function timed(work: () => void): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

function middle(sorted: readonly number[]): number | undefined {
  return sorted.toSorted((a, b) => a - b)[sorted.length >> 1]
}

function milliseconds(ms: number | undefined): string {
  return ms === undefined ? '–' : ms < 10 ? ms.toFixed(1) : ms.toFixed(0)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
