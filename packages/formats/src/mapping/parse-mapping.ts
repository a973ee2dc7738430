import { toPlainObject } from '@tripline/engine/authoring'
import { LineIndex, findPathOffset, readYaml } from '@tripline/engine/yaml'
import { limits } from '../limits.ts'
import type { EventMapping, MappedType, MappingEntry, SourceSelector, TimeFormat } from './event-mapping.ts'
import { mappedTypes, timeFormats } from './event-mapping.ts'

/** What is wrong with a mapping file; the message begins with line and column where there are some. */
export class MappingError extends Error {}

/** What is wrong at a path such as `mappings[0].rename.src`. */
class MisplacedValue extends Error {
  readonly path: string

  constructor(path: string, problem: string) {
    super(problem)
    this.path = path
  }
}

/**
 * Parses a mapping file: YAML with a list `mappings`, of which each event takes the first entry that selects it.
 *
 * @throws MappingError for a text that is none.
 */
export function parseMapping(text: string): EventMapping {
  const { charactersMax } = limits.mapping
  if (text.length > charactersMax) throw new MappingError(`the mapping has more than ${charactersMax} characters`)
  const { documents, problem } = readYaml(text)
  const lines = new LineIndex(text)
  const fail = (offset: number, message: string, cause?: Error): never => {
    const { line, column } = lines.position(offset)
    throw new MappingError(`line ${line}, column ${column}: ${message}`, { cause })
  }
  if (problem !== undefined) return fail(problem.offset, `the mapping is no YAML: ${problem.message}`)
  const [node, second] = documents
  if (node?.kind !== 'map') return fail(node?.offset ?? 0, "a mapping is one map with a list 'mappings'")
  if (second !== undefined) return fail(second.offset, 'a mapping is one document')
  try {
    const lineOf = (path: string): number => lines.position(findPathOffset(node, path) ?? node.offset).line
    return readMapping(toPlainObject(node.entries), lineOf)
  } catch (error) {
    if (!(error instanceof MisplacedValue)) throw error
    return fail(findPathOffset(node, error.path) ?? node.offset, error.message, error)
  }
}

function readMapping(map: PlainMap, lineOf: (path: string) => number): EventMapping {
  refuseUnknownKeys(map, ['name', 'mappings'], '')
  const entries = map['mappings']
  if (!Array.isArray(entries) || entries.length === 0) throw new MisplacedValue('mappings', "'mappings' is no list of entries")
  const { entriesMax } = limits.mapping
  if (entries.length > entriesMax) throw new MisplacedValue('mappings', `'mappings' has more than ${entriesMax} entries`)
  return entries.map((entry: unknown, i) => ({ ...readEntry(entry, `mappings[${i}]`), line: lineOf(`mappings[${i}]`) }))
}

type PlainMap = { readonly [key: string]: unknown }

const entryKeys = ['when', 'logsource', 'rename', 'constants', 'timestamp', 'types']

function readEntry(entry: unknown, path: string): Omit<MappingEntry, 'line'> {
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
  if (values.length === 0) throw new MisplacedValue(path, `'${path}' is an empty list`)
  const patterns = values.map((one) => {
    if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean') {
      throw new MisplacedValue(path, `'${path}' takes a text, a number, true or a list of these`)
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
  if (typeof field !== 'string') throw new MisplacedValue(path, `'${path}.field' is no text`)
  return { field, format: requireChoice<TimeFormat>(format, timeFormats, `${path}.format`) }
}

function readTexts(value: unknown, path: string, keys?: readonly string[]): { readonly [key: string]: string } {
  const map = optionalMap(value, path)
  if (keys !== undefined) refuseUnknownKeys(map, keys, path)
  const wrong = Object.keys(map).find((key) => typeof map[key] !== 'string')
  if (wrong !== undefined) throw new MisplacedValue(`${path}.${wrong}`, `'${path}.${wrong}' is no text`)
  return map as { readonly [key: string]: string }
}

function optionalMap(value: unknown, path: string): PlainMap {
  return value === undefined || value === null ? {} : requireMap(value, path)
}

function requireMap(value: unknown, path: string): PlainMap {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new MisplacedValue(path, `'${path}' is no map`)
  return { ...value }
}

function requireChoice<Choice extends string>(value: unknown, choices: readonly Choice[], path: string): Choice {
  const choice = choices.find((one) => one === value)
  if (choice === undefined) throw new MisplacedValue(path, `'${path}' is '${String(value)}'; it takes one of ${choices.join(', ')}`)
  return choice
}

function refuseUnknownKeys(map: PlainMap, known: readonly string[], path: string): void {
  const unknown = Object.keys(map).find((key) => !known.includes(key))
  if (unknown === undefined) return
  const problem = `${path || 'the mapping'} has the unknown key '${unknown}'; it takes ${known.join(', ')}`
  throw new MisplacedValue(path === '' ? unknown : `${path}.${unknown}`, problem)
}
