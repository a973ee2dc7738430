import { hashToUuid } from './hash.ts'
import { findEntry } from './sigma/yaml-document.ts'
import type { YamlNode } from './sigma/yaml-document.ts'

/**
 * Returns the id of a rule document in lower case, or an id derived from its content when it has none. Embedded tests
 * do not change a derived id.
 */
export function getRuleId(node: YamlNode): string {
  const own = readAttributeText(node, 'id').toLowerCase()
  if (own !== '' || node.kind !== 'map') return own || hashToUuid(printNode(node))
  return hashToUuid(printNode({ ...node, entries: node.entries.filter(({ key }) => key !== 'tests') }))
}

/** Reads the text of an attribute for a report, also of an invalid rule; empty when it is missing. */
export function readAttributeText(node: YamlNode, name: string): string {
  const value = node.kind === 'map' ? findEntry(node, name)?.value : undefined
  return value?.kind === 'scalar' ? value.text : ''
}

/** Prints the content of a node without comments, in source order, as the input of a derived id. */
function printNode(node: YamlNode): string {
  if (node.kind === 'scalar') return JSON.stringify(node.value)
  if (node.kind === 'list') return `[${node.items.map(printNode).join(',')}]`
  return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).join(',')}}`
}
