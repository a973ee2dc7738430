import type { RuleKind } from '../diagnostics.ts'
import { findEntry } from './yaml-document.ts'
import type { YamlEntry, YamlMap, YamlNode } from './yaml-document.ts'

/** A document of a rule collection after the legacy attribute `action` was applied. */
export type CollectedDocument = {
  readonly kind: RuleKind
  readonly node: YamlNode
  /** The action that made it what it is, for the report: deprecated, or one that cannot be followed. */
  readonly action?: { readonly offset: number; readonly problem: 'deprecated' | 'unknown' | 'nothing-to-repeat'; readonly name: string }
}

/**
 * Applies the actions of a rule collection (sigma.md section 10, D-51): `global` is merged into every rule
 * that follows and wins over it, `reset` forgets it, `repeat` is the rule before it with this document merged in.
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
 * What a document is by its sections. Public rules have an attribute `correlation` of plain words beside their
 * detection, for people: that makes them no correlation rules.
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

/** The first map with the second one's entries; where both have a map, these are merged, else the second wins. */
function mergeMaps(base: YamlMap, update: YamlMap): YamlMap {
  const merged = new Map<string, YamlEntry>(base.entries.map((entry) => [entry.key, entry]))
  for (const entry of update.entries) {
    const own = merged.get(entry.key)
    const isDeep = own?.value.kind === 'map' && entry.value.kind === 'map'
    merged.set(entry.key, isDeep ? { ...entry, value: mergeMaps(own.value as YamlMap, entry.value as YamlMap) } : entry)
  }
  return { ...base, entries: [...merged.values()] }
}
