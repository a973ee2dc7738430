import { followPath, collectLeafTexts, parseJson, toFieldValue } from '@tripline/engine/evaluate'
import type { FieldValue } from '@tripline/engine/evaluate'

/*
 * A token is a value of an event as it stands in its JSON text, one character per byte (latin1).
 */

/** The value that rules see of a token, after the steps that continue inside it. */
export function readTokenValue(token: string, rest: readonly string[]): FieldValue {
  if (rest.length === 0 && isPlainText(token)) return token.slice(1, -1)
  const value = parseToken(token)
  return rest.length === 0 ? toFieldValue(value) : followPath({ value }, ['value', ...rest])
}

/** The texts of a token that keywords are searched in; none where the top key is an annotation. */
export function readTokenLeaves(token: string, topKey: string): readonly string[] {
  return isPlainText(token) && !topKey.startsWith('_') ? [token.slice(1, -1)] : collectLeafTexts({ [topKey]: parseToken(token) })
}

/**
 * Whether keywords are searched in a column: not in annotations, and not in whole texts, which are searched otherwise.
 */
export function isKeywordPath(pathKey: string): boolean {
  if (!pathKey.startsWith('["_')) return pathKey !== ''
  const [topKey] = JSON.parse(pathKey) as readonly [string, ...string[]]
  return readTokenLeaves('""', topKey).length > 0
}

export function parseToken(token: string): unknown {
  return parseJson(Buffer.from(token, 'latin1').toString('utf8'))
}

/** The token of a value that is not taken from the event's text. */
export function toToken(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('latin1')
}

const plain = /^[^\\\u0080-\u00ff]*$/

const quote = 0x22

/** Whether a token is a string without escapes, in ASCII. */
function isPlainText(token: string): boolean {
  return token.charCodeAt(0) === quote && plain.test(token)
}

const searchable = /^(?:[^\\\u0080-\u00ff]|\\["\\bfnrt])*$/

/**
 * Whether a text can be found in a token by searching its JSON text, ignoring case. False for unneeded escapes and
 * non-ASCII characters, for numbers that print differently, and for lists, whose objects print differently.
 */
export function isSearchable(token: string): boolean {
  if (token.charCodeAt(0) === quote) return searchable.test(token)
  const first = token[0]
  return first !== '[' && first !== '{' && (first === 't' || first === 'f' || first === 'n' || String(Number(token)) === token)
}

/**
 * Converts case-folded texts to how they stand in searchable tokens, in lower case; undefined where that is ambiguous.
 */
export function toSearchableTexts(texts: readonly string[]): string[] | undefined {
  const written = texts.map((text) => JSON.stringify(text).slice(1, -1).toLowerCase())
  // One non-ASCII letter folds to an ASCII one, but values with it are not searchable.
  return written.some((one) => one === '' || /[^\u0020-\u007e]/.test(one)) ? undefined : written
}

/**
 * Strings with plain escapes, short numbers, and other characters; the alternatives begin differently, so matching is
 * linear.
 */
const plainlyWritten = /^(?:"(?:[^"\\]|\\["\\bfnrt])*"|-?(?:0|[1-9]\d{0,9})(?:\.\d{0,4}[1-9])?(?![\d.eE])|[^"\d\\-])*$/

/** The Kelvin sign and the long s, as UTF-8. */
const foldsToAscii = /\u00e2\u0084\u00aa|\u00c5\u00bf/

/**
 * Whether a token or list may have a leaf with an ASCII text that its bytes do not contain, ignoring case: because of
 * escapes, letters that fold to ASCII, or numbers that print differently.
 */
export function mayHideText(token: string): boolean {
  return !plainlyWritten.test(token) || foldsToAscii.test(token)
}

/** Punctuation between keys and values in the JSON text of an object or list, which fields may be compared with. */
export const jsonPunctuation = /["\\,:{}[\]]/
