import type { RuleKind } from '../diagnostics.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlEntry, YamlMap, YamlNode } from './yaml-document.ts'

/** A document of a rule collection after the legacy attribute `action` was applied. */
export type CollectedDocument = {
  readonly kind: RuleKind
  readonly node: YamlNode
  /** The action that produced the document, to report it as deprecated or invalid. */
  readonly action?: { readonly offset: number; readonly problem: 'deprecated' | 'unknown' | 'nothing-to-repeat'; readonly name: string }
}

/**
 * Applies the legacy actions of a rule collection: `global` is merged into every following rule and overrides it,
 * `reset` drops it, `repeat` copies the previous rule and merges this document into it.
 */
export function collectDocuments(documents: readonly YamlNode[]): readonly CollectedDocument[] {
  const collected: CollectedDocument[] = []
  let global: YamlMap | undefined
  let globalOffset = 0
  let previous: YamlMap | undefined
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
        collected.push({ kind, node: mergeMaps(node, global), action })
      } else collected.push({ kind, node })
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
      collected.push({ kind: 'detection', node: repeated, action: { offset: entry.keyOffset, problem: 'deprecated', name } })
    } else {
      const problem = name === 'repeat' ? 'nothing-to-repeat' : 'unknown'
      collected.push({ kind: 'detection', node: content, action: { offset: entry.keyOffset, problem, name } })
    }
  }
  return collected
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
