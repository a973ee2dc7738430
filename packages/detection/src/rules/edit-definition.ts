import { toRuleId } from '@tripline/engine'
import { findEntry, readYaml } from '@tripline/engine/yaml'
import type { YamlMap, YamlNode } from '@tripline/engine/yaml'
import { isDeepStrictEqual } from 'node:util'
import { dump } from 'js-yaml'
import { createCountError, createDefinitionError, createYamlError } from './rule-errors.ts'

/** Attributes to set in a rule's text, by name; undefined removes one. */
export type DefinitionEdits = ReadonlyMap<string, unknown>

/** The usual order of attributes, which decides where a new one goes. */
const usualOrder: readonly string[] =
  `title id name related status description references author date modified tags logsource detection correlation
   falsepositives level tests`.split(/\s+/)

/**
 * Changes attributes of a rule in its YAML text. Everything else stays as written, with comments and order, where the
 * text allows it; otherwise, as for a text in braces, the whole text is printed anew. The result is verified to differ
 * in the edits only. Without a difference the text stays the same.
 *
 * @throws AppError INVALID_RULE for a text that is not one map.
 */
export function editDefinition(text: string, edits: DefinitionEdits): string {
  const before = toPlainMap(readSingleMap(text))
  const changed = [...edits].filter(([name, value]) => !isDeepStrictEqual(before.get(name), value))
  if (changed.length === 0) return text
  const after = new Map(before)
  for (const [name, value] of changed) {
    if (value === undefined) after.delete(name)
    else after.set(name, value)
  }
  return editInPlace(text, changed, after) ?? print(Object.fromEntries(after))
}

/** The attributes that describe a rule and detect nothing. */
const describingAttributes = ['title', 'description', 'author', 'falsepositives', 'references']

/**
 * Changes texts in what describes a rule and in its comments; what it detects stays as written. A text that is not one map, and so
 * runs nothing, is changed everywhere.
 */
export function editDescription(text: string, change: (text: string) => string): string {
  const plain = readPlain(text)
  if (plain === undefined) return change(text)
  const edits = describingAttributes.filter((name) => plain.has(name)).map((name) => [name, changeTexts(plain.get(name), change)] as const)
  return editComments(editDefinition(text, new Map(edits)), change)
}

function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  return Array.isArray(value) ? value.map((one: unknown) => changeTexts(one, change)) : value
}

/** Changes comments, where the text means the same afterwards: a `#` may also stand in a value. */
function editComments(text: string, change: (text: string) => string): string {
  const plain = readPlain(text)
  // Those behind a value too, else those alone in their lines.
  for (const pattern of [/(?:^|\s)#.*$/gm, /^[ \t]*#.*$/gm]) {
    const edited = text.replaceAll(pattern, change)
    if (isDeepStrictEqual(readPlain(edited), plain)) return edited
  }
  return text
}

function readPlain(text: string): ReadonlyMap<string, unknown> | undefined {
  const { documents, problem } = readYaml(text)
  const [map] = documents ?? []
  return problem === undefined && documents?.length === 1 && map?.kind === 'map' ? toPlainMap(map) : undefined
}

/** Reads the single map of a rule's text. @throws AppError INVALID_RULE. */
export function readSingleMap(text: string): YamlMap {
  const { documents, problem } = readYaml(text)
  if (problem !== undefined) throw createYamlError(problem, text)
  const [map] = documents
  if (documents.length !== 1) throw createCountError(text)
  if (map?.kind === 'map') return map
  throw createDefinitionError('a rule is a map of attributes, such as title, logsource and detection', text, { code: 'NOT_A_RULE' })
}

/** The id that the engine makes of the one that a rule states; undefined if it states none. */
export function readStatedId(map: YamlMap): string | undefined {
  const id = findEntry(map, 'id')?.value
  return id?.kind === 'scalar' && id.value !== null && id.text.trim() !== '' ? toRuleId(id.text) : undefined
}

/** The edited text; undefined where it would not parse as intended, as with anchors and merge keys. */
function editInPlace(
  text: string, changed: readonly (readonly [string, unknown])[], after: ReadonlyMap<string, unknown>,
): string | undefined {
  let edited = text
  for (const [name, value] of changed) {
    const { documents } = readYaml(edited)
    const [map] = documents ?? []
    // In flow style an attribute has no lines of its own.
    if (map?.kind !== 'map' || edited[map.offset] === '{') return undefined
    edited = setAttribute(edited, map, name, value)
  }
  const [map] = readYaml(edited).documents ?? []
  return map?.kind === 'map' && isDeepStrictEqual(toPlainMap(map), after) ? edited : undefined
}

function setAttribute(text: string, map: YamlMap, name: string, value: unknown): string {
  const entry = findEntry(map, name)
  const indent = ' '.repeat(map.offset - findLineStart(text, map.offset))
  if (entry === undefined) {
    if (value === undefined) return text
    const end = findInsertOffset(text, map, name)
    const isWholeLine = end === 0 || text[end - 1] === '\n'
    return `${text.slice(0, end)}${isWholeLine ? '' : '\n'}${printLines(name, value, indent)}${text.slice(end)}`
  }
  const node = entry.value
  if (node.kind === 'scalar' && node.textOffset !== undefined && isOneLine(value)) {
    const quote = node.isPlain ? 0 : 1
    const end = node.textOffset + node.text.length + quote
    return text.slice(0, node.offset) + print(value).trimEnd() + text.slice(end)
  }
  const start = findLineStart(text, entry.keyOffset)
  return text.slice(0, start) + printLines(name, value, indent) + text.slice(findAttributeEnd(text, map, entry.keyOffset))
}

/** The offset for a new attribute: behind the last of those that usually precede it. */
function findInsertOffset(text: string, map: YamlMap, name: string): number {
  const rank = usualOrder.indexOf(name)
  const before = map.entries.filter(({ key }) => rank === -1 || (usualOrder.includes(key) && usualOrder.indexOf(key) < rank))
  const last = Math.max(-1, ...before.map(({ keyOffset }) => keyOffset))
  return last === -1 ? findLineStart(text, map.offset) : findAttributeEnd(text, map, last)
}

/** The end of an attribute's lines: before the next one and the comments above that. */
function findAttributeEnd(text: string, map: YamlMap, keyOffset: number): number {
  const later = map.entries.map((entry) => entry.keyOffset).filter((offset) => offset > keyOffset)
  const marker = text.slice(keyOffset).search(/^(---|\.\.\.)(\s|$)/m)
  const last = marker === -1 ? text.length : keyOffset + marker
  let end = later.length === 0 ? last : findLineStart(text, Math.min(...later))
  const indent = map.offset - findLineStart(text, map.offset)
  for (;;) {
    const start = findLineStart(text, end - 1)
    const line = text.slice(start, end)
    const isOfNext = line.trim() === '' || (line.trimStart().startsWith('#') && line.length - line.trimStart().length <= indent)
    if (start <= keyOffset || !isOfNext) return end
    end = start
  }
}

function findLineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1
}

function printLines(name: string, value: unknown, indent: string): string {
  if (value === undefined) return ''
  const lines = print({ [name]: value }).trimEnd().split('\n')
  return lines.map((line) => `${line === '' ? '' : indent}${line}\n`).join('')
}

function print(value: unknown): string {
  return dump(value, { indent: 4, lineWidth: -1, noRefs: true })
}

function isOneLine(value: unknown): boolean {
  if (typeof value === 'string') return value !== '' && !value.includes('\n')
  return typeof value === 'number' || typeof value === 'boolean'
}

function toPlainMap(map: YamlMap): Map<string, unknown> {
  return new Map(map.entries.map(({ key, value }) => [key, toPlainValue(value)]))
}

/** The plain value of a node; reading has bounded its depth. */
function toPlainValue(node: YamlNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(toPlainValue)
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, toPlainValue(value)]))
}
