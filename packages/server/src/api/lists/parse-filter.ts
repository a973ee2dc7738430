import { instantParameter } from '../../contract/page.ts'
import { normalizeAddress, parseAddress } from '../../domain/address.ts'
import { AppError } from '../../domain/app-error.ts'
import { isTechnique, tacticNames } from '../../domain/attack.ts'
import { filterOperators } from '../../domain/filter.ts'
import type { Comparison, Filter, FilterOperator, FilterValue } from '../../domain/filter.ts'
import { isJsonObject, measureJson, parseJson, skipBlanks } from '../../domain/json.ts'
import { operatorsOfKind } from '../../domain/list-fields.ts'
import type { ListField, ListFields } from '../../domain/list-fields.ts'
import { parseNetwork } from '../../domain/network.ts'
import { limits } from '../../limits.ts'
import { compareLevels, levelWords } from './severity-filter.ts'
import { unknownField } from './unknown-field.ts'

/**
 * Reads a structured filter (section 3.3). Length and depth are checked before anything is parsed, the rest before
 * anything is built: what comes out fits the fields of the list and has the words that are used inside.
 *
 * @throws AppError INVALID_QUERY_FIELD for a field that the list cannot be filtered by; INVALID_PARAMETER, with the
 *   place, for anything else that does not fit.
 */
export function parseFilter(fields: ListFields, text: string): Filter {
  const { filterBytesMax, filterBracketsMax } = limits.lists
  const bytes = Buffer.from(text)
  if (bytes.length > filterBytesMax) refuse('', `has more than ${filterBytesMax} bytes`)
  const extent = measureJson(bytes, skipBlanks(bytes, 0, bytes.length), bytes.length)
  const { filterDepthMax } = limits.state
  if (extent !== undefined && extent.depth > filterBracketsMax) refuse('', `nests deeper than ${filterDepthMax} levels`)
  const parsed = parseJson(text)
  if ('problem' in parsed) refuse('', `is not valid JSON: ${parsed.problem}`)
  return new Reader(fields).read(parsed.value, '', 1)
}

/** Reads the parts of one filter; counts its comparisons. */
class Reader {
  readonly #fields: ListFields
  #leafCount = 0

  constructor(fields: ListFields) {
    this.#fields = fields
  }

  read(value: unknown, path: string, depth: number): Filter {
    const { filterDepthMax, filterLeavesMax } = limits.state
    if (depth > filterDepthMax) refuse(path, `nests deeper than ${filterDepthMax} levels`)
    if (!isJsonObject(value)) return refuse(path, "must be an object: {and}, {or}, {not} or {field, op, value}")
    const [name = '', ...others] = Object.keys(value)
    if (others.length === 0 && (name === 'and' || name === 'or')) {
      const parts = this.#readParts(value[name], `${path}.${name}`, depth)
      return name === 'and' ? { and: parts } : { or: parts }
    }
    if (others.length === 0 && name === 'not') return { not: this.read(value['not'], `${path}.not`, depth + 1) }
    this.#leafCount++
    if (this.#leafCount > filterLeavesMax) refuse('', `has more than ${filterLeavesMax} comparisons`)
    return this.#readLeaf(value, path)
  }

  #readParts(value: unknown, path: string, depth: number): Filter[] {
    if (!Array.isArray(value) || value.length === 0) return refuse(path, 'must be a list of at least one part')
    return value.map((part, index) => this.read(part, `${path}[${index}]`, depth + 1))
  }

  #readLeaf(leaf: { readonly [name: string]: unknown }, path: string): Comparison {
    const stranger = Object.keys(leaf).find((name) => name !== 'field' && name !== 'op' && name !== 'value')
    if (stranger !== undefined) refuse(path, `unknown key '${stranger.slice(0, 64)}'; a comparison has field, op and value`)
    const { field: name, op, value } = leaf
    if (typeof name !== 'string') return refuse(path, 'must have the name of a field as field')
    const field = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined
    if (field?.isFiltered !== true) throw unknownField(this.#fields, 'isFiltered', name)
    const operator = filterOperators.find((known) => known === op)
    const allowed = operatorsOfKind[field.kind]
    if (operator === undefined || !allowed.includes(operator)) {
      return refuse(`${path}.op`, `'${name}' takes one of ${allowed.join(', ')}`)
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
    return typeof value === 'boolean' ? { field: name, operator, value } : refuse(path, "'exists' takes true or false")
  }
  const values = listOf(operator, value, path)
  if (operator === 'cidr') return { field: name, operator, value: values.map((value) => readNetwork(value, path))[0] ?? '' }
  if (field.kind === 'level') {
    const words = values.map((value) => readWord(Object.keys(levelWords), value, path))
    return compareLevels(name, operator, words)
  }
  const read = values.flatMap((value) => readValues(field, value, path))
  // What has several names inside is one of them.
  if (field.kind === 'tactic') {
    return { field: name, operator: operator === 'eq' || operator === 'in' ? 'in' : 'nin', value: read }
  }
  return { field: name, operator, value: Array.isArray(value) ? read : (read[0] ?? '') }
}

function listOf(operator: FilterOperator, value: unknown, path: string): readonly unknown[] {
  const { filterValuesOfOneMax } = limits.lists
  const isMany = operator === 'in' || operator === 'nin' || operator === 'between'
  if (isMany !== Array.isArray(value)) refuse(path, isMany ? `'${operator}' takes a list` : `'${operator}' takes one value`)
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (operator === 'between' && values.length !== 2) refuse(path, "'between' takes two values")
  if (values.length > filterValuesOfOneMax) refuse(path, `'${operator}' takes at most ${filterValuesOfOneMax} values`)
  return values
}

/** A value as it is inside; a tactic may have several names there. */
function readValues({ kind, words = {} }: ListField, value: unknown, path: string): FilterValue[] {
  if (kind === 'number') return Number.isSafeInteger(value) ? [Number(value)] : refuse(path, 'must be a whole number')
  if (kind === 'flag') return typeof value === 'boolean' ? [Number(value)] : refuse(path, 'must be true or false')
  if (kind === 'word') {
    const word = readWord(Object.keys(words), value, path)
    return [words[word] ?? word]
  }
  const text = readText(value, path)
  switch (kind) {
    case 'instant': {
      const instant = instantParameter.safeParse(text)
      return instant.success ? [instant.data] : refuse(path, 'must be an RFC 3339 time or a date')
    }
    case 'addresses':
      return [normalizeAddress(text) ?? refuse(path, 'must be an address of IPv4 or IPv6')]
    case 'ip':
      return parseAddress(text) === undefined ? refuse(path, 'must be an address of IPv4 or IPv6') : [text]
    case 'tactic': {
      const names = tacticNames(text)
      return names.length > 0 ? names : refuse(path, 'must be a tactic, such as execution or TA0002')
    }
    case 'technique':
      return isTechnique(text) ? [text.toUpperCase()] : refuse(path, 'must be a technique, such as T1059 or T1059.001')
    default:
      return [text]
  }
}

function readText(value: unknown, path: string): string {
  const { soughtLengthMax } = limits.state
  if (typeof value !== 'string') return refuse(path, 'must be a text')
  return value.length <= soughtLengthMax ? value : refuse(path, `must have at most ${soughtLengthMax} characters`)
}

function readWord(words: readonly string[], value: unknown, path: string): string {
  return words.find((word) => word === value) ?? refuse(path, `must be one of ${words.join(', ')}`)
}

function readNetwork(value: unknown, path: string): string {
  const text = readText(value, path)
  return parseNetwork(text) === undefined ? refuse(path, 'must be a network, such as 10.0.0.0/8') : text
}

function refuse(path: string, problem: string): never {
  const place = `filters${path}`
  throw new AppError('INVALID_PARAMETER', `${place} ${problem}`, { parameter: 'filters', path: place })
}
