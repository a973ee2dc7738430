import { measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'

/** Where a value lies in a JSON text. */
type JsonSpan = { readonly start: number; readonly end: number }

/**
 * Finds the value at a path of names without parsing it or its siblings, so its bytes can be passed on as they arrived.
 * Of duplicate names the last counts, as in `JSON.parse`.
 */
export function findJsonValue(bytes: Uint8Array, path: readonly string[]): JsonSpan | undefined {
  const start = skipBlanks(bytes, 0, bytes.length)
  const extent = measureJson(bytes, start, bytes.length)
  let place: JsonSpan | undefined = extent === undefined ? undefined : { start, end: extent.end }
  for (const name of path) place = place === undefined ? undefined : findMember(bytes, place, name)
  return place
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d

function findMember(bytes: Uint8Array, { start, end }: JsonSpan, name: string): JsonSpan | undefined {
  if (bytes[start] !== openBrace) return undefined
  let found: JsonSpan | undefined
  for (let at = skipBlanks(bytes, start + 1, end); bytes[at] !== closeBrace; ) {
    const key = bytes[at] === quote ? measureJson(bytes, at, end) : undefined
    if (key === undefined) return undefined
    const colonAt = skipBlanks(bytes, key.end, end)
    if (bytes[colonAt] !== colon) return undefined
    const valueAt = skipBlanks(bytes, colonAt + 1, end)
    const value = measureJson(bytes, valueAt, end)
    if (value === undefined) return undefined
    if (readScalarText(bytes, { start: at, end: key.end }) === name) found = { start: valueAt, end: value.end }
    at = skipBlanks(bytes, value.end, end)
    if (bytes[at] === comma) at = skipBlanks(bytes, at + 1, end)
    else if (bytes[at] !== closeBrace) return undefined
  }
  return found
}

/**
 * The scalar of a span: a string without its quotes, a number as it is written; undefined for null, booleans, objects
 * and lists.
 */
export function readScalarText(bytes: Uint8Array, { start, end }: JsonSpan): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start, end)
  if (/^-?\d/.test(text)) return text
  const parsed = text.startsWith('"') ? tryParseJson(text) : undefined
  return parsed !== undefined && 'value' in parsed && typeof parsed.value === 'string' ? parsed.value : undefined
}
