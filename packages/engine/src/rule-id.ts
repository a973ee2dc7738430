import { hashToUuid } from './hash.ts'
import { findEntry } from './sigma/yaml-document.ts'
import type { YamlNode } from './sigma/yaml-document.ts'

/**
 * Returns the id of a rule document: the one it states as a UUID in lower case, or one derived from its content when it
 * states none. Embedded tests do not change a derived id.
 */
export function getRuleId(node: YamlNode): string {
  const own = readAttributeText(node, 'id').trim()
  if (own !== '') return toRuleId(own)
  return hashContent(node, ['tests'])
}

/** Hashes what a document says, without some of its attributes. Comments and layout do not matter. */
export function hashContent(node: YamlNode, omitted: readonly string[]): string {
  if (node.kind !== 'map') return hashToUuid(printNode(node))
  return hashToUuid(printNode({ ...node, entries: node.entries.filter(({ key }) => !omitted.includes(key)) }))
}

/** The id of a rule for the id that it states: the same UUID in lower case, or a UUID derived from any other text. */
export function toRuleId(stated: string): string {
  const id = stated.trim().toLowerCase()
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(id)) return id
  const digits = id.replace(/^(?:urn:)?(?:uuid:)?/, '').replaceAll(/[{}-]/g, '')
  if (!/^[0-9a-f]{32}$/.test(digits)) return hashToUuid(`id ${stated.trim()}`)
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Reads the text of an attribute for a report, also of an invalid rule; empty when it is missing or null. */
export function readAttributeText(node: YamlNode, name: string): string {
  const value = node.kind === 'map' ? findEntry(node, name)?.value : undefined
  return value?.kind === 'scalar' && value.value !== null ? value.text : ''
}

/** Prints the content of a node without comments, in source order, as the input of a derived id. */
function printNode(node: YamlNode): string {
  if (node.kind === 'scalar') return JSON.stringify(node.value)
  if (node.kind === 'list') return `[${node.items.map(printNode).join(',')}]`
  return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${printNode(value)}`).join(',')}}`
}
