import { followPath, leafTexts, parseJson, toFieldValue } from '@tripline/engine/evaluate'
import type { FieldValue } from '@tripline/engine/evaluate'

/*
 * A token is a value of an event as it stands in the JSON text, one character per byte (latin1).
 */

/** What rules see of a token, at the end of steps that go on inside of it. */
export function valueOfToken(token: string, rest: readonly string[]): FieldValue {
  if (rest.length === 0 && isPlainText(token)) return token.slice(1, -1)
  const value = parseToken(token)
  return rest.length === 0 ? toFieldValue(value) : followPath({ value }, ['value', ...rest])
}

/** The texts in a token that keywords are searched in; none where the key at the top is of an annotation. */
export function leavesOfToken(token: string, topKey: string): readonly string[] {
  return isPlainText(token) && !topKey.startsWith('_') ? [token.slice(1, -1)] : leafTexts({ [topKey]: parseToken(token) })
}

export function parseToken(token: string): unknown {
  return parseJson(Buffer.from(token, 'latin1').toString('utf8'))
}

/** The token of a value that is no token of the event's own text. */
export function tokenOf(value: unknown): string {
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

const plain = /^[^\\\u0080-\u00ff]*$/
const searchable = /^(?:[^\\\u0080-\u00ff]|\\["\\bfnrt])*$/
const quote = 0x22
