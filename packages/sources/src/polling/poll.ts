import { limits } from '../limits.ts'
import type { PollClient } from './poll-client.ts'
import { PollError } from './poll-error.ts'
import type { PollPosition } from './poll-position.ts'
import { readPolledPage } from './read-page.ts'
import type { PolledEvent } from './read-page.ts'

/** What came of a page, and where polling continues behind it. */
type PolledPage = {
  /** Those that were not stored before. */
  readonly events: readonly PolledEvent[]
  readonly refusedCount: number
  readonly byteCount: number
  /** Undefined where it did not change. */
  readonly position: PollPosition | undefined
}

/** One poll of a source, with what to do with its pages. */
type PollJob = {
  /** The source, by which ids of its events differ from those of others. */
  readonly sourceId: string
  readonly position: PollPosition
  /** Runs work with a permit: each page is held in memory whole. */
  readonly withPermit: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Makes events durable, and with them or after them the position. */
  readonly store: (page: PolledPage) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Polls a source page by page to its end, or to the page limit of one poll, and resolves with the position to continue
 * from. Where the position is stored after the events and not with them, a crash in between has the page read again, and its events
 * have the same ids. Delivery is at least once.
 *
 * @throws PollError when the source does not respond as expected; earlier pages are stored.
 */
export async function poll(client: PollClient, polling: PollJob): Promise<PollPosition> {
  const { pagesMax } = limits.polling
  const { signal, withPermit } = polling
  let { position } = polling
  for (let count = 0; count < pagesMax && !signal.aborted; count++) {
    const before = position
    const { next, isLast } = await withPermit(() => storePage(client, before, polling))
    position = next
    if (isLast) break
  }
  return position
}

/** Stores the page at a position and returns the next position, and whether to stop for now. */
async function storePage(
  client: PollClient, position: PollPosition, { sourceId, store, signal }: PollJob,
): Promise<{ readonly next: PollPosition; readonly isLast: boolean }> {
  const { pageMs: timeoutMs, pageBytesMax: bytesMax } = limits.polling
  const { body } = await client.fetchPage(position.cursor, { timeoutMs, bytesMax, signal })
  const page = readPolledPage(body, client.target, sourceId)
  const seen = new Set(position.seen)
  const events = page.events.filter(({ id }) => !seen.has(id))
  const isEnd = page.cursor === undefined || page.cursor === position.cursor
  const next = isEnd ? { cursor: position.cursor, seen: page.events.map(({ id }) => id) } : { cursor: page.cursor, seen: [] }
  const changed = isSamePosition(next, position) ? undefined : next
  await store({ events, refusedCount: page.refusedCount, byteCount: sumBytes(events), position: changed })
  return { next, isLast: isEnd || page.events.length === 0 }
}

/** The delay after a failure: what the source asks for, or exponential backoff. */
export function retryDelayMs(error: unknown, failureCount: number): number {
  const { retryMs, retryMsMax } = limits.polling
  const backoffMs = Math.min(retryMs * 2 ** Math.min(failureCount, 30), retryMsMax)
  return Math.max(backoffMs, error instanceof PollError ? (error.retryAfterMs ?? 0) : 0)
}

function sumBytes(events: readonly PolledEvent[]): number {
  return events.reduce((sum, { bytes }) => sum + bytes.length, 0)
}

function isSamePosition(one: PollPosition, other: PollPosition): boolean {
  return one.cursor === other.cursor && one.seen.length === other.seen.length && one.seen.every((id, i) => id === other.seen[i])
}
