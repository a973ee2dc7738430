import type { Pattern, Test } from '@tripline/engine/predicate'

/** A part of a predicate that a language cannot state as it is meant. */
export class UnsayableError extends Error {
  override readonly name = 'UnsayableError'
}

/** How a query language states conditions. Each text is true or false of every event, also where the field is absent. */
export type QueryDialect = {
  readonly and: (parts: readonly string[]) => string
  readonly or: (parts: readonly string[]) => string
  readonly not: (part: string) => string
  readonly constant: (value: boolean) => string
  /** @throws UnsayableError */
  readonly test: (field: string, value: Test['value']) => string
  /** Whether a field passes one of several tests, where that is shorter than a test each. @throws UnsayableError */
  readonly anyTest?: (field: string, values: readonly Test['value'][]) => string
  /** Makes a whole query of a condition; `source` is the table or index. */
  readonly query: (condition: string, source: string) => string
}

/**
 * A chain of conditions is a tree as deep as it is long: SQLite refuses one deeper than 1,000, Elasticsearch and Kusto one
 * of some hundreds. So long chains are chains of short ones.
 */
const chainLength = 100

/** Joins conditions by a word, in brackets where there are several. */
export function joinConditions(parts: readonly string[], word: string): string {
  if (parts.length === 1) return parts[0]!
  if (parts.length <= chainLength) return `(${parts.join(` ${word} `)})`
  const size = Math.ceil(parts.length / chainLength)
  const chains = Array.from({ length: Math.ceil(parts.length / size) }, (_, at) => parts.slice(at * size, (at + 1) * size))
  return joinConditions(chains.map((chain) => joinConditions(chain, word)), word)
}

/** Parts of a pattern as texts: one for literal text, one for each wildcard; a choice of characters becomes several patterns. */
type PatternPrinter = { readonly text: (text: string) => string; readonly any: string; readonly one: string | undefined }

/** Prints a pattern; a choice of characters gives one text for each of them. @throws UnsayableError without the wildcard. */
export function printPatterns(pattern: Pattern, { text, any, one }: PatternPrinter): string[] {
  return pattern.reduce<string[]>((before, part) => {
    if (part.kind === 'one' && one === undefined) throw new UnsayableError("a wildcard for one character ('?')")
    const parts = part.kind === 'text' ? [text(part.text)]
      : part.kind === 'any' ? [any] : part.kind === 'one' ? [one!] : [...part.characters].map(text)
    if (before.length * parts.length > 256) throw new UnsayableError('a pattern of more than 256 alternatives')
    return before.flatMap((begin) => parts.map((end) => begin + end))
  }, [''])
}

type SimplePattern = { readonly text: string; readonly isOpenBefore: boolean; readonly isOpenAfter: boolean }

/** A pattern that is literal text between wildcards at its ends; undefined for others. */
export function readSimplePattern(pattern: Pattern): SimplePattern | undefined {
  const isOpenBefore = pattern[0]?.kind === 'any'
  const isOpenAfter = pattern.length > (isOpenBefore ? 1 : 0) && pattern.at(-1)?.kind === 'any'
  const inner = pattern.slice(isOpenBefore ? 1 : 0, isOpenAfter ? -1 : undefined)
  const texts = inner.map((part) => part.kind === 'text' ? part.text : undefined)
  return texts.includes(undefined) ? undefined : { text: texts.join(''), isOpenBefore, isOpenAfter }
}

/** A regular expression with its flags in front, as RE2 reads them. */
export function printRegex({ source, ignoresCase, isMultiline, dotMatchesNewline }: Extract<Test['value'], { kind: 'regex' }>): string {
  const flags = (ignoresCase ? 'i' : '') + (isMultiline ? 'm' : '') + (dotMatchesNewline ? 's' : '')
  return flags === '' ? source : `(?${flags})${source}`
}

/** The texts that begin or are the addresses of an IPv4 network: `10.`, `172.16.`, `192.168.1.7`. */
export function listAddressPrefixes(network: bigint, prefixLength: number): string[] {
  const address = [24n, 16n, 8n, 0n].map((shift) => Number((network >> shift) & 255n))
  const octets = Math.floor(prefixLength / 8)
  const whole = address.slice(0, octets).join('.')
  const rest = prefixLength % 8
  const dot = (text: string, count: number): string => count === 4 || text === '' ? text : `${text}.`
  if (rest === 0) return [dot(whole, octets)]
  return Array.from({ length: 2 ** (8 - rest) }, (_, i) => dot([...address.slice(0, octets), address[octets]! + i].join('.'), octets + 1))
}
