import type { YamlNode } from '@tripline/engine/yaml'

/** Prints the content of a node without comments and layout, with sorted keys: equal content gives equal text. */
export function printNode(node: YamlNode): string {
  if (node.kind === 'scalar') return JSON.stringify(node.value)
  if (node.kind === 'list') return `[${node.items.map(printNode).join(',')}]`
  return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).sort().join(',')}}`
}
