import { isJsonObject, measureJson, tryParseJson } from '@tripline/common/json'
import type { Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { ListPlace } from '@tripline/model/lists/filter'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '../../limits.ts'

/** Where the next page of a list or a search begins. */
type CursorPosition = {
  /** The sort key values of the last entry, its id last. */
  readonly last: ListPlace
  /** The number of entries before. */
  readonly ordinal: number
  /** Numbers that the first page decided for all pages, such as the range of a search and its total. */
  readonly decided?: readonly number[]
}

/** The list that a cursor belongs to; it is invalid for any other. */
export type CursorList = {
  readonly tenant: string
  readonly endpoint: string
  /** Everything that determines the entries and their order: filters, text, sort. */
  readonly query: unknown
}

/** What cursors need of the server: their signing key, and the time. */
export type CursorDeps = {
  readonly keys: { readonly cursor: Uint8Array }
  readonly clock: Pick<Runtime, 'now'>
}

const version = Buffer.from('v2')

/**
 * Writes a keyset cursor: base64url of `v2`, 16 bytes of HMAC-SHA256, and the position with the hash of its list and
 * its expiry. A client can read the values in it, which it has seen, but cannot forge another.
 */
export function writeCursor({ keys, clock }: CursorDeps, list: CursorList, position: CursorPosition): string {
  const payload = Buffer.from(JSON.stringify({ list: hashList(list), ...position, until: clock.now() + limits.cursor.keptMs }))
  return Buffer.concat([version, signPayload(keys.cursor, payload), payload]).toString('base64url')
}

/** Reads a cursor. @throws AppError INVALID_CURSOR, without the reason: malformed, expired, of another list, tenant or key. */
export function readCursor({ keys, clock }: CursorDeps, list: CursorList, cursor: string): CursorPosition {
  const position = parseCursor(list, cursor, { key: keys.cursor, at: clock.now() })
  if (position !== undefined) return position
  const message = 'the cursor is invalid, expired or of another list, filter or order; start again without it'
  throw new AppError('INVALID_CURSOR', message)
}

const signatureLength = 16

function parseCursor(
  list: CursorList, cursor: string, { key, at }: { readonly key: Uint8Array; readonly at: number },
): CursorPosition | undefined {
  if (cursor.length > limits.cursor.lengthMax) return undefined
  const bytes = Buffer.from(cursor, 'base64url')
  const signed = bytes.subarray(version.length, version.length + signatureLength)
  const payload = bytes.subarray(version.length + signatureLength)
  if (signed.length !== signatureLength || !bytes.subarray(0, version.length).equals(version)) return undefined
  // Base64url allows several spellings of the same bytes; only the canonical one is valid.
  if (bytes.toString('base64url') !== cursor || !timingSafeEqual(signed, signPayload(key, payload))) return undefined
  const extent = measureJson(payload, 0, payload.length)
  const parsed = extent !== undefined && extent.depth <= 2 ? tryParseJson(payload.toString('utf8')) : undefined
  return parsed !== undefined && 'value' in parsed ? parsePosition(parsed.value, hashList(list), at) : undefined
}

function parsePosition(value: unknown, hash: string, at: number): CursorPosition | undefined {
  if (!isJsonObject(value)) return undefined
  const { list, last, ordinal, decided, until } = value
  if (list !== hash || typeof until !== 'number' || at >= until || typeof ordinal !== 'number' || !Array.isArray(last)) return undefined
  const keys = last.filter((entry) => typeof entry === 'string' || typeof entry === 'number')
  const numbers = Array.isArray(decided) ? decided.filter((entry) => typeof entry === 'number') : undefined
  if (keys.length !== last.length) return undefined
  return { last: keys, ordinal, ...(numbers !== undefined && { decided: numbers }) }
}

function hashList({ tenant, endpoint, query }: CursorList): string {
  return createHash('sha256').update(JSON.stringify([tenant, endpoint, query])).digest('base64url')
}

function signPayload(key: Uint8Array, payload: Uint8Array): Buffer {
  return createHmac('sha256', key).update('cursor v2').update(payload).digest().subarray(0, signatureLength)
}
