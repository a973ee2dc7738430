import { CORE_SCHEMA, EVENT_ID, SCALAR_STYLE, YAMLException, getScalarValue, parseEvents } from 'js-yaml'
import type { Event, ScalarEvent } from 'js-yaml'
import type { Position } from '../diagnostics.ts'
import { limits } from '../limits.ts'
import { describeYamlProblem } from './yaml-problem.ts'
import type { YamlProblem } from './yaml-problem.ts'

/** A node of a YAML document; `offset` is its start in the text. */
export type YamlNode = YamlMap | YamlList | YamlScalar

export type YamlMap = {
  readonly kind: 'map'
  readonly entries: readonly YamlEntry[]
  readonly offset: number
  /** Number of nodes including itself; each use of an alias counts. */
  readonly size: number
}
export type YamlList = {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
  readonly offset: number
  readonly size: number
}
export type YamlScalar = {
  readonly kind: 'scalar'
  readonly value: string | number | boolean | null
  /** The unescaped text of `value`. */
  readonly text: string
  /** The offset of `text` in the source; undefined when the source has escapes or line folds. */
  readonly textOffset: number | undefined
  /** Whether the scalar is unquoted, so that YAML 1.1 parsers may read another type. */
  readonly isPlain: boolean
  readonly offset: number
  readonly size: 1
}

/** A key and its value; a key that is not a string is kept as its source text. */
export type YamlEntry = { readonly key: string; readonly keyOffset: number; readonly value: YamlNode }

type YamlDocuments =
  | { readonly documents: readonly YamlNode[]; readonly problem?: never }
  | { readonly documents?: never; readonly problem: YamlProblem }

/**
 * Parses YAML 1.2 to documents whose nodes have source positions, from the event stream of js-yaml. Timestamps stay
 * strings, duplicate keys are errors, and aliases and merge keys are expanded within the bounds of `limits` (text
 * length, documents, depth, nodes after expansion). Skips empty documents.
 */
export function readYaml(text: string): YamlDocuments {
  if (text.length > limits.ruleTextLengthMax) {
    const message = `the text has ${text.length} characters; the limit is ${limits.ruleTextLengthMax}`
    return { problem: { message, offset: 0 } }
  }
  try {
    return { documents: new TreeBuilder(text).build(parseEvents(text, { maxDepth: limits.ruleDepthMax })) }
  } catch (error) {
    if (error instanceof YamlRefusal) return { problem: { message: error.message, offset: error.offset } }
    if (error instanceof YAMLException) {
      return { problem: describeYamlProblem(error.reason, error.mark?.position ?? 0, text) }
    }
    throw error
  }
}

/** Finds the entry of a map by key. */
export function findEntry(map: YamlMap, key: string): YamlEntry | undefined {
  return map.entries.find((entry) => entry.key === key)
}

/**
 * Returns the path of the attribute at an offset, such as `detection.selection.Image`. Empty at the start of the
 * document, where problems of the rule as a whole are reported.
 */
export function findAttributePath(node: YamlNode, offset: number): string {
  if (node.kind === 'scalar' || offset <= node.offset) return ''
  const members =
    node.kind === 'map'
      ? node.entries.map(({ key, keyOffset, value }) => ({ name: key, start: keyOffset, value }))
      : node.items.map((value, i) => ({ name: String(i), start: value.offset, value }))
  // Entries of aliases and merges have offsets elsewhere in the text, so take the nearest start before the offset.
  let nearest: (typeof members)[number] | undefined
  for (const member of members) {
    if (member.start <= offset && member.start >= (nearest?.start ?? 0)) nearest = member
  }
  if (nearest === undefined) return ''
  const rest = findAttributePath(nearest.value, offset)
  return rest === '' ? nearest.name : `${nearest.name}.${rest}`
}

/** The offset of the value at a path such as `steps[0].when.user`, or else undefined; keys may contain dots. */
export function findPathOffset(node: YamlNode, path: string): number | undefined {
  if (path === '') return node.offset
  if (node.kind === 'scalar') return undefined
  const steps = node.kind === 'list'
    ? node.items.map((value, i) => ({ step: `[${i}]`, value, offset: value.offset }))
    : node.entries.map(({ key, value, keyOffset }) => ({ step: key, value, offset: keyOffset }))
  for (const { step, value, offset } of steps) {
    if (path === step) return offset
    const found = path.startsWith(step) ? findPathOffset(value, path.slice(step.length).replace(/^\./, '')) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Converts offsets to lines and columns (from 1) by binary search. */
export class LineIndex {
  readonly #text: string
  #starts: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  position(offset: number): Position {
    const starts = this.#lineStarts()
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 }
  }

  /** Converts a position back to its offset. */
  offset({ line, column }: Position): number {
    return (this.#lineStarts()[line - 1] ?? 0) + column - 1
  }

  #lineStarts(): readonly number[] {
    return (this.#starts ??= findLineStarts(this.#text))
  }
}

function findLineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Stops the parser with an error message; never leaves this file. */
class YamlRefusal extends Error {
  readonly offset: number
  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** A map that the parser has not finished. */
type OpenMap = {
  kind: 'map'
  entries: YamlEntry[]
  /** The index of each key in `entries`. */
  indexes: Map<string, number>
  /** Keys that come only from a merge. */
  merged: Set<string>
  pendingKey: YamlNode | undefined
  offset: number
  anchor: string
  size: number
}
type OpenList = { kind: 'list'; items: YamlNode[]; offset: number; anchor: string; size: number }
type OpenNode = OpenMap | OpenList

/** Builds nodes from the parser events. The parser bounds the depth; aliases share nodes but count to the size. */
class TreeBuilder {
  readonly #text: string
  readonly #open: OpenNode[] = []
  readonly #anchors = new Map<string, YamlNode>()
  readonly #documents: YamlNode[] = []
  #root: YamlNode | undefined
  #aliasCount = 0

  constructor(text: string) {
    this.#text = text
  }

  build(events: readonly Event[]): readonly YamlNode[] {
    for (const event of events) this.#addEvent(event)
    return this.#documents
  }

  #addEvent(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        this.#anchors.clear()
        this.#aliasCount = 0
        this.#root = undefined
        return
      case EVENT_ID.MAPPING:
        this.#rejectTag(event, '!!map')
        this.#open.push({
          kind: 'map',
          entries: [],
          indexes: new Map(),
          merged: new Set(),
          pendingKey: undefined,
          offset: event.start,
          anchor: this.#anchor(event),
          size: 1,
        })
        return
      case EVENT_ID.SEQUENCE:
        this.#rejectTag(event, '!!seq')
        this.#open.push({ kind: 'list', items: [], offset: event.start, anchor: this.#anchor(event), size: 1 })
        return
      case EVENT_ID.SCALAR: {
        const scalar = this.#scalar(event)
        this.#storeAnchor(this.#anchor(event), scalar)
        this.#add(scalar)
        return
      }
      case EVENT_ID.ALIAS:
        this.#add(this.#resolveAlias(event.anchorStart, event.anchorEnd))
        return
      case EVENT_ID.POP:
        this.#close()
        return
      default:
        throw new Error(`unknown YAML event ${JSON.stringify(event)}`)
    }
  }

  #anchor(event: { anchorStart: number; anchorEnd: number }): string {
    return event.anchorStart < 0 ? '' : this.#text.slice(event.anchorStart, event.anchorEnd)
  }

  /** Returns the tag of a node; rejects any tag other than the default one. */
  #rejectTag(event: { tagStart: number; tagEnd: number }, usual: string): string {
    const tag = event.tagStart < 0 ? '' : this.#text.slice(event.tagStart, event.tagEnd)
    if (tag !== '' && tag !== '!' && tag !== usual) throw new YamlRefusal(`rules cannot use the YAML tag '${tag}'`, event.tagStart)
    return tag
  }

  #storeAnchor(anchor: string, node: YamlNode): void {
    if (anchor !== '') this.#anchors.set(anchor, node)
  }

  #resolveAlias(start: number, end: number): YamlNode {
    const name = this.#text.slice(start, end)
    const node = this.#anchors.get(name)
    if (node === undefined) {
      const message = `the alias '*${name}' has no complete anchor before it; write a value that begins with * in quotes`
      throw new YamlRefusal(message, start - 1)
    }
    this.#aliasCount++
    if (this.#aliasCount > limits.ruleAliasesMax) {
      throw new YamlRefusal(`the document has more than ${limits.ruleAliasesMax} aliases`, start - 1)
    }
    return node
  }

  #scalar(event: ScalarEvent): YamlScalar {
    const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
    const isPlain = event.style === SCALAR_STYLE.PLAIN
    const offset = event.valueStart < 0 ? this.#lastOffset() : event.valueStart - (isQuoted ? 1 : 0)
    const textOffset = event.fast && (isPlain || isQuoted) ? event.valueStart : undefined
    const text = event.valueStart < 0 ? '' : getScalarValue(this.#text, event)
    const tag = this.#rejectTag(event, '!!str')
    const value = isPlain && tag === '' ? resolvePlainScalar(text) : text
    return { kind: 'scalar', value, text, textOffset, isPlain, offset, size: 1 }
  }

  /** The offset for an empty value: that of its key. */
  #lastOffset(): number {
    const parent = this.#open.at(-1)
    if (parent === undefined) return 0
    return parent.kind === 'map' ? (parent.pendingKey?.offset ?? parent.offset) : parent.offset
  }

  #close(): void {
    const open = this.#open.pop()
    if (open === undefined) {
      if (this.#root === undefined || isEmptyScalar(this.#root)) return
      this.#documents.push(this.#root)
      if (this.#documents.length > limits.ruleDocumentsMax) {
        throw new YamlRefusal(`the text has more than ${limits.ruleDocumentsMax} documents`, this.#root.offset)
      }
      return
    }
    const node: YamlNode =
      open.kind === 'map'
        ? { kind: 'map', entries: open.entries, offset: open.offset, size: open.size }
        : { kind: 'list', items: open.items, offset: open.offset, size: open.size }
    this.#storeAnchor(open.anchor, node)
    this.#add(node)
  }

  #add(node: YamlNode): void {
    const parent = this.#open.at(-1)
    if (parent === undefined) {
      this.#root = node
      return
    }
    parent.size += node.size
    if (parent.size > limits.ruleNodesMax) {
      throw new YamlRefusal(`the document has more than ${limits.ruleNodesMax} nodes after its aliases are expanded`, parent.offset)
    }
    if (parent.kind === 'list') parent.items.push(node)
    else if (parent.pendingKey === undefined) parent.pendingKey = node
    else {
      const key = parent.pendingKey
      parent.pendingKey = undefined
      this.#addEntry(parent, key, node)
    }
  }

  #addEntry(map: OpenMap, keyNode: YamlNode, value: YamlNode): void {
    if (keyNode.kind !== 'scalar') throw new YamlRefusal('a key must be a scalar, not a map or a list', keyNode.offset)
    const key = keyNode.text
    if (key === '<<' && keyNode.isPlain) {
      this.#merge(map, value)
      return
    }
    const entry: YamlEntry = { key, keyOffset: keyNode.offset, value }
    const index = map.indexes.get(key)
    if (index === undefined) {
      map.indexes.set(key, map.entries.length)
      map.entries.push(entry)
      return
    }
    // A key of the map itself overrides a merged one, in any order.
    if (!map.merged.delete(key)) throw new YamlRefusal(`the map has the key '${key}' twice`, keyNode.offset)
    map.entries[index] = entry
  }

  #merge(map: OpenMap, value: YamlNode): void {
    const sources = value.kind === 'list' ? value.items : [value]
    for (const source of sources) {
      if (source.kind !== 'map') throw new YamlRefusal("the value of a merge key '<<' must be a map or a list of maps", value.offset)
      for (const entry of source.entries) {
        if (map.indexes.has(entry.key)) continue
        map.indexes.set(entry.key, map.entries.length)
        map.merged.add(entry.key)
        map.entries.push(entry)
      }
    }
  }
}

function isEmptyScalar(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.isPlain && node.text === ''
}

function resolvePlainScalar(text: string): string | number | boolean | null {
  const { value } = CORE_SCHEMA.resolveImplicitScalarTag(text)
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? value : text
}
