import type { Pattern } from '@tripline/engine/predicate'
import type { Bound, Order, Query, RangeEnd, Term, TermValue } from './ast.ts'
import { classifyWord, getLiteralText } from './read-word.ts'
import { orders } from './syntax-tree.ts'
import { isOperator } from './tokenize.ts'

/**
 * Prints the canonical text of a query: operators in capitals, AND written out, quotes where they are needed,
 * and alternatives of one field as `field:(a OR b)` where they need parentheses. The text parses back to the
 * same tree, and prints as itself; with AND written out it may be longer than `limits.queryBytesMax`.
 */
export function printQuery(query: Query): string {
  return printNode(query, false)
}

const signs: ReadonlyMap<Order, string> = new Map(Object.entries(orders).map(([sign, order]) => [order, sign]))

/** Prints the value of a term, the part after the colon. */
export function printValue(value: TermValue): string {
  switch (value.kind) {
    case 'text':
      return printText(value.pattern)
    case 'number':
    case 'network':
      return value.text
    case 'null':
      return 'null'
    case 'exists':
      return '*'
    case 'regex':
      return `/${value.source.replaceAll(/\\[^]|\//g, (found) => (found === '/' ? String.raw`\/` : found))}/${value.ignoresCase ? 'i' : ''}`
    case 'compare':
      return `${signs.get(value.operator)}${printBound(value.bound)}`
    case 'range':
      return printRange(value.low, value.high)
  }
}

/** Prints the name of a field, the part before the colon. */
export function printField(name: string): string {
  const word = escapeWord(name, isSpecialInBareWord)
  return word === name && name !== '' && !isOperator(name) ? name : quoteText(name)
}

function printTerm({ field, value, isAnyField }: Term): string {
  if (isAnyField) return `*:${printValue(value)}`
  if (field !== undefined) return `${printField(field)}:${printValue(value)}`
  return value.kind === 'text' ? printBare(value.pattern) : printValue(value)
}

/** Operator precedence. */
const ranks = { or: 1, and: 2, not: 3, all: 4, term: 4 } as const

/** Prints a node; in a list of a field's values, `field:(a OR b)`, terms are printed without the field. */
function printNode(query: Query, isInList: boolean): string {
  switch (query.kind) {
    case 'all':
      return '*'
    case 'term':
      return isInList ? printValue(query.value) : printTerm(query)
    case 'not':
      return `NOT ${printOperand(query.of, 'not', isInList)}`
    case 'and':
    case 'or':
      return query.of.map((part) => printOperand(part, query.kind, isInList)).join(query.kind === 'and' ? ' AND ' : ' OR ')
  }
}

/** Prints an operand, in parentheses if its precedence is lower than its parent's. */
function printOperand(query: Query, parent: 'and' | 'or' | 'not', isInList: boolean): string {
  if (ranks[query.kind] >= ranks[parent]) return printNode(query, isInList)
  const field = isInList ? undefined : findCommonField(query)
  return field === undefined ? `(${printNode(query, isInList)})` : `${field}:(${printNode(query, true)})`
}

/** The field of all terms of a query, as it prints; undefined if they differ. */
function findCommonField(query: Query): string | undefined {
  if (query.kind === 'all') return undefined
  if (query.kind === 'term') return query.isAnyField ? '*' : query.field === undefined ? undefined : printField(query.field)
  if (query.kind === 'not') return findCommonField(query.of)
  const [first, ...others] = query.of.map(findCommonField)
  return others.every((field) => field === first) ? first : undefined
}

function printRange(low: RangeEnd, high: RangeEnd): string {
  const [open, close] = [low.isInclusive ? '[' : '{', high.isInclusive ? ']' : '}']
  return `${open}${printBound(low.bound)} TO ${printBound(high.bound)}${close}`
}

/** Prints one end of a range. */
export function printBound({ text }: Bound): string {
  return text.includes(' ') ? quoteText(text) : text
}

function printText(pattern: Pattern): string {
  const text = getLiteralText(pattern)
  if (text === undefined) {
    // `field:*` tests that the field is present, even without text.
    const isAny = pattern.length === 1 && pattern[0]?.kind === 'any'
    return isAny ? '**' : printPattern(pattern, isSpecialInValue)
  }
  return isPlain(text, isSpecialInValue) && classifyWord(text) === 'text' && !startsRegex(text) ? text : quoteText(text)
}

function printBare(pattern: Pattern): string {
  const text = getLiteralText(pattern)
  if (text === undefined) return printPattern(pattern, isSpecialInBareWord)
  return isPlain(text, isSpecialInBareWord) && !startsRegex(text) ? text : quoteText(text)
}

/** Whether a text parses back to itself without quotes. */
function isPlain(text: string, isSpecial: IsSpecial): boolean {
  return text !== '' && !isOperator(text) && escapeWord(text, isSpecial) === text
}

/** Whether a word might be read as a regular expression; one with wildcards is escaped at its first slash. */
function startsRegex(text: string): boolean {
  return /^\/.+\/i?$/s.test(text)
}

/** Whether a character is special at its place in a word. */
type IsSpecial = (character: string, isFirst: boolean) => boolean

const specialAnywhere = /[\s()"*?]/

function isSpecialInValue(character: string, isFirst: boolean): boolean {
  return specialAnywhere.test(character) || (isFirst && /[<>[\]{}]/.test(character))
}

function isSpecialInBareWord(character: string, isFirst: boolean): boolean {
  return character === ':' || isSpecialInValue(character, isFirst)
}

function printPattern(pattern: Pattern, isSpecial: IsSpecial): string {
  const word = joinPattern(pattern, isSpecial)
  return startsRegex(word) ? `\\${word}` : word
}

function joinPattern(pattern: Pattern, isSpecial: IsSpecial): string {
  return pattern.map((part, i) => {
    if (part.kind === 'any') return '*'
    if (part.kind === 'one') return '?'
    if (part.kind === 'oneOf') throw new Error('alternatives of one character have no text in a query')
    // A text after a wildcard is not first in the word, and one before a wildcard does not end it with its backslash.
    const before = i === 0 ? '' : '*'
    const after = pattern[i + 1] === undefined ? '' : '*'
    const escaped = escapeWord(`${before}${part.text}${after}`, isSpecial)
    return escaped.slice(before === '' ? 0 : 2, after === '' ? undefined : -2)
  }).join('')
}

/** Escapes special characters, and backslashes that would start an escape. */
function escapeWord(text: string, isSpecial: IsSpecial): string {
  let escaped = ''
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    const next = text[at + 1]
    const isEscape = character === '\\' && (next === undefined || isEscapable(next))
    escaped += isEscape || isSpecial(character, at === 0) ? `\\${character}` : character
  }
  return escaped
}

function isEscapable(character: string): boolean {
  return specialAnywhere.test(character) || /[:\\<>[\]{}/]/.test(character)
}

function quoteText(text: string): string {
  return `"${text.replaceAll(/"|\\(?=["\\]|$)/g, String.raw`\$&`)}"`
}
