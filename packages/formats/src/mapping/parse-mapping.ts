import { toPlainObject } from '@tripline/engine/authoring'
import { readYaml } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import type { EventMapping, MappedType, MappingEntry, SourceSelector, TimeFormat } from './event-mapping.ts'
import { mappedTypes, timeFormats } from './event-mapping.ts'

/** What is wrong with a mapping file, and where. */
export class MappingError extends Error {}

/**
 * Parses a mapping file: YAML with a list `mappings`, of which each event takes the first entry that selects it.
 *
 * @throws MappingError for a text that is none.
 */
export function parseMapping(text: string): EventMapping {
  const { charactersMax, entriesMax } = limits.mapping
  if (text.length > charactersMax) throw new MappingError(`the mapping has more than ${charactersMax} characters`)
  const { documents, problem } = readYaml(text)
  if (problem !== undefined) throw new MappingError(`the mapping is no YAML: ${problem.message}`)
  const [node] = documents
  if (documents.length !== 1 || node?.kind !== 'map') throw new MappingError("a mapping is one map with a list 'mappings'")
  const map: PlainMap = toPlainObject(node.entries)
  refuseUnknownKeys(map, ['name', 'mappings'], 'the mapping')
  const entries = map['mappings']
  if (!Array.isArray(entries) || entries.length === 0) throw new MappingError("'mappings' is no list of entries")
  if (entries.length > entriesMax) throw new MappingError(`'mappings' has more than ${entriesMax} entries`)
  return entries.map((entry: unknown, i) => readEntry(entry, `mappings[${i}]`))
}

type PlainMap = { readonly [key: string]: unknown }

const entryKeys = ['when', 'logsource', 'rename', 'constants', 'timestamp', 'types']

function readEntry(entry: unknown, path: string): MappingEntry {
  const map = requireMap(entry, path)
  refuseUnknownKeys(map, entryKeys, path)
  return {
    when: Object.entries(optionalMap(map['when'], `${path}.when`))
      .map(([field, value]) => readSelector(field, value, `${path}.when.${field}`)),
    logsource: readTexts(map['logsource'], `${path}.logsource`, ['product', 'category', 'service']),
    rename: Object.entries(readTexts(map['rename'], `${path}.rename`)),
    constants: Object.entries(optionalMap(map['constants'], `${path}.constants`)),
    timestamp: readTimestamp(map['timestamp'], `${path}.timestamp`),
    types: Object.entries(readTexts(map['types'], `${path}.types`)).map(([field, type]) => {
      return [field, requireChoice<MappedType>(type, mappedTypes, `${path}.types.${field}`)]
    }),
  }
}

/** A text with `*`, a number or a boolean, or a list of these; `true` alone asks that the field is present. */
function readSelector(field: string, value: unknown, path: string): SourceSelector {
  if (value === true) return { field, patterns: undefined }
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (values.length === 0) throw new MappingError(`'${path}' is an empty list`)
  const patterns = values.map((one) => {
    if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') {
      throw new MappingError(`'${path}' takes a text, a number, true or a list of these`)
    }
    return String(one).toLowerCase().split('*')
  })
  return { field, patterns }
}

function readTimestamp(value: unknown, path: string): MappingEntry['timestamp'] {
  if (value === undefined) return undefined
  if (typeof value === 'string') return { field: value, format: 'auto' }
  const map = requireMap(value, path)
  refuseUnknownKeys(map, ['field', 'format'], path)
  const { field, format = 'auto' } = map
  if (typeof field !== 'string') throw new MappingError(`'${path}.field' is no text`)
  return { field, format: requireChoice<TimeFormat>(format, timeFormats, `${path}.format`) }
}

function readTexts(value: unknown, path: string, keys?: readonly string[]): { readonly [key: string]: string } {
  const map = optionalMap(value, path)
  if (keys !== undefined) refuseUnknownKeys(map, keys, path)
  for (const [key, text] of Object.entries(map)) if (typeof text !== 'string') throw new MappingError(`'${path}.${key}' is no text`)
  return map as { readonly [key: string]: string }
}

function optionalMap(value: unknown, path: string): PlainMap {
  return value === undefined || value === null ? {} : requireMap(value, path)
}

function requireMap(value: unknown, path: string): PlainMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MappingError(`'${path}' is no map`)
  return { ...value }
}

function requireChoice<Choice extends string>(value: unknown, choices: readonly Choice[], path: string): Choice {
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw new MappingError(`'${path}' is '${String(value)}'; it takes one of ${choices.join(', ')}`)
  return choice
}

function refuseUnknownKeys(map: PlainMap, known: readonly string[], where: string): void {
  const unknown = Object.keys(map).find((key) => !known.includes(key))
  if (unknown !== undefined) throw new MappingError(`${where} has the unknown key '${unknown}'; it takes ${known.join(', ')}`)
}
