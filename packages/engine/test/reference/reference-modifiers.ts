import { parseNetwork } from './reference-cidr.ts'
import { encodeBase64, encodeBase64Offsets, utf16Bytes } from './reference-encoding.ts'
import { parseRegex } from './reference-regex.ts'
import { anyRun, literalText, literalTokens, scanPattern } from './reference-text.ts'
import type { Token } from './reference-text.ts'
import { timeParts } from './reference-time.ts'
import type { TimePart } from './reference-time.ts'

/** A value of a detection item between two modifiers. */
export type Value =
  | TextValue
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'boolean'; readonly boolean: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'exists'; readonly isExpected: boolean }
  | { readonly kind: 'regex'; readonly pattern: string; readonly flags: ReadonlySet<string> }
  | { readonly kind: 'network'; readonly network: { readonly bits: string; readonly width: number } }
  | { readonly kind: 'comparison'; readonly comparison: Comparison; readonly number: number; readonly part?: TimePart }
  | FieldReference

export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'

type TextValue = {
  readonly kind: 'text'
  readonly tokens: readonly Token[]
  readonly isCased?: boolean
  /** Whether each character represents one byte, as after `wide`. */
  readonly isBytes?: boolean
  /** The text of the rule, until a modifier changes it. */
  readonly source?: string
}

type FieldReference = {
  readonly kind: 'reference'
  readonly field: string
  readonly opensStart: boolean
  readonly opensEnd: boolean
  readonly isCased?: boolean
}

export type Placeholders = { readonly [name: string]: readonly (string | number)[] }

/** Creates a value from a YAML scalar. */
export function plainValue(scalar: unknown): Value {
  if (typeof scalar === 'string') return { kind: 'text', tokens: scanPattern(scalar), source: scalar }
  if (typeof scalar === 'number') return { kind: 'number', number: scalar }
  if (typeof scalar === 'boolean') return { kind: 'boolean', boolean: scalar }
  if (scalar === null) return { kind: 'null' }
  throw new Error('A value is neither a string nor a number, boolean or null.')
}

/** Applies a modifier to a value and returns the alternatives; throws when the modifier does not accept the value. */
export function applyModifier(value: Value, modifier: string, placeholders: Placeholders): Value[] {
  switch (modifier) {
    case 'contains': return [opened(value, true, true)]
    case 'startswith': return [opened(value, false, true)]
    case 'endswith': return [opened(value, true, false)]
    case 'cased':
      if (value.kind === 'text') return [changed(value, { isCased: true })]
      if (value.kind === 'reference') return [{ ...value, isCased: true }]
      break
    case 'wide': case 'utf16le': case 'utf16be': case 'utf16':
      if (value.kind === 'text') return [changed(value, { tokens: widened(value.tokens, modifier), isBytes: true })]
      break
    case 'base64': case 'base64offset':
      if (value.kind === 'text') return encoded(value, modifier)
      break
    case 'windash':
      if (value.kind === 'text') return dashed(value.tokens).map((tokens) => changed(value, { tokens }))
      break
    case 're':
      if (value.kind === 'text' && value.source !== undefined) return [regex(value.source, new Set())]
      break
    case 'i': case 'ignorecase': return [flagged(value, 'i')]
    case 'm': case 'multiline': return [flagged(value, 'm')]
    case 's': case 'dotall': return [flagged(value, 's')]
    case 'exists':
      if (value.kind === 'boolean') return [{ kind: 'exists', isExpected: value.boolean }]
      break
    case 'cidr':
      if (value.kind === 'text' && value.source !== undefined) {
        return [{ kind: 'network', network: parseNetwork(value.source) }]
      }
      break
    case 'gt': case 'gte': case 'lt': case 'lte':
      if (value.kind === 'number') return [{ kind: 'comparison', comparison: modifier, number: value.number }]
      if (value.kind === 'comparison' && value.part !== undefined) return [{ ...value, comparison: modifier }]
      break
    case 'expand':
      if (value.kind === 'text') {
        return expanded(value.tokens, placeholders).map((tokens) => changed(value, { tokens }))
      }
      if (value.kind === 'regex') {
        return expanded(literalTokens(value.pattern), placeholders)
          .map((tokens) => regex(sourceText(tokens), value.flags))
      }
      break
    case 'fieldref': {
      const field = value.kind === 'text' ? literalText(value.tokens) : undefined
      if (value.kind === 'text' && field !== undefined) {
        const cased = value.isCased === undefined ? {} : { isCased: value.isCased }
        return [{ kind: 'reference', field, opensStart: false, opensEnd: false, ...cased }]
      }
      break
    }
    default: {
      const part = timeParts.find((name) => name === modifier)
      if (part === undefined) throw new Error(`${JSON.stringify(modifier)} is no modifier.`)
      if (value.kind === 'number') return [{ kind: 'comparison', comparison: 'eq', number: value.number, part }]
    }
  }
  throw new Error(`${modifier} does not go with a ${value.kind}.`)
}

/** Applies `contains`, `startswith` and `endswith`; a regular expression matches anywhere in any case. */
function opened(value: Value, start: boolean, end: boolean): Value {
  switch (value.kind) {
    case 'number': return opened({ kind: 'text', tokens: literalTokens(String(value.number)) }, start, end)
    case 'text': {
      const { tokens } = value
      const before = start && !isAnyRun(tokens[0]) ? [anyRun] : []
      const after = end && (tokens.length > 0 || !start) && !isAnyRun(tokens.at(-1)) ? [anyRun] : []
      return changed(value, { tokens: [...before, ...tokens, ...after] })
    }
    case 'reference': return { ...value, opensStart: value.opensStart || start, opensEnd: value.opensEnd || end }
    case 'regex': return value
    default: throw new Error(`A ${value.kind} has no start or end.`)
  }
}

function isAnyRun(token: Token | undefined): boolean {
  return token !== undefined && 'wildcard' in token && token.wildcard === '*'
}

/** Returns a changed text value. */
function changed(value: TextValue, change: Partial<TextValue>): TextValue {
  const { source: _source, ...rest } = value
  return { ...rest, ...change }
}

function regex(pattern: string, flags: ReadonlySet<string>): Value {
  parseRegex(pattern, flags)
  return { kind: 'regex', pattern, flags }
}

function flagged(value: Value, flag: string): Value {
  if (value.kind !== 'regex') throw new Error(`The flag ${flag} belongs to regular expressions.`)
  return regex(value.pattern, new Set([...value.flags, flag]))
}

function widened(tokens: readonly Token[], modifier: 'wide' | 'utf16le' | 'utf16be' | 'utf16'): Token[] {
  const wide = tokens.flatMap((token) =>
    'wildcard' in token ? [token] : literalTokens(utf16Bytes(token.literal, modifier === 'utf16be')))
  return modifier === 'utf16' ? [...literalTokens('\u00ff\u00fe'), ...wide] : wide
}

function encoded(value: TextValue, modifier: 'base64' | 'base64offset'): Value[] {
  const text = literalText(value.tokens)
  if (text === undefined) throw new Error('A value with wildcards has no base64 form.')
  const bytes = Buffer.from(text, value.isBytes === true ? 'latin1' : 'utf8')
  const texts = modifier === 'base64' ? [encodeBase64(bytes)] : encodeBase64Offsets(bytes)
  return texts.map((encodedText) => changed(value, { tokens: literalTokens(encodedText), isBytes: false }))
}

/** Lists all 5^k variants of the dashes at the start of words. */
function dashed(tokens: readonly Token[]): Token[][] {
  const dashes = ['-', '/', '\u2013', '\u2014', '\u2015']
  const isWord = (token: Token | undefined): boolean =>
    token !== undefined && 'literal' in token && /[\p{L}\p{N}_]/u.test(token.literal)
  let ways: Token[][] = [[]]
  for (const [at, token] of tokens.entries()) {
    const isDash = 'literal' in token && dashes.includes(token.literal)
    const beginsWord = isDash && !isWord(tokens[at - 1]) && isWord(tokens[at + 1])
    const choices = beginsWord ? dashes.map((literal): Token => ({ literal })) : [token]
    ways = ways.flatMap((way) => choices.map((choice) => [...way, choice]))
  }
  return ways
}

/** Lists all expansions of `%name%`; `\%` is a literal percent sign. */
function expanded(tokens: readonly Token[], placeholders: Placeholders): Token[][] {
  const [first, ...rest] = tokens
  if (first === undefined) return [[]]
  if (isLiteral(first, '\\') && isLiteral(rest[0], '%')) {
    return expanded(rest.slice(1), placeholders).map((way) => [{ literal: '%' }, ...way])
  }
  const nameLength = isLiteral(first, '%') ? rest.findIndex((token) => isLiteral(token, '%')) : -1
  const name = literalText(rest.slice(0, Math.max(nameLength, 0)))
  if (name === undefined || name === '') return expanded(rest, placeholders).map((way) => [first, ...way])
  const values = Object.hasOwn(placeholders, name) ? placeholders[name] : undefined
  if (values === undefined) throw new Error(`The placeholder ${JSON.stringify(name)} has no values.`)
  const ways = expanded(rest.slice(nameLength + 1), placeholders)
  return values.flatMap((value) => ways.map((way) => [...scanPattern(String(value)), ...way]))
}

/** Prints tokens as regular expression source, wildcards included. */
function sourceText(tokens: readonly Token[]): string {
  return tokens.map((token) => ('literal' in token ? token.literal : token.wildcard)).join('')
}

function isLiteral(token: Token | undefined, literal: string): boolean {
  return token !== undefined && 'literal' in token && token.literal === literal
}
