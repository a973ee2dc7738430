import type { RuleSource } from '@tripline/engine'
import { findEntry, readYaml } from '@tripline/engine/yaml'

/**
 * Splits a text of several documents into one source for each, named `<path>#2` from the second on, so that each rule
 * has a text that can be edited. A text stays whole if a document affects others or cannot be separated by lines.
 */
export function splitSource(source: RuleSource): readonly RuleSource[] {
  const { path = '', text } = source
  // Nearly every text holds one rule, and reading YAML takes half as long as compiling it.
  if (!laterMarker.test(text)) return [source]
  const { documents = [] } = readYaml(text)
  if (documents.length < 2 || /^(%|--- *[^\s#])/m.test(text)) return [source]
  if (documents.some((node) => node.kind === 'map' && findEntry(node, 'action') !== undefined)) return [source]
  const texts = text.split(/^---[^\n]*\n/m).filter((part) => readYaml(part).documents?.length !== 0)
  const isClean = texts.length === documents.length && texts.every((part) => readYaml(part).documents?.length === 1)
  return isClean ? texts.map((part, i) => ({ path: i === 0 ? path : `${path}#${i + 1}`, text: part })) : [source]
}

/** A document marker at the start of a later line: the end of the first document, or the start of the second. */
const laterMarker = /[\n\r](?:---|\.\.\.)/
