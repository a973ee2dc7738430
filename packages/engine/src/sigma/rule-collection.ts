import type { DiagnosticCollector, RuleKind } from '../diagnostics.ts'
import { readAttributeText, toRuleId } from '../rule-id.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlEntry, YamlMap, YamlNode } from './yaml-document.ts'

/** A document of a rule collection after the legacy attribute `action` was applied. */
export type CollectedDocument = {
  readonly kind: RuleKind
  readonly node: YamlNode
  /** The action that produced the document, to report it as deprecated or invalid. */
  readonly action?: { readonly offset: number; readonly problem: 'deprecated' | 'unknown' | 'nothing-to-repeat'; readonly name: string }
  /** The id or name that an action gave to a rule before as well, so that this document has its own or a derived one. */
  readonly repeated?: { readonly key: 'id' | 'name'; readonly text: string }
}

/**
 * Applies the legacy actions of a rule collection: `global` is merged into every following rule and overrides it,
 * `reset` drops it, `repeat` copies the previous rule and merges this document into it. A rule that gets the id or name of
 * one before this way has the one that it states itself, else a derived id and no name.
 */
export function collectDocuments(documents: readonly YamlNode[]): readonly CollectedDocument[] {
  const collected: CollectedDocument[] = []
  let global: YamlMap | undefined
  let globalOffset = 0
  let previous: YamlMap | undefined
  const identities = new Identities()
  for (const node of documents) {
    if (node.kind !== 'map') {
      collected.push({ kind: 'not-a-rule', node })
      continue
    }
    const entry = findEntry(node, 'action')
    if (entry === undefined) {
      const kind = findRuleKind(node)
      if (kind === 'detection') previous = node
      if (kind === 'detection' && global !== undefined) {
        const action = { offset: globalOffset, problem: 'deprecated', name: 'global' } as const
        collected.push({ kind, ...identities.separate(mergeMaps(node, global), node), action })
      } else {
        if (kind === 'detection') identities.add(node)
        collected.push({ kind, node })
      }
      continue
    }
    const name = entry.value.kind === 'scalar' ? entry.value.text : entry.value.kind
    const content = removeAction(node)
    if (name === 'global') {
      global = content
      globalOffset = entry.keyOffset
    } else if (name === 'reset') global = undefined
    else if (name === 'repeat' && previous !== undefined) {
      previous = mergeMaps(previous, content)
      const repeated = global === undefined ? previous : mergeMaps(previous, global)
      const action = { offset: entry.keyOffset, problem: 'deprecated', name } as const
      collected.push({ kind: 'detection', ...identities.separate(repeated, content), action })
    } else {
      const problem = name === 'repeat' ? 'nothing-to-repeat' : 'unknown'
      collected.push({ kind: 'detection', node: content, action: { offset: entry.keyOffset, problem, name } })
    }
  }
  return collected
}

/** Gives the rules that actions make of one document different ids and names. */
class Identities {
  /** How many rules have each id and each name. */
  readonly #counts = { id: new Map<string, number>(), name: new Map<string, number>() }

  /** Changes the id and the name of a merged document where a rule before has them; `own` is what the rule itself states. */
  separate(merged: YamlMap, own: YamlMap): Pick<CollectedDocument, 'repeated'> & { readonly node: YamlMap } {
    const id = this.#findRepeated(merged, 'id')
    const name = this.#findRepeated(merged, 'name')
    const repeated = id ?? name
    if (repeated === undefined) return { node: merged }
    const entries = merged.entries.flatMap((entry): YamlEntry[] => {
      const { key, value } = entry
      const taken = key === 'id' ? id : key === 'name' ? name : undefined
      if (taken === undefined || value.kind !== 'scalar') return [entry]
      const stated = findEntry(own, key)
      if (stated !== undefined && readAttributeText(own, key) !== taken.text) return [stated]
      if (key === 'name') return []
      const text = toRuleId(`${taken.text} ${taken.count}`)
      return [{ ...entry, value: { ...value, value: text, text, textOffset: undefined } }]
    })
    return { node: { ...merged, entries }, repeated: { key: repeated.key, text: repeated.text } }
  }

  add(rule: YamlMap): void {
    this.#findRepeated(rule, 'id')
    this.#findRepeated(rule, 'name')
  }

  /** Counts the rule under its id or name, and returns that when it is not the first to have it. */
  #findRepeated(merged: YamlMap, key: 'id' | 'name') {
    const text = readAttributeText(merged, key)
    const count = (this.#counts[key].get(text) ?? 0) + 1
    this.#counts[key].set(text, count)
    return text === '' || count === 1 ? undefined : { key, text, count }
  }
}

/**
 * Finds the kind of a document by its sections. Public detection rules have an attribute `correlation` with free
 * text; only a map makes a document with a detection a correlation rule.
 */
function findRuleKind(map: YamlMap): RuleKind {
  const hasDetection = findEntry(map, 'detection') !== undefined
  for (const kind of ['correlation', 'filter'] as const) {
    const section = findEntry(map, kind)?.value
    if (section !== undefined && (section.kind === 'map' || !hasDetection)) return kind
  }
  return 'detection'
}

function removeAction(map: YamlMap): YamlMap {
  return { ...map, entries: map.entries.filter((entry) => entry.key !== 'action') }
}

/** Merges two maps recursively; the entries of the second win. */
function mergeMaps(base: YamlMap, update: YamlMap): YamlMap {
  const merged = new Map<string, YamlEntry>(base.entries.map((entry) => [entry.key, entry]))
  for (const entry of update.entries) {
    const own = merged.get(entry.key)
    const isDeep = own?.value.kind === 'map' && entry.value.kind === 'map'
    merged.set(entry.key, isDeep ? { ...entry, value: mergeMaps(own.value as YamlMap, entry.value as YamlMap) } : entry)
  }
  return { ...base, entries: [...merged.values()] }
}

/** Reports what the legacy attribute `action` did to a document; `id` is what the engine calls the rule. */
export function reportActions({ action, repeated, node }: CollectedDocument, id: string, collector: DiagnosticCollector): void {
  if (repeated !== undefined) {
    const { key, text } = repeated
    const code = key === 'id' ? 'DUPLICATE_ID' : 'DUPLICATE_NAME'
    const message = `the ${key} '${text}' belongs to another rule of the text; the engine calls this one ${id}`
    collector.metadata({ code, message, offset: node.offset, hint: `give each rule its own ${key}` })
  }
  if (action === undefined) return
  const { name, offset, problem } = action
  if (problem === 'deprecated') {
    collector.lint({ code: 'DEPRECATED_ACTION', message: `the action '${name}' is deprecated`, offset, hint: 'write the rule in full' })
  } else if (problem === 'unknown') {
    collector.error({ code: 'UNKNOWN_ACTION', message: `the action '${name}' must be global, reset or repeat`, offset })
  } else collector.error({ code: 'UNKNOWN_ACTION', message: `the action '${name}' must follow a rule`, offset })
}
