import { isJsonObject } from '@tripline/common/json'
import type { Level } from '@tripline/engine'
import { levelDefault, levelRank } from './level.ts'

/** The rule by which a server takes alerts of collectors that detect themselves. */
export const edgeRuleId = '5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0009'

/** What the rule of a collector says, as it came with the event that matched. */
type EdgeAlert = {
  readonly ruleId: string
  readonly title: string
  readonly level: Level
  readonly description: string
  readonly tags: readonly string[]
}

/** Reads the rule of a collector that matched an event; undefined for other events. Texts are cut at `lengthMax` characters. */
export function readEdgeAlert({ _edge: edge }: { readonly [name: string]: unknown }, lengthMax: number): EdgeAlert | undefined {
  if (!isJsonObject(edge)) return undefined
  const read = (name: string): string => (typeof edge[name] === 'string' ? edge[name].slice(0, lengthMax) : '')
  const [ruleId, title, level] = [read('rule_id'), read('title'), read('level')]
  if (ruleId === '' || title === '') return undefined
  const tags = Array.isArray(edge['tags']) ? (edge['tags'] as readonly unknown[]).slice(0, 64) : []
  return {
    ruleId, title, level: level in levelRank ? level as Level : levelDefault, description: read('description'),
    tags: tags.flatMap((tag) => (typeof tag === 'string' && tag.length <= 256 ? [tag] : [])),
  }
}
