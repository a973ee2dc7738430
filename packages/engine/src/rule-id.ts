import { hashToUuid } from './hash.ts'
import { findEntry } from './sigma/yaml-document.ts'
import type { YamlNode } from './sigma/yaml-document.ts'

/**
 * The id of a rule's document: its own in lower case, or one derived from its content where it states none. Tests
 * that stand in a rule are not what it is.
 */
export function getRuleId(node: YamlNode): string {
  const own = readAttributeText(node, 'id').toLowerCase()
  if (own !== '' || node.kind !== 'map') return own || hashToUuid(printNode(node))
  return hashToUuid(printNode({ ...node, entries: node.entries.filter(({ key }) => key !== 'tests') }))
}

/** The text of an attribute as a report shows it, also where the rule is invalid; empty where it has none. */
export function readAttributeText(node: YamlNode, name: string): string {
  const value = node.kind === 'map' ? findEntry(node, name)?.value : undefined
  return value?.kind === 'scalar' ? value.text : ''
}

/** A node's content without comments, order of lines kept: what a derived id is made from. */
function printNode(node: YamlNode): string {
  if (node.kind === 'scalar') return JSON.stringify(node.value)
  if (node.kind === 'list') return `[${node.items.map(printNode).join(',')}]`
  return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).join(',')}}`
}
