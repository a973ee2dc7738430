import type { YamlEntry, YamlScalar } from '../sigma/yaml-document.ts'
import type { Edit } from './define-checks.ts'

/**
 * The edit that gives a scalar another text, in the quotes it has; single quotes where it had none and
 * needs some. Undefined where the text does not stand in the source letter for letter.
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

/** The edit that puts a plain scalar into quotes. */
export function quoteScalar(source: string, { text, textOffset, isPlain }: YamlScalar): Edit | undefined {
  if (!isPlain || textOffset === undefined || source.slice(textOffset, textOffset + text.length) !== text) return undefined
  return { offset: textOffset, length: text.length, text: singleQuoted(text) }
}

/** The edit that gives an entry another key. */
export function rewriteKey(source: string, { key, keyOffset }: YamlEntry, changed: string): Edit | undefined {
  const offset = /['"]/.test(source[keyOffset] ?? '') ? keyOffset + 1 : keyOffset
  return source.slice(offset, offset + key.length) === key ? { offset, length: key.length, text: changed } : undefined
}

/** All edits or none: undefined where one of them is, or where there is none. */
export function allOrNone(edits: readonly (Edit | undefined)[]): readonly Edit[] | undefined {
  const made = edits.filter((edit) => edit !== undefined)
  return made.length === edits.length && made.length > 0 ? made : undefined
}

/** The edit that removes the line of an offset, where nothing but `content` stands on it. */
export function removeLine(source: string, at: number, content: RegExp): Edit | undefined {
  const start = source.lastIndexOf('\n', at - 1) + 1
  const next = source.indexOf('\n', at)
  const end = next === -1 ? source.length : next + 1
  return content.test(source.slice(start, end).trimEnd()) ? { offset: start, length: end - start, text: '' } : undefined
}

/** The edit that removes a value from a list that has one value a line; comments keep it. */
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

/** Whether a text stays that text without quotes, by a narrow rule: words, a date, a timespan; no number, no word of YAML. */
function isSafePlain(text: string): boolean {
  const isWords = /^(?:[A-Za-z(]|(?:1|any|all) of )[\w ./\\()*-]*$/.test(text) && !text.endsWith(' ')
    || /^\d{4}-\d\d-\d\d$/.test(text) || /^\d+[a-zM]$/.test(text)
  return isWords && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text)
}
