import { createHash } from 'node:crypto'
import type { EventObject } from '@tripline/engine'
import { skipBlanks } from '@tripline/common/json'
import { AppError } from '@tripline/contract/app-error'
import { decodeEvent } from '@tripline/formats/json/decode-event'
import { splitBody } from '@tripline/formats/json/split-body'
import type { EventSpan } from '@tripline/formats/json/split-body'
import { limits } from '../limits.ts'
import { findJsonValue, readScalarText } from './json-path.ts'
import { PollError } from './poll-error.ts'
import type { PollTarget } from './poll-target.ts'

/** A polled event: its bytes as they arrived, and a stable id. */
export type PolledEvent = { readonly id: string; readonly bytes: Uint8Array; readonly event: EventObject }

type Page = {
  readonly events: readonly PolledEvent[]
  /** Items that are no events, or over a limit. */
  readonly refusedCount: number
  /** The cursor of the next page; undefined at the end. */
  readonly cursor: string | undefined
}

/**
 * Reads the body of a page. The id of an event is a hash of the connector, the event's bytes and the number of equal
 * events before it in the page: the same page read again gives the same ids, and a changed event gets a new one.
 *
 * @throws PollError where there is no list of events, or no item of it is an event.
 */
export function readPolledPage(body: Buffer, { itemsPath, cursorPath }: PollTarget, connectorId: string): Page {
  const seen = new Map<string, number>()
  const events: PolledEvent[] = []
  let reason: string | undefined
  const { list, pieces } = splitItems(body, itemsPath)
  for (const piece of pieces) {
    const decoded = decodeEvent(list, piece)
    if ('refusal' in decoded) {
      reason ??= decoded.refusal.reason
      continue
    }
    const bytes = list.subarray(piece.start, piece.end)
    const hash = createHash('sha256').update(connectorId).update('\0').update(bytes).digest('base64url').slice(0, 22)
    const count = seen.get(hash) ?? 0
    seen.set(hash, count + 1)
    events.push({ id: count === 0 ? hash : `${hash}.${count}`, bytes, event: decoded.event })
  }
  if (reason !== undefined && events.length === 0) throw createPageError(`has no event: ${reason}`)
  return { events, refusedCount: pieces.length - events.length, cursor: readCursor(body, cursorPath) }
}

const openBracket = 0x5b

/** The list of items and their spans in it. Without a path the body is split like an ingest request. */
function splitItems(body: Buffer, itemsPath: readonly string[]): { readonly list: Buffer; readonly pieces: readonly EventSpan[] } {
  const place = itemsPath.length === 0 ? { start: 0, end: body.length } : findJsonValue(body, itemsPath)
  const start = place === undefined ? 0 : skipBlanks(body, place.start, place.end)
  const list = body.subarray(start, place?.end ?? 0)
  if (itemsPath.length > 0 && list[0] !== openBracket) throw createPageError(`has no list at items_path '${itemsPath.join('.')}'`)
  if (list.length === 0 || isEmptyList(list)) return { list, pieces: [] }
  try {
    return { list, pieces: splitBody(list) }
  } catch (error) {
    if (error instanceof AppError) throw createPageError(`cannot be read: ${error.message}`)
    throw error
  }
}

const closeBracket = 0x5d

function isEmptyList(list: Buffer): boolean {
  const end = list[0] === openBracket ? skipBlanks(list, 1, list.length) : -1
  return list[end] === closeBracket && skipBlanks(list, end + 1, list.length) === list.length
}

function readCursor(body: Buffer, cursorPath: readonly string[] | undefined): string | undefined {
  const place = cursorPath === undefined ? undefined : findJsonValue(body, cursorPath)
  const cursor = place === undefined ? '' : (readScalarText(body, place) ?? '')
  if (cursor.length <= limits.polling.cursorLengthMax) return cursor === '' ? undefined : cursor
  throw createPageError(`has a cursor of ${cursor.length} characters; the limit is ${limits.polling.cursorLengthMax}`)
}

function createPageError(sentence: string): PollError {
  return new PollError('data_flow', `the response ${sentence}`)
}
