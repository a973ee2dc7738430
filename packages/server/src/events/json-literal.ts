import { followPath, collectLeafTexts, parseJson, toFieldValue } from '@tripline/engine/evaluate'
import type { FieldValue } from '@tripline/engine/evaluate'

/*
 * A token is a value of an event as it stands in the JSON text, one character per byte (latin1).
 */

/** What rules see of a token, at the end of steps that go on inside of it. */
export function readTokenValue(token: string, rest: readonly string[]): FieldValue {
  if (rest.length === 0 && isPlainText(token)) return token.slice(1, -1)
  const value = parseToken(token)
  return rest.length === 0 ? toFieldValue(value) : followPath({ value }, ['value', ...rest])
}

/** The texts in a token that keywords are searched in; none where the key at the top is of an annotation. */
export function readTokenLeaves(token: string, topKey: string): readonly string[] {
  return isPlainText(token) && !topKey.startsWith('_') ? [token.slice(1, -1)] : collectLeafTexts({ [topKey]: parseToken(token) })
}

/** Whether keywords are searched in a column: not in annotations, and whole texts are searched otherwise. */
export function isKeywordPath(pathKey: string): boolean {
  if (!pathKey.startsWith('["_')) return pathKey !== ''
  const [topKey] = JSON.parse(pathKey) as readonly [string, ...string[]]
  return readTokenLeaves('""', topKey).length > 0
}

export function parseToken(token: string): unknown {
  return parseJson(Buffer.from(token, 'latin1').toString('utf8'))
}

/** The token of a value that is no token of the event's own text. */
export function toToken(value: unknown): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('latin1')
}

/** A string that is written as it reads. */
function isPlainText(token: string): boolean {
  return token.charCodeAt(0) === quote && plain.test(token)
}

/**
 * Whether a text is found in a token by looking for its JSON text, case aside. Not so where characters are
 * written with escapes that they do not need, or not in ASCII; where numbers are written otherwise than they
 * print; in lists, whose objects print otherwise.
 */
export function isSearchable(token: string): boolean {
  if (token.charCodeAt(0) === quote) return searchable.test(token)
  const first = token[0]
  return first !== '[' && first !== '{' && (first === 't' || first === 'f' || first === 'n' || String(Number(token)) === token)
}

/** How texts, case folded, stand in searchable tokens, in lower case; undefined where one may stand there otherwise. */
export function toSearchableTexts(texts: readonly string[]): string[] | undefined {
  const written = texts.map((text) => JSON.stringify(text).slice(1, -1).toLowerCase())
  // One letter beyond ASCII folds to one of ASCII, but its values are not searchable.
  return written.some((one) => one === '' || /[^\u0020-\u007e]/.test(one)) ? undefined : written
}

/**
 * Whether a token, also a list, may have a leaf that holds an ASCII text, case aside, which its bytes do not hold:
 * with characters that are escaped or fold to ASCII, with numbers that print otherwise than they stand there.
 */
export function mayHideText(token: string): boolean {
  return !plainlyWritten.test(token) || foldsToAscii.test(token)
}

/** Strings with plain escapes, short numbers, and what is around them; each begins with other characters. */
const plainlyWritten = /^(?:"(?:[^"\\]|\\["\\bfnrt])*"|-?(?:0|[1-9]\d{0,9})(?:\.\d{0,4}[1-9])?(?![\d.eE])|[^"\d\\-])*$/
/** The sign for Kelvin and the long s, as UTF-8. */
const foldsToAscii = /\u00e2\u0084\u00aa|\u00c5\u00bf/
const plain = /^[^\\\u0080-\u00ff]*$/
const searchable = /^(?:[^\\\u0080-\u00ff]|\\["\\bfnrt])*$/
const quote = 0x22
