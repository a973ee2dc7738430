import { isJsonObject } from './json.ts'

/**
 * The object that `text` was parsed to, as it is to be printed: numbers that no double holds, such as 2^53 + 1 and 1e999,
 * stay in the digits in which they came, where `JSON.stringify` would round the one and make the other null. Nothing can
 * be done with it but print it.
 */
export function toLosslessJson(value: JsonObject, text: string): JsonObject {
  if (!hasInexactNumber(value)) return value
  const exact = exactJson.parse(text, (_key, part, { source }) => {
    return isInexact(part) && source !== undefined ? exactJson.rawJSON(source) : part
  })
  const rounded: unknown = JSON.parse(text)
  // V8 takes some keys that are written with an escape for others (docs/decisions/0013-json-key-decoding.md).
  return isJsonObject(exact) && JSON.stringify(rounded) === JSON.stringify(value) ? exact : value
}

type JsonObject = { readonly [field: string]: unknown }

/** What ECMAScript has and the compiler's library does not know yet. */
type ExactJson = Omit<typeof JSON, 'parse'> & {
  readonly rawJSON: (text: string) => object
  readonly parse: (text: string, reviver: Reviver) => unknown
}
type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown
const exactJson = JSON as ExactJson

function isInexact(value: unknown): boolean {
  return typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)
}

function hasInexactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return isInexact(value)
  for (const part of Array.isArray(value) ? value : Object.values(value)) if (hasInexactNumber(part)) return true
  return false
}
