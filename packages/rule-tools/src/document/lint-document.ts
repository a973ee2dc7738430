import { limits as engineLimits } from '@tripline/engine'
import { parseCondition, collectDocuments } from '@tripline/engine/authoring'
import type { Condition } from '@tripline/engine/authoring'
import { findEntry } from '@tripline/engine/yaml'
import type { YamlEntry, YamlMap, YamlNode, YamlScalar } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import { printNode } from './print-node.ts'

/** A rule as checks read it: YAML nodes with positions, and selections and conditions as far as they parse. */
export type LintDocument = {
  readonly path: string
  /** The text of the whole source; all offsets count in it. */
  readonly text: string
  readonly kind: 'detection' | 'correlation' | 'filter'
  readonly node: YamlMap
  readonly collection: LintCollection
  /** All documents of the same source, including this one. */
  readonly siblings: readonly LintDocument[]
  /** The selections of the detection or filter, and its conditions. */
  readonly selections: readonly LintSelection[]
  readonly conditions: readonly LintCondition[]
}

type LintSelection = {
  readonly document: LintDocument
  readonly name: string
  readonly entry: YamlEntry
  /** All its items at any depth. */
  readonly items: readonly LintItem[]
}

/** One `field|modifier: values`, or a list of keywords, which has no entry. */
export type LintItem = {
  readonly document: LintDocument
  readonly selection: string
  readonly entry: YamlEntry | undefined
  readonly field: string | undefined
  readonly modifiers: readonly string[]
  readonly values: readonly YamlScalar[]
  readonly offset: number
  /** The map that contains the entry. */
  readonly map: YamlMap | undefined
}

export type LintCondition = {
  readonly document: LintDocument
  readonly scalar: YamlScalar
  /** Undefined when the condition has a syntax error. */
  readonly tree: Condition | undefined
}

/** Reads the documents of a source; the compiler reports those that are not maps. */
export function readLintDocuments(
  { path, text }: { readonly path: string; readonly text: string }, nodes: readonly YamlNode[], collection: LintCollection,
): LintDocument[] {
  const siblings: LintDocument[] = []
  for (const { kind, node } of collectDocuments(nodes)) {
    if (kind === 'not-a-rule' || node.kind !== 'map') continue
    const selections: LintSelection[] = []
    const conditions: LintCondition[] = []
    const document: LintDocument = { path, text, kind, node, collection, siblings, selections, conditions }
    const detection = findEntry(node, kind === 'filter' ? 'filter' : 'detection')?.value
    if (kind !== 'correlation' && detection?.kind === 'map') {
      selections.push(...readSelections(document, detection))
      conditions.push(...readConditions(document, detection))
    }
    siblings.push(document)
  }
  return siblings
}

/** Returns the scalar of an attribute; undefined when it is absent or not a scalar. */
export function findScalar(map: YamlMap, name: string): YamlScalar | undefined {
  const value = findEntry(map, name)?.value
  return value?.kind === 'scalar' ? value : undefined
}

/** Lists the scalars of an attribute; a single scalar is a list of one. */
export function listScalars(map: YamlMap, name: string): readonly YamlScalar[] {
  const value = findEntry(map, name)?.value
  if (value === undefined || value.kind === 'map') return []
  const nodes = value.kind === 'list' ? value.items : [value]
  return nodes.filter((node) => node.kind === 'scalar' && node.value !== null) as YamlScalar[]
}

/** Returns an attribute that is a map; undefined when it is absent or not a map. */
export function findMap({ node }: LintDocument, name: string): YamlMap | undefined {
  const value = findEntry(node, name)?.value
  return value?.kind === 'map' ? value : undefined
}

export function listItems({ selections }: LintDocument): readonly LintItem[] {
  return selections.flatMap(({ items }) => items)
}

/** Keys of a detection or filter that are not selections. */
const reservedKeys: ReadonlySet<string> = new Set(['condition', 'timeframe'])

function readSelections(document: LintDocument, detection: YamlMap): LintSelection[] {
  const isFilter = document.kind === 'filter'
  return detection.entries
    .filter(({ key }) => !reservedKeys.has(key) && !(isFilter && key === 'rules'))
    .slice(0, engineLimits.selectionsMax)
    .map((entry) => {
      const items: LintItem[] = []
      collectItems(entry.value, { document, selection: entry.key }, items)
      return { document, name: entry.key, entry, items }
    })
}

function collectItems(node: YamlNode, place: { document: LintDocument; selection: string }, items: LintItem[]): void {
  if (node.kind === 'map') {
    for (const entry of node.entries) {
      const [name = '', ...modifiers] = entry.key.split('|')
      const values = readValues(entry.value)
      const field = name === '' ? undefined : name
      items.push({ ...place, entry, field, modifiers, values, offset: entry.keyOffset, map: node })
    }
    return
  }
  const keywords = readValues(node)
  if (keywords.length > 0) {
    const { offset } = keywords[0]!
    items.push({ ...place, entry: undefined, field: undefined, modifiers: [], values: keywords, offset, map: undefined })
  }
  if (node.kind === 'list') for (const item of node.items) if (item.kind !== 'scalar') collectItems(item, place, items)
}

/** Reads the values of an item without those that are too long for the compiler. */
function readValues(node: YamlNode): readonly YamlScalar[] {
  if (node.kind === 'map') return []
  const nodes = node.kind === 'list' ? node.items : [node]
  if (nodes.length > engineLimits.itemValuesMax) return []
  return nodes.filter((item) => item.kind === 'scalar' && item.text.length <= engineLimits.valueLengthMax) as YamlScalar[]
}

function readConditions(document: LintDocument, detection: YamlMap): LintCondition[] {
  const names = document.selections.map(({ name }) => name)
  return listScalars(detection, 'condition').slice(0, limits.lintConditionsMax).map((scalar) => {
    return { document, scalar, tree: parseCondition(scalar.text, names).tree }
  })
}

/** The keys that make documents twins; undefined when a document has no such key. */
const twinKeys = {
  title: ({ node }: LintDocument) => findScalar(node, 'title')?.text.trim().toLowerCase() || undefined,
  detection: ({ node, kind }: LintDocument) => {
    const detection = kind === 'detection' ? findEntry(node, 'detection')?.value : undefined
    const logsource = findEntry(node, 'logsource')?.value
    return detection && logsource && `${printNode(logsource)} ${printNode(detection)}`
  },
  fileName: ({ path }: LintDocument) => getFileName(path).toLowerCase() || undefined,
} as const

/** All documents of one lint run, for the checks that compare rules. */
export class LintCollection {
  /** The retention of events in milliseconds; undefined when not given. */
  readonly retentionMs: number | undefined
  /** The codes of all checks, which comments may suppress. */
  readonly knownCodes: ReadonlySet<string>
  readonly #documents: LintDocument[] = []
  #byReference: ReadonlyMap<string, LintDocument> | undefined
  readonly #firstDocuments = new Map<string, Map<string, LintDocument>>()

  constructor({ retentionMs, knownCodes }: Pick<LintCollection, 'retentionMs' | 'knownCodes'>) {
    this.retentionMs = retentionMs
    this.knownCodes = knownCodes
  }

  /** Adds documents; call it for all of them before checks run. */
  add(documents: readonly LintDocument[]): void {
    for (const document of documents) this.#documents.push(document)
  }

  get documents(): readonly LintDocument[] {
    return this.#documents
  }

  /** Finds a rule by id or name. */
  findRule(reference: string): LintDocument | undefined {
    this.#byReference ??= indexReferences(this.#documents)
    return this.#byReference.get(reference.toLowerCase())
  }

  /** Finds the first document with the same title, detection or file name; undefined when that is this document. */
  findEarlierTwin(document: LintDocument, by: keyof typeof twinKeys): LintDocument | undefined {
    let firsts = this.#firstDocuments.get(by)
    if (firsts === undefined) {
      firsts = indexFirstDocuments(this.#documents, twinKeys[by])
      this.#firstDocuments.set(by, firsts)
    }
    const key = twinKeys[by](document)
    const first = key === undefined ? undefined : firsts.get(key)
    return first === document ? undefined : first
  }
}

/** Returns the last segment of a path. */
export function getFileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

function indexFirstDocuments(
  documents: readonly LintDocument[], keyOf: (document: LintDocument) => string | undefined,
): Map<string, LintDocument> {
  const firsts = new Map<string, LintDocument>()
  for (const document of documents) {
    const key = keyOf(document)
    if (key !== undefined && !firsts.has(key)) firsts.set(key, document)
  }
  return firsts
}

function indexReferences(documents: readonly LintDocument[]): Map<string, LintDocument> {
  const byReference = new Map<string, LintDocument>()
  for (const document of documents) {
    for (const attribute of ['id', 'name']) {
      const key = findScalar(document.node, attribute)?.text.toLowerCase()
      if (key !== undefined && !byReference.has(key)) byReference.set(key, document)
    }
  }
  return byReference
}
