import { limits } from '../limits.ts'
import type { PollClient } from './poll-client.ts'
import { PollError } from './poll-error.ts'
import type { PollPosition } from './poll-position.ts'
import { readPage } from './read-page.ts'
import type { PolledEvent } from './read-page.ts'

/** What becomes of the pages of one connector. */
export type PollJob = {
  readonly connectorId: string
  readonly position: PollPosition
  /** Has a page read and taken in when it is its turn: each is held whole. */
  readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Takes events in; when it resolves they are safe. */
  readonly take: (events: readonly PolledEvent[]) => Promise<void>
  /** Told of each page, after its events were taken. */
  readonly note: (page: { readonly receivedCount: number; readonly refusedCount: number; readonly byteCount: number }) => void
  readonly save: (position: PollPosition) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Polls a source page after page to its end, or to the bound of one poll, and resolves with where to go on. A page's
 * place is saved after its events are safe: whoever dies in between reads it again, and its events have the same
 * ids then. So each event is taken at least once.
 *
 * @throws PollError when the source does not answer as it should; what was taken until then is saved.
 */
export async function poll(client: PollClient, polling: PollJob): Promise<PollPosition> {
  const { pagesMax } = limits.connector
  const { signal, inTurn } = polling
  let { position } = polling
  for (let count = 0; count < pagesMax && !signal.aborted; count++) {
    const before = position
    const { next, isLast } = await inTurn(() => ingestPage(client, before, polling))
    // Whoever took over meanwhile has a place of his own.
    if (signal.aborted) return position
    if (!isSamePosition(next, position)) await polling.save(next)
    position = next
    if (isLast) break
  }
  return position
}

/** Takes in the page at a position, and says where the next one is, or that there is none to be asked for now. */
async function ingestPage(
  client: PollClient, position: PollPosition, { connectorId, take, note, signal }: PollJob,
): Promise<{ readonly next: PollPosition; readonly isLast: boolean }> {
  const { pageMs: timeoutMs, pageBytesMax: bytesMax } = limits.connector
  const { body } = await client.fetchPage(position.cursor, { timeoutMs, bytesMax, signal })
  const page = readPage(body, client.target, connectorId)
  const seen = new Set(position.seen)
  const events = page.events.filter(({ id }) => !seen.has(id))
  if (events.length > 0) await take(events)
  note({ receivedCount: events.length, refusedCount: page.refusedCount, byteCount: sumBytes(events) })
  const isEnd = page.cursor === undefined || page.cursor === position.cursor
  const next = isEnd ? { cursor: position.cursor, seen: page.events.map(({ id }) => id) } : { cursor: page.cursor, seen: [] }
  return { next, isLast: isEnd || page.events.length === 0 }
}

/** How long to wait after a failure: what the source asks for, or twice as long each time. */
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
