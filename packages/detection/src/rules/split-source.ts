import type { RuleSource } from '@tripline/engine'
import { findEntry, readYaml } from '@tripline/engine/yaml'

/** The text of one document, and the line of the whole text on which it begins, from 1. */
export type DocumentText = { readonly text: string; readonly firstLine: number }

/**
 * Splits a text of several documents into one source for each, named `<path>#2` from the second on, so that each rule
 * has a text that can be edited. A text stays whole if a document affects others or cannot be separated by lines.
 */
export function splitSource(source: RuleSource): readonly RuleSource[] {
  const { path = '', text } = source
  const parts = splitDocuments(text) ?? []
  return parts.length < 2 ? [source] : parts.map((part, i) => ({ path: i === 0 ? path : `${path}#${i + 1}`, text: part.text }))
}

/** A document marker at the start of a later line: the end of the first document, or the start of the second. */
const laterMarker = /[\n\r](?:---|\.\.\.)/

/**
 * Splits a text into the texts of its documents. Undefined if it holds several that cannot be separated by lines, or one
 * that affects others.
 */
export function splitDocuments(text: string): readonly DocumentText[] | undefined {
  const whole = [{ text, firstLine: 1 }]
  // Nearly every text holds one rule, and reading YAML takes half as long as compiling it.
  if (!laterMarker.test(text)) return whole
  const { documents = [] } = readYaml(text)
  if (documents.length < 2) return whole
  if (/^(%|--- *[^\s#])/m.test(text)) return undefined
  if (documents.some((node) => node.kind === 'map' && findEntry(node, 'action') !== undefined)) return undefined
  let firstLine = 1
  const all = text.split(/^---[^\n]*\n/m).map((part) => {
    const document = { text: part, firstLine }
    // The marker between two parts is a line of its own.
    firstLine += part.split('\n').length
    return document
  })
  const parts = all.filter((part) => readYaml(part.text).documents?.length !== 0)
  const isClean = parts.length === documents.length && parts.every((part) => readYaml(part.text).documents?.length === 1)
  return isClean ? parts : undefined
}
