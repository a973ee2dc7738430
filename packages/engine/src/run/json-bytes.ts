import type { EventObject } from '../event/event.ts'
import { parseJson } from '../event/parse-json.ts'
import { decodeUtf8 } from '../event/utf8.ts'
import { isObject, toFieldValue } from '../event/value.ts'
import type { FieldValue } from '../event/value.ts'

/** Reads the name that a key stands for, from the bytes between its quotes. */
export function readKey(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  return text.includes('\\') ? String(JSON.parse(`"${text}"`)) : text
}

/** Reads what rules see of a value as it stands in JSON; the bytes are known to be JSON. */
export function readValue(bytes: Uint8Array): FieldValue {
  const text = decodeUtf8(bytes)
  if (!text.startsWith('"')) return toFieldValue(parseJson(text))
  // A string alone has no key that could be read wrongly, see `parseJson`.
  return text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1)
}

/** Reads a value as it is, an object as an object; the bytes are known to be JSON. */
export function readJson(bytes: Uint8Array): unknown {
  return parseJson(decodeUtf8(bytes))
}

/** Reads an event from bytes that are known to be an object in JSON. */
export function readObject(bytes: Uint8Array): EventObject {
  const value = parseJson(decodeUtf8(bytes))
  if (!isObject(value)) throw new Error('the kernel took for an object what is none')
  return value
}

/** Whether two values in JSON are one string, written in the same way: nothing has to be read to know that they are equal. */
export function areEqualStrings(bytes: Uint8Array, other: Uint8Array): boolean {
  if (bytes.length !== other.length || bytes[0] !== quote) return false
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== other[at]) return false
  return true
}

const quote = 0x22
