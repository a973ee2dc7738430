import type { YamlEntry, YamlScalar } from '@tripline/engine/yaml'
import type { Edit } from './define-checks.ts'

/**
 * Returns the edit that replaces the text of a scalar and keeps its quotes, or adds single quotes when the new text
 * needs some. Undefined when the source spells the text differently (escapes, folded lines).
 */
export function rewriteScalar(source: string, scalar: YamlScalar, changed: string): Edit | undefined {
  const { text, textOffset, isPlain, offset } = scalar
  if (textOffset === undefined || source.slice(textOffset, textOffset + text.length) !== text) return undefined
  if (changed.includes('\n')) return undefined
  const place = { offset: textOffset, length: text.length }
  if (isPlain) return { ...place, text: isSafePlain(changed) ? changed : singleQuoted(changed) }
  if (source[offset] === "'") return { ...place, text: changed.replaceAll("'", "''") }
  return source[offset] === '"' && !/["\\]/.test(changed) ? { ...place, text: changed } : undefined
}

/** Returns the edit that quotes a plain scalar. */
export function quoteScalar(source: string, { text, textOffset, isPlain }: YamlScalar): Edit | undefined {
  if (!isPlain || textOffset === undefined || source.slice(textOffset, textOffset + text.length) !== text) return undefined
  return { offset: textOffset, length: text.length, text: singleQuoted(text) }
}

/** Returns the edit that renames a key. */
export function rewriteKey(source: string, { key, keyOffset }: YamlEntry, changed: string): Edit | undefined {
  const offset = /['"]/.test(source[keyOffset] ?? '') ? keyOffset + 1 : keyOffset
  return source.slice(offset, offset + key.length) === key ? { offset, length: key.length, text: changed } : undefined
}

/** Returns all edits, or undefined when one of them is undefined or there is none. */
export function allOrNone(edits: readonly (Edit | undefined)[]): readonly Edit[] | undefined {
  const made = edits.filter((edit) => edit !== undefined)
  return made.length === edits.length && made.length > 0 ? made : undefined
}

/** Returns the edit that removes the line at an offset, when the line matches `content`. */
export function removeLine(source: string, at: number, content: RegExp): Edit | undefined {
  const start = source.lastIndexOf('\n', at - 1) + 1
  const next = source.indexOf('\n', at)
  const end = next === -1 ? source.length : next + 1
  return content.test(source.slice(start, end).trimEnd()) ? { offset: start, length: end - start, text: '' } : undefined
}

/** Returns the edit that removes a list item on a line of its own; undefined when a comment follows it. */
export function removeListItem(source: string, { text, textOffset, isPlain }: YamlScalar): Edit | undefined {
  if (textOffset === undefined) return undefined
  const start = source.lastIndexOf('\n', textOffset) + 1
  const before = source.slice(start, textOffset)
  const next = source.indexOf('\n', textOffset)
  const after = source.slice(textOffset + text.length, next === -1 ? source.length : next).trimEnd()
  if (!/^\s*- +['"]?$/.test(before) || after.length > (isPlain ? 0 : 1)) return undefined
  return removeLine(source, textOffset, /^/)
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Whether a text needs no quotes, by a narrow rule: words, a date or a timespan, but no number and no YAML keyword. */
function isSafePlain(text: string): boolean {
  const isWords = /^(?:[A-Za-z(]|(?:1|any|all) of )[\w ./\\()*-]*$/.test(text) && !text.endsWith(' ')
    || /^\d{4}-\d\d-\d\d$/.test(text) || /^\d+[a-zM]$/.test(text)
  return isWords && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
}
