import type { IngestCounts } from '@tripline/model/connector'
import { PollError } from '@tripline/sources/polling/poll-error'
import { limits } from '../../limits.ts'
import type { FeedClient } from './feed-client.ts'
import type { FeedItem } from './feed-item.ts'
import { noCounts } from './feed-position.ts'
import type { FeedCounts, FeedPosition } from './feed-position.ts'
import { readCsvFeed } from './read-csv-feed.ts'
import { fetchTaxiiPage } from './taxii.ts'

type FeedJob = {
  readonly position: FeedPosition
  /** Runs work with a permit of the tenant: each page is held in memory whole. */
  readonly withPermit: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Makes entries durable and returns how many became new indicators. */
  readonly store: (source: string, items: readonly FeedItem[]) => Promise<number>
  readonly record: (counts: IngestCounts) => void
  readonly save: (position: FeedPosition) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Reads what is new in a feed, and returns milliseconds until the next time. The position is saved after what a page told is
 * durable: after a crash in between, the page is read again and changes nothing.
 *
 * @throws PollError when the source does not respond as expected; earlier pages are saved.
 */
export async function pollFeed(client: FeedClient, job: FeedJob): Promise<number> {
  return client.target.type === 'taxii' ? await pollTaxii(client, job) : await pollCsv(client, job)
}

async function pollTaxii(client: FeedClient, job: FeedJob): Promise<number> {
  const { pagesMax } = limits.connector
  let { position } = job
  for (let count = 0; count < pagesMax; count++) {
    checkRoom(position.counts)
    const { page, counts } = await job.withPermit(async () => {
      const page = count === 0 ? await fetchKnownPage(client, position, job) : await fetchTaxiiPage(client, position)
      const { source, counts: before } = position
      return { page, counts: await storeItems(page.items, { source, before, byteCount: page.byteCount, job }) }
    })
    // The task was replaced meanwhile; its successor has its own position.
    if (job.signal.aborted) return client.target.intervalMs
    const { source, addedAfter } = position
    position = page.next === undefined
      ? { source, counts, addedAfter: page.addedLast ?? addedAfter }
      : { source, counts, ...page.next }
    await job.save(position)
    if (page.next === undefined) return client.target.intervalMs
  }
  return limits.feeds.moreMs
}

/** The first page of a poll; a server that no longer knows its name is asked once more for what is new. */
async function fetchKnownPage(client: FeedClient, position: FeedPosition, { save }: FeedJob): ReturnType<typeof fetchTaxiiPage> {
  try {
    return await fetchTaxiiPage(client, position)
  } catch (error) {
    const isForgotten = error instanceof PollError && position.next !== undefined && (error.status === 400 || error.status === 404)
    if (!isForgotten) throw error
    const { next: _next, addedLast: _last, ...rest } = position
    await save(rest)
    return await fetchTaxiiPage(client, rest)
  }
}

async function pollCsv(client: FeedClient, job: FeedJob): Promise<number> {
  const { target, now } = client
  const { position: { source, etag, lastModified, day } } = job
  const today = Math.floor(now() / 86_400_000)
  // Once a day it is read in any case, because what it names must not expire.
  const conditions = day !== today ? {} : {
    ...(etag !== undefined && { 'if-none-match': etag }), ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
  await job.withPermit(async () => {
    const { status, headers, body } = await client.get(target.url, { headers: conditions, bytesMax: limits.imports.bodyBytesMax })
    if (status === 304) return
    const { counts, problem } = await storeCsv(client, body, job)
    if (problem !== undefined) throw new PollError('data_flow', problem)
    if (job.signal.aborted) return
    await job.save({ source, counts, day: today, etag: keepVersion(headers['etag']), lastModified: keepVersion(headers['last-modified']) })
  })
  return target.intervalMs
}

function keepVersion(text: string | undefined): string | undefined {
  return text !== undefined && text.length <= limits.feeds.versionLengthMax ? text : undefined
}

async function storeCsv(
  client: FeedClient, body: Buffer, job: FeedJob,
): Promise<{ readonly counts: FeedCounts; readonly problem: string | undefined }> {
  const { rowsMax, transactionRowsMax } = limits.imports
  const { source } = job.position
  let counts = noCounts
  let waiting: FeedItem[] = []
  let byteCount = body.length
  const keep = async (): Promise<void> => {
    counts = await storeItems(waiting, { source, before: counts, byteCount, job })
    byteCount = 0
    waiting = []
  }
  for await (const item of readCsvFeed(body, client.target, client.now())) {
    if (job.signal.aborted) break
    if (counts.read + waiting.length === rowsMax) {
      await keep()
      return { counts, problem: `the feed has more than ${rowsMax} rows; the first ${rowsMax} were read` }
    }
    waiting.push(item)
    if (waiting.length === transactionRowsMax) await keep()
  }
  await keep()
  const isNothingUsable = counts.read > 0 && counts.read === Object.values(counts.unusable).reduce((sum, count) => sum + count, 0)
  return { counts, problem: isNothingUsable ? `no row of the feed is usable: ${Object.keys(counts.unusable).join(', ')}` : undefined }
}

async function storeItems(
  items: readonly FeedItem[],
  { source, before, byteCount, job }: {
    readonly source: string; readonly before: FeedCounts; readonly byteCount: number; readonly job: FeedJob
  },
): Promise<FeedCounts> {
  const unusable = { ...before.unusable }
  let refusedCount = 0
  for (const item of items) {
    const reason = 'unusable' in item ? item.unusable : 'ended' in item ? 'it is no longer valid' : undefined
    if (reason === undefined) continue
    unusable[reason] = (unusable[reason] ?? 0) + 1
    refusedCount++
  }
  const createdCount = await job.store(source, items)
  job.record({ receivedCount: items.length - refusedCount, refusedCount, byteCount })
  return { read: before.read + items.length, created: before.created + createdCount, unusable }
}

function checkRoom({ created }: FeedCounts): void {
  if (created < limits.feeds.indicatorsMax) return
  throw new PollError('data_flow', `the collection has brought ${limits.feeds.indicatorsMax} indicators, which is the limit`)
}
