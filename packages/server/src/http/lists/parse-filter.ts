import { normalizeAddress, parseAddress } from '@tripline/common/address'
import { isJsonObject, measureJson, skipBlanks, tryParseJson } from '@tripline/common/json'
import { parseNetwork } from '@tripline/common/network'
import { AppError } from '@tripline/contract/app-error'
import { instantParameter } from '@tripline/contract/page'
import { isTechnique, findTacticNames } from '@tripline/model/attack'
import { listTechniqueIds } from '@tripline/rule-tools'
import { filterOperators } from '@tripline/model/lists/filter'
import type { Comparison, Filter, FilterOperator, FilterValue } from '@tripline/model/lists/filter'
import { operatorsByKind } from '@tripline/model/lists/list-fields'
import type { ListField, ListFields } from '@tripline/model/lists/list-fields'
import { limits } from '../../limits.ts'
import { buildSeverityFilter, levelsBySeverity } from './severity-filter.ts'
import { unknownField } from './unknown-field.ts'

/**
 * Parses a structured filter. Length and depth are checked before parsing, the rest before building: the result only uses
 * fields and operators that the list supports, with internal values.
 *
 * @throws AppError INVALID_QUERY_FIELD for a field that cannot be filtered; INVALID_PARAMETER with the path for any other
 *   problem.
 */
export function parseFilter(fields: ListFields, text: string): Filter {
  const { filterBytesMax, filterBracketsMax } = limits.lists
  const bytes = Buffer.from(text)
  if (bytes.length > filterBytesMax) rejectFilter('', `has more than ${filterBytesMax} bytes`)
  const extent = measureJson(bytes, skipBlanks(bytes, 0, bytes.length), bytes.length)
  const { filterDepthMax } = limits.state
  if (extent !== undefined && extent.depth > filterBracketsMax) rejectFilter('', `nests deeper than ${filterDepthMax} levels`)
  const parsed = tryParseJson(text)
  if ('problem' in parsed) rejectFilter('', `is not valid JSON: ${parsed.problem}`)
  return new FilterReader(fields).read(parsed.value, '', 1)
}

/** Reads the parts of one filter and counts its comparisons. */
class FilterReader {
  readonly #fields: ListFields
  #leafCount = 0

  constructor(fields: ListFields) {
    this.#fields = fields
  }

  read(value: unknown, path: string, depth: number): Filter {
    const { filterDepthMax, filterLeavesMax } = limits.state
    if (depth > filterDepthMax) rejectFilter(path, `nests deeper than ${filterDepthMax} levels`)
    if (!isJsonObject(value)) return rejectFilter(path, "must be an object: {and}, {or}, {not} or {field, op, value}")
    const [name = '', ...others] = Object.keys(value)
    if (others.length === 0 && (name === 'and' || name === 'or')) {
      const parts = this.#readParts(value[name], `${path}.${name}`, depth)
      return name === 'and' ? { and: parts } : { or: parts }
    }
    if (others.length === 0 && name === 'not') return { not: this.read(value['not'], `${path}.not`, depth + 1) }
    this.#leafCount++
    if (this.#leafCount > filterLeavesMax) rejectFilter('', `has more than ${filterLeavesMax} comparisons`)
    return this.#readLeaf(value, path)
  }

  #readParts(value: unknown, path: string, depth: number): Filter[] {
    if (!Array.isArray(value) || value.length === 0) return rejectFilter(path, 'must be an array of at least one part')
    return value.map((part, index) => this.read(part, `${path}[${index}]`, depth + 1))
  }

  #readLeaf(leaf: { readonly [name: string]: unknown }, path: string): Comparison {
    const stranger = Object.keys(leaf).find((name) => name !== 'field' && name !== 'op' && name !== 'value')
    if (stranger !== undefined) rejectFilter(path, `unknown key '${stranger.slice(0, 64)}'; a comparison has field, op and value`)
    const { field: name, op, value } = leaf
    if (typeof name !== 'string') return rejectFilter(path, "'field' must be the name of a field")
    const field = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined
    if (field?.isFiltered !== true) throw unknownField(this.#fields, 'isFiltered', name)
    const operator = filterOperators.find((known) => known === op)
    const allowed = operatorsByKind[field.kind]
    if (operator === undefined || !allowed.includes(operator)) {
      return rejectFilter(`${path}.op`, `'${name}' takes one of ${allowed.join(', ')}`)
    }
    return readComparison({ name, field, operator, value, path: `${path}.value` })
  }
}

type Leaf = {
  readonly name: string
  readonly field: ListField
  readonly operator: FilterOperator
  readonly value: unknown
  readonly path: string
}

function readComparison({ name, field, operator, value, path }: Leaf): Comparison {
  if (operator === 'exists') {
    return typeof value === 'boolean' ? { field: name, operator, value } : rejectFilter(path, "'exists' takes true or false")
  }
  const values = toValueList(operator, value, path)
  if (operator === 'cidr') return { field: name, operator, value: values.map((value) => readNetwork(value, path))[0] ?? '' }
  if (field.kind === 'level') {
    const words = values.map((value) => readWord(Object.keys(levelsBySeverity), value, path))
    return buildSeverityFilter(name, operator, words)
  }
  const read = values.flatMap((value) => readValues(field, value, path))
  // A tactic with several internal names, and a technique with earlier ids, match any of them.
  if (field.kind === 'tactic' || field.kind === 'technique') {
    return { field: name, operator: operator === 'eq' || operator === 'in' ? 'in' : 'nin', value: read }
  }
  return { field: name, operator, value: Array.isArray(value) ? read : (read[0] ?? '') }
}

function toValueList(operator: FilterOperator, value: unknown, path: string): readonly unknown[] {
  const { filterValuesOfOneMax } = limits.lists
  const isMany = operator === 'in' || operator === 'nin' || operator === 'between'
  if (isMany !== Array.isArray(value)) rejectFilter(path, isMany ? `'${operator}' takes a list` : `'${operator}' takes one value`)
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (operator === 'between' && values.length !== 2) rejectFilter(path, "'between' takes two values")
  if (values.length > filterValuesOfOneMax) rejectFilter(path, `'${operator}' takes at most ${filterValuesOfOneMax} values`)
  return values
}

/** Converts a value to its internal form; a tactic may have several internal names. */
function readValues({ kind, words = {} }: ListField, value: unknown, path: string): FilterValue[] {
  if (kind === 'number') return Number.isSafeInteger(value) ? [Number(value)] : rejectFilter(path, 'must be a whole number')
  if (kind === 'flag') return typeof value === 'boolean' ? [Number(value)] : rejectFilter(path, 'must be true or false')
  if (kind === 'word') {
    const word = readWord(Object.keys(words), value, path)
    return [words[word] ?? word]
  }
  const text = readText(value, path)
  switch (kind) {
    case 'instant': {
      const instant = instantParameter.safeParse(text)
      return instant.success ? [instant.data] : rejectFilter(path, 'must be an RFC 3339 time or a date')
    }
    case 'addresses':
      return [normalizeAddress(text) ?? rejectFilter(path, 'must be an IPv4 or IPv6 address')]
    case 'ip':
      return parseAddress(text) === undefined ? rejectFilter(path, 'must be an IPv4 or IPv6 address') : [text]
    case 'tactic': {
      const names = findTacticNames(text)
      return names.length > 0 ? names : rejectFilter(path, 'must be a tactic, such as execution or TA0002')
    }
    case 'technique':
      if (!isTechnique(text)) return rejectFilter(path, 'must be a technique, such as T1059 or T1059.001')
      // Rules keep the ids that ATT&CK had when they were written.
      return [...listTechniqueIds(text)]
    default:
      return [text]
  }
}

function readText(value: unknown, path: string): string {
  const { soughtLengthMax } = limits.state
  if (typeof value !== 'string') return rejectFilter(path, 'must be a string')
  return value.length <= soughtLengthMax ? value : rejectFilter(path, `must have at most ${soughtLengthMax} characters`)
}

function readWord(words: readonly string[], value: unknown, path: string): string {
  return words.find((word) => word === value) ?? rejectFilter(path, `must be one of ${words.join(', ')}`)
}

function readNetwork(value: unknown, path: string): string {
  const text = readText(value, path)
  return parseNetwork(text) === undefined ? rejectFilter(path, 'must be a network, such as 10.0.0.0/8') : text
}

function rejectFilter(path: string, problem: string): never {
  const place = `filters${path}`
  throw new AppError('INVALID_PARAMETER', `${place} ${problem}`, { parameter: 'filters', path: place })
}
