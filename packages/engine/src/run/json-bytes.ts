import { decodeUtf8 } from '@tripline/common/decode-utf8'
import { parseJson } from '@tripline/common/parse-json'
import type { EventObject } from '../event/event.ts'
import { isObject, toFieldValue } from '../event/value.ts'
import type { FieldValue } from '../event/value.ts'

/** Decodes a key from the bytes between its quotes. */
export function readKey(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text
}

/** Parses a value as rules see it; the bytes are valid JSON. */
export function readFieldValue(bytes: Uint8Array): FieldValue {
  const text = decodeUtf8(bytes)
  if (!text.startsWith('"')) return toFieldValue(parseJson(text))
  // A single string has no keys, which are what `parseJson` handles specially.
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1)
}

/** Parses a value, objects included; the bytes are valid JSON. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  return parseJson(decodeUtf8(bytes))
}

/** Parses an event; the bytes are a valid JSON object. */
export function readObject(bytes: Uint8Array): EventObject {
  const value = parseJson(decodeUtf8(bytes))
  if (!isObject(value)) throw new Error('the kernel accepted a line that is no JSON object')
  return value
}

const quote = 0x22

/** Whether two raw JSON values are strings with equal bytes, which need no decoding to compare. */
export function areEqualStrings(bytes: Uint8Array, other: Uint8Array): boolean {
  if (bytes.length !== other.length || bytes[0] !== quote) return false
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== other[at]) return false
  return true
}
