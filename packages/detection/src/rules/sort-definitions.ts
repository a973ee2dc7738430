import type { AppError } from '@tripline/contract/app-error'
import { findEntry } from '@tripline/engine/yaml'
import type { YamlNode } from '@tripline/engine/yaml'
import { readSingleMap } from './edit-definition.ts'
import { createDefinitionError } from './rule-errors.ts'
import type { SentDefinition } from './sent-definition.ts'
import type { DocumentText } from './split-source.ts'

/**
 * Sorts the rules of a request so that each comes after those that it refers to, by name or id.
 *
 * @throws AppError INVALID_RULE for correlations that refer to each other.
 */
export function sortByReferences(definitions: readonly SentDefinition[]): readonly SentDefinition[] {
  if (definitions.length === 1) return definitions
  const pending = new Map(definitions.map((definition) => [definition, readReferences(definition.text)]))
  const sorted: SentDefinition[] = []
  while (pending.size > 0) {
    const names = new Set([...pending.values()].flatMap(({ names }) => names))
    const next = [...pending].find(([, { references }]) => !references.some((name) => names.has(name)))
    const [definition] = next ?? []
    if (definition === undefined) throw createCycleError(findCorrelation(pending).sent)
    sorted.push(definition)
    pending.delete(definition)
  }
  return sorted
}

function createCycleError({ text, firstLine }: DocumentText): AppError {
  const message = 'the correlations of the text refer to each other, or to themselves'
  const wholeText = '\n'.repeat(firstLine - 1) + text
  return createDefinitionError(message, wholeText, { path: 'correlation.rules', code: 'CORRELATION_CYCLE' })
}

function findCorrelation(pending: ReadonlyMap<SentDefinition, RuleReferences>): SentDefinition {
  const found = [...pending].find(([, { references }]) => references.length > 0)
  if (found === undefined) throw new Error('rules without references are in no cycle')
  return found[0]
}

type RuleReferences = { readonly names: readonly string[]; readonly references: readonly string[] }

function readReferences(text: string): RuleReferences {
  const map = readSingleMap(text)
  const names = ['id', 'name'].flatMap((key) => readTexts(findEntry(map, key)?.value))
  const correlation = findEntry(map, 'correlation')?.value
  const references = correlation?.kind === 'map' ? readTexts(findEntry(correlation, 'rules')?.value) : []
  return { names, references }
}

/** A text or a list of texts, in lower case as ids are. */
function readTexts(node: YamlNode | undefined): readonly string[] {
  if (node?.kind === 'scalar') return [node.text.toLowerCase()]
  return node?.kind === 'list' ? node.items.flatMap(readTexts) : []
}
