import { limits } from '../limits.ts'
import type { PollClient } from './poll-client.ts'
import { PollError } from './poll-error.ts'
import type { PollPosition } from './poll-position.ts'
import { readPolledPage } from './read-page.ts'
import type { PolledEvent } from './read-page.ts'

/** One poll of a connector, with what to do with its pages. */
type PollJob = {
  readonly connectorId: string
  readonly position: PollPosition
  /** Runs work with a permit of the tenant: each page is held in memory whole. */
  readonly withPermit: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Ingests events; resolves when they are durable. */
  readonly ingest: (events: readonly PolledEvent[]) => Promise<void>
  /** Called with each page, after its events were ingested. */
  readonly recordPage: (page: { readonly receivedCount: number; readonly refusedCount: number; readonly byteCount: number }) => void
  readonly save: (position: PollPosition) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Polls a source page by page to its end, or to the page limit of one poll, and resolves with the position to continue
 * from. The position is saved after the page's events are durable: after a crash in between, the page is read again and
 * its events have the same ids. Delivery is at least once.
 *
 * @throws PollError when the source does not respond as expected; earlier pages are saved.
 */
export async function poll(client: PollClient, polling: PollJob): Promise<PollPosition> {
  const { pagesMax } = limits.connector
  const { signal, withPermit } = polling
  let { position } = polling
  for (let count = 0; count < pagesMax && !signal.aborted; count++) {
    const before = position
    const { next, isLast } = await withPermit(() => ingestPage(client, before, polling))
    // The task was replaced meanwhile; its successor has its own position.
    if (signal.aborted) return position
    if (!isSamePosition(next, position)) await polling.save(next)
    position = next
    if (isLast) break
  }
  return position
}

/** Ingests the page at a position and returns the next position, and whether to stop for now. */
async function ingestPage(
  client: PollClient, position: PollPosition, { connectorId, ingest, recordPage, signal }: PollJob,
): Promise<{ readonly next: PollPosition; readonly isLast: boolean }> {
  const { pageMs: timeoutMs, pageBytesMax: bytesMax } = limits.connector
  const { body } = await client.fetchPage(position.cursor, { timeoutMs, bytesMax, signal })
  const page = readPolledPage(body, client.target, connectorId)
  const seen = new Set(position.seen)
  const events = page.events.filter(({ id }) => !seen.has(id))
  if (events.length > 0) await ingest(events)
  recordPage({ receivedCount: events.length, refusedCount: page.refusedCount, byteCount: sumBytes(events) })
  const isEnd = page.cursor === undefined || page.cursor === position.cursor
  const next = isEnd ? { cursor: position.cursor, seen: page.events.map(({ id }) => id) } : { cursor: page.cursor, seen: [] }
  return { next, isLast: isEnd || page.events.length === 0 }
}

/** The delay after a failure: what the source asks for, or exponential backoff. */
export function retryDelayMs(error: unknown, failureCount: number): number {
  const { retryMs, retryMsMax } = limits.connector
  const backoffMs = Math.min(retryMs * 2 ** Math.min(failureCount, 30), retryMsMax)
  return Math.max(backoffMs, error instanceof PollError ? (error.retryAfterMs ?? 0) : 0)
}

function sumBytes(events: readonly PolledEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function isSamePosition(one: PollPosition, other: PollPosition): boolean {
  return one.cursor === other.cursor && one.seen.length === other.seen.length && one.seen.every((id, i) => id === other.seen[i])
}
