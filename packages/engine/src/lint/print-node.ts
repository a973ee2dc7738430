import type { YamlNode } from '../sigma/yaml-document.ts'

/** What a node says, without comments and layout, keys of maps in order: equal texts for equal contents. */
export function printNode(node: YamlNode): string {
  if (node.kind === 'scalar') return JSON.stringify(node.value)
  if (node.kind === 'list') return `[${node.items.map(printNode).join(',')}]`
  return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).sort().join(',')}}`
}
