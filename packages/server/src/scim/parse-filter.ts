import { limits } from '../limits.ts'
import { findAttribute } from './resource-types.ts'
import type { Attribute, ResourceType } from './resource-types.ts'
import { createScimError } from './scim-error.ts'

/** An attribute or sub-attribute; undefined for one that is accepted and not kept, which has no value. */
export type AttributePath = readonly Attribute[] | undefined

const comparisons = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type ScimOperator = (typeof comparisons)[number]
export type ComparedValue = string | number | boolean | null

/** A filter of resources, or of the values of an attribute (RFC 7644, section 3.4.2.2). */
export type ScimFilter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly part: ScimFilter }
  | { readonly kind: 'compare'; readonly path: AttributePath; readonly op: ScimOperator; readonly value: ComparedValue }
  | { readonly kind: 'present'; readonly path: AttributePath }
  /** Whether one value of an attribute satisfies all of a filter. */
  | { readonly kind: 'some'; readonly path: AttributePath; readonly filter: ScimFilter }

/** What an operation of a PATCH names: an attribute, values of it, and a sub-attribute of these. */
export type PatchTarget = {
  readonly attribute: Attribute
  readonly filter: ScimFilter | undefined
  readonly sub: Attribute | undefined
}

/** Parses a filter of resources. @throws AppError with the type `invalidFilter`. */
export function parseScimFilter(type: ResourceType, text: string): ScimFilter {
  const parser = new FilterParser(type, tokenize(text, 'invalidFilter'))
  return parser.parseWhole()
}

/**
 * Parses the path of an operation; undefined for an attribute that is accepted and not kept.
 *
 * @throws AppError with the type `invalidPath` or `invalidFilter`.
 */
export function parsePatchPath(type: ResourceType, text: string): PatchTarget | undefined {
  const [, name = '', filterText, subName] = /^([^[\]]+)(?:\[(.*)\](?:\.([^[\].]+))?)?$/s.exec(text.trim()) ?? []
  const path = findPath(type, name)
  if (path === 'unknown') throw createScimError('invalidPath', `there is no attribute '${shorten(text)}'`)
  const [attribute, ownSub] = path ?? []
  if (attribute === undefined) return undefined
  if (filterText === undefined) return { attribute, filter: undefined, sub: ownSub }
  const { subAttributes = [] } = attribute
  const sub = subName === undefined ? undefined : findAttribute(subAttributes, subName)
  const isUsable = attribute.isMultiValued === true && ownSub === undefined && (subName === undefined || sub !== undefined)
  if (!isUsable) throw createScimError('invalidPath', `'${shorten(text)}' is no path of values`)
  const filter = new FilterParser({ ...type, attributes: subAttributes }, tokenize(filterText, 'invalidFilter')).parseWhole()
  return { attribute, filter, sub }
}

/** Finds an attribute or sub-attribute by its path, which may begin with the URN of its schema. */
function findPath(type: ResourceType, text: string): AttributePath | 'unknown' {
  const isOwn = text.toLowerCase().startsWith(`${type.schema.toLowerCase()}:`)
  const local = isOwn ? text.slice(type.schema.length + 1) : text
  // Attributes of extensions, such as those of the enterprise user, are accepted and not kept.
  if (/^urn:/i.test(local)) return undefined
  const [name = '', subName, ...others] = local.split('.')
  const attribute = findAttribute(type.attributes, name)
  if (attribute === undefined) return type.ignored.has(name.toLowerCase()) ? undefined : 'unknown'
  if (subName === undefined) return [attribute]
  const sub = findAttribute(attribute.subAttributes ?? [], subName)
  return sub === undefined || others.length > 0 ? 'unknown' : [attribute, sub]
}

function tokenize(text: string, problem: 'invalidFilter'): readonly string[] {
  const { filterLengthMax, filterTokensMax } = limits.scim
  if (text.length > filterLengthMax) throw createScimError(problem, `the filter has more than ${filterLengthMax} characters`)
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[()[\]]|[^\s()[\]"]+|"/gs) ?? []
  if (tokens.length > filterTokensMax) throw createScimError(problem, `the filter has more than ${filterTokensMax} words`)
  return tokens
}

/** Recursive descent, `or` weaker than `and`, `not` before parentheses; its depth is bounded. */
class FilterParser {
  readonly #type: ResourceType
  readonly #tokens: readonly string[]
  #at = 0
  #depth = 0

  constructor(type: ResourceType, tokens: readonly string[]) {
    this.#type = type
    this.#tokens = tokens
  }

  parseWhole(): ScimFilter {
    const filter = this.#parseOr()
    if (this.#at < this.#tokens.length) throw this.#fail()
    return filter
  }

  #parseOr(): ScimFilter {
    const parts = [this.#parseAnd()]
    while (this.#takeWord('or')) parts.push(this.#parseAnd())
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'or', parts }
  }

  #parseAnd(): ScimFilter {
    const parts = [this.#parseTerm()]
    while (this.#takeWord('and')) parts.push(this.#parseTerm())
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'and', parts }
  }

  #parseTerm(): ScimFilter {
    if (this.#takeWord('not')) {
      if (this.#tokens[this.#at] !== '(') throw this.#fail()
      return { kind: 'not', part: this.#parseTerm() }
    }
    if (this.#takeWord('(')) return this.#parseInside(')', () => this.#parseOr())
    const path = this.#parsePath()
    if (this.#takeWord('[')) {
      const [attribute] = path ?? []
      const inner = new FilterParser({ ...this.#type, attributes: attribute?.subAttributes ?? [] }, this.#takeUntilBracket())
      return { kind: 'some', path, filter: inner.parseWhole() }
    }
    if (this.#takeWord('pr')) return { kind: 'present', path }
    const op = comparisons.find((name) => this.#takeWord(name))
    if (op === undefined) throw this.#fail()
    return { kind: 'compare', path, op, value: this.#parseValue() }
  }

  #parseInside(end: string, parse: () => ScimFilter): ScimFilter {
    this.#depth++
    if (this.#depth > limits.scim.filterDepthMax) {
      throw createScimError('invalidFilter', `the filter nests deeper than ${limits.scim.filterDepthMax} levels`)
    }
    const filter = parse()
    if (!this.#takeWord(end)) throw this.#fail()
    this.#depth--
    return filter
  }

  /** The tokens up to the closing bracket, which is taken too: values of values have no filters. */
  #takeUntilBracket(): readonly string[] {
    const end = this.#tokens.indexOf(']', this.#at)
    if (end === -1) throw this.#fail()
    const inside = this.#tokens.slice(this.#at, end)
    if (inside.includes('[')) throw this.#fail()
    this.#at = end + 1
    return inside
  }

  #parsePath(): AttributePath {
    const name = this.#tokens[this.#at]
    if (name === undefined || /^["()[\]]/.test(name)) throw this.#fail()
    this.#at++
    const path = findPath(this.#type, name)
    if (path === 'unknown') throw createScimError('invalidFilter', `there is no attribute '${shorten(name)}' to filter by`)
    return path
  }

  #parseValue(): ComparedValue {
    const token = this.#tokens[this.#at++]
    const value = token === undefined ? undefined : readValue(token)
    if (value === undefined) throw this.#fail()
    return value
  }

  #takeWord(word: string): boolean {
    if (this.#tokens[this.#at]?.toLowerCase() !== word) return false
    this.#at++
    return true
  }

  #fail(): Error {
    const token = this.#tokens[this.#at]
    const place = token === undefined ? 'its end' : `'${shorten(token)}'`
    return createScimError('invalidFilter', `the filter cannot be read at ${place}; write it as userName eq "ann@example.org"`)
  }
}

/** A JSON text, number, boolean or null; booleans in any case of letters, as some providers write them. */
function readValue(token: string): ComparedValue | undefined {
  try {
    const value: unknown = JSON.parse(token.startsWith('"') ? token : token.toLowerCase())
    return typeof value === 'object' && value !== null ? undefined : value as ComparedValue
  } catch {
    // Not JSON; the caller reports the place.
    return undefined
  }
}

/** What of a text is repeated in an error. */
function shorten(text: string): string {
  return text.length <= 64 ? text : `${text.slice(0, 64)}...`
}
