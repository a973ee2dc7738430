import { isJsonObject } from './json.ts'
import { isRoundedInteger } from './parse-json.ts'

const exactJson = JSON as ExactJson

/**
 * Lossless JSON numbers: returns a copy of what `parseJson` made of `text` in which numbers that a double cannot represent,
 * such as 2^53 + 1 and 1e999, are numbers with all their digits, where `JSON.stringify` would print a text or null. The copy
 * is only for printing.
 */
export function toLosslessJson(value: JsonObject, text: string): JsonObject {
  if (!hasInexactNumber(value)) return value
  const exact = exactJson.parse(text, (_key, part, { source }) => {
    return isInexact(part) && source !== undefined ? exactJson.rawJSON(source) : part
  })
  const plain = exactJson.parse(text, (_key, part, { source }) => {
    return source !== undefined && typeof part === 'number' && isRoundedInteger(source) ? source : part
  })
  // V8 confuses some keys that are written with an escape (docs/decisions/0013-json-key-decoding.md).
  return isJsonObject(exact) && JSON.stringify(plain) === JSON.stringify(value) ? exact : value
}

/** Whether a part of such a copy is a number with all its digits. */
export function isExactNumber(value: unknown): boolean {
  return exactJson.isRawJSON(value)
}

type JsonObject = { readonly [field: string]: unknown }

/** Part of ECMAScript that TypeScript's library does not declare yet. */
type ExactJson = Omit<typeof JSON, 'parse'> & {
  readonly rawJSON: (text: string) => object
  readonly isRawJSON: (value: unknown) => boolean
  readonly parse: (text: string, reviver: Reviver) => unknown
}
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

/** Also a text that may be such a number: `parseJson` keeps the digits of integers. */
function isInexact(value: unknown): boolean {
  if (typeof value === 'string') return isRoundedInteger(value)
  return typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)
}

function hasInexactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isInexact(value)
  for (const part of Array.isArray(value) ? value : Object.values(value)) if (hasInexactNumber(part)) return true
  return false
}
