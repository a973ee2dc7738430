import type { CompiledFilter } from '../apply-filters.ts'
import type { CompiledCorrelation } from '../correlation/compiled-correlation.ts'
import type { RuleLogsource } from '../event/event.ts'
import type { ElementQuantifier, ValueTest, WrittenItem } from '../predicate/predicate.ts'
import type { CorrelationRule } from '../sigma/correlation.ts'
import type { Level } from '../sigma/rule.ts'

// The layout of a saved rule set: a mark, the format, the lengths of three sections, a checksum of them, and the sections. The
// first section is JSON and read at once. The other two are read on demand: the second has the nodes of predicates in chunks,
// each a JSON array, and the third the attributes of each rule as JSON.

export const magic = Array.from('TRIPLINE RULES', (character) => character.charCodeAt(0))

/** Changes with every change of the layout, of what a predicate means, and of which regular expressions need RE2. */
export const format = 2

/** Bytes before the sections: the mark, the format, three lengths, the checksum. */
export const headLength = magic.length + 4 * 5

/** Nodes in a chunk, but for the last one: some five rules, which are parsed in less than a millisecond. */
export const chunkLength = 64

/** The kinds of nodes; their numbers are in saved files. */
export const nodeKinds = { and: 0, or: 1, not: 2, constant: 3, group: 4, elements: 5, test: 6 } as const

/**
 * A node of a predicate; others stand as their numbers, which are lower than its own. Nodes that rules share stay shared, and
 * nothing recurses when they are read.
 */
export type SavedNode =
  | readonly [typeof nodeKinds.and | typeof nodeKinds.or, ...of: number[]]
  | readonly [typeof nodeKinds.not, of: number]
  | readonly [typeof nodeKinds.constant, value: boolean]
  | readonly [typeof nodeKinds.group, name: string, of: number]
  | readonly [typeof nodeKinds.elements, field: string, quantifier: ElementQuantifier, of: number]
  | readonly [typeof nodeKinds.test, field: string | null, written: number, writtenValue: string | null, value: SavedValue]

/** The literals of a pattern, which mostly are the value as it was written: that is then null in its node. */
export function joinTexts(pattern: readonly unknown[]): string {
  let joined = ''
  for (let at = 1; at < pattern.length; at++) {
    const part = pattern[at]
    if (typeof part === 'string') joined = joined === '' ? part : joined + part
  }
  return joined
}

/** A text pattern in short, as most values are; any other value as it is, but for numbers that JSON lacks. */
export type SavedValue =
  | readonly [isCased: 0 | 1, ...pattern: SavedPart[]]
  | { readonly kind: Exclude<ValueTest['kind'], 'text'>; readonly value?: number | string | boolean; readonly network?: string }

/** A literal, a wildcard for any run or for one character, or one of some characters. */
export type SavedPart = string | 0 | 1 | readonly [characters: string]

export type SavedRuleHead = readonly [
  id: string, name: string | null, title: string, level: Level | null, logsource: number, path: string, node: number,
  attributesLength: number,
]

export type SavedFilter = Omit<CompiledFilter, 'ruleNames' | 'predicate'> & {
  readonly ruleNames: readonly string[] | null
  readonly node: number
}

type SavedAliases = readonly (readonly [string, readonly (readonly [string, string])[]])[]

export type SavedCorrelationRule = Omit<CompiledCorrelation, 'rule'> & {
  readonly rule: Omit<CorrelationRule, 'correlation'> & {
    readonly correlation: Omit<CorrelationRule['correlation'], 'aliases'> & { readonly aliases: SavedAliases }
  }
}

/** The first section. */
export type SavedBody = {
  readonly written: readonly WrittenItem[]
  /** The lengths of the chunks of nodes in bytes. */
  readonly chunkLengths: readonly number[]
  /** Whether a test is a regular expression for which the lazy DFA may not be enough. */
  readonly needsRe2: boolean
  readonly logsources: readonly RuleLogsource[]
  readonly rules: readonly SavedRuleHead[]
  readonly filters: readonly SavedFilter[]
  readonly correlations: readonly SavedCorrelationRule[]
}
