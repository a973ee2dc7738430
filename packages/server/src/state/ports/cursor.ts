import { isJsonObject, measureJson, tryParseJson } from '@tripline/common/json'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '../../limits.ts'

/** Where the next page of a list begins. */
export type CursorPosition = {
  /** The sort key values of the last entry, its id last. */
  readonly last: readonly (string | number)[]
  /** The number of entries before. */
  readonly ordinal: number
}

/** The list that a cursor belongs to; it is invalid for any other. */
export type CursorList = {
  readonly tenant: string
  readonly endpoint: string
  /** Everything that determines the entries and their order: filters, text, sort. */
  readonly query: unknown
}

/** The signing key of cursors, and the time of the request. */
export type CursorTerms = { readonly key: Uint8Array; readonly at: number }

/**
 * Prints a keyset cursor: base64url of `v1`, 16 bytes of HMAC-SHA256, and the position with the hash of its list and
 * its expiry. A client can read the values in it, which it has seen, but cannot forge another.
 */
export function printCursor(list: CursorList, { last, ordinal }: CursorPosition, { key, at }: CursorTerms): string {
  const payload = Buffer.from(JSON.stringify({ list: hashList(list), last, ordinal, until: at + limits.cursor.keptMs }))
  return Buffer.concat([version, signPayload(key, payload), payload]).toString('base64url')
}

/** Parses a cursor; undefined if it is malformed, expired, or of another list, tenant or key, without telling which. */
export function parseCursor(list: CursorList, cursor: string, { key, at }: CursorTerms): CursorPosition | undefined {
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

const version = Buffer.from('v1')
const signatureLength = 16

function parsePosition(value: unknown, hash: string, at: number): CursorPosition | undefined {
  if (!isJsonObject(value)) return undefined
  const { list, last, ordinal, until } = value
  if (list !== hash || typeof until !== 'number' || at >= until || typeof ordinal !== 'number' || !Array.isArray(last)) return undefined
  const values = last.filter((entry) => typeof entry === 'string' || typeof entry === 'number')
  return values.length === last.length ? { last: values, ordinal } : undefined
}

function hashList({ tenant, endpoint, query }: CursorList): string {
  return createHash('sha256').update(JSON.stringify([tenant, endpoint, query])).digest('base64url')
}

function signPayload(key: Uint8Array, payload: Uint8Array): Buffer {
  return createHmac('sha256', key).update('cursor v1').update(payload).digest().subarray(0, signatureLength)
}
