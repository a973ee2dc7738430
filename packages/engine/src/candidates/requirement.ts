import { foldCase } from '../event/fold-case.ts'
import { normalizePattern } from '../predicate/pattern.ts'
import type { Pattern } from '../predicate/pattern.ts'
import { computeShortestMatch } from '../predicate/matchers/regex-length.ts'
import type { Predicate, RegexTest, Test } from '../predicate/predicate.ts'
import { extractRegexLiterals } from './regex-literal.ts'
import { findRequiredRun } from './regex-run.ts'

/** Something that can be looked for in one field without running a rule. Without a field it is looked for in every leaf. */
export type Needle = { readonly field: string | undefined } & (
  | { readonly kind: 'text'; readonly anchor: Anchor; /** Case folded. */ readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  /** Any text of at least so many UTF-16 units. */
  | { readonly kind: 'length'; readonly least: number }
  /** Any text with so many characters in a row each of which is beyond ASCII or, case folded, one of some. */
  | { readonly kind: 'run'; readonly characters: string; readonly least: number }
)

/** Where a needle stands in the text of a value. */
export type Anchor = 'whole' | 'start' | 'end' | 'anywhere'

/**
 * What must be true of every event that a predicate matches: at least one of some needles is there. None at
 * all means that it matches nothing.
 */
export type Requirement = readonly Needle[]

/**
 * Finds a requirement of a predicate; undefined where nothing is known. It may only ever weaken: an event
 * that the predicate matches has one of the needles, an event that has one need not match. Whenever unsure,
 * it says nothing.
 */
export function findRequirement(predicate: Predicate): Requirement | undefined {
  switch (predicate.kind) {
    case 'test':
      return listTestRequirements(predicate)[0]
    case 'group':
      return findRequirement(predicate.of)
    case 'and':
      return pickCheapest(predicate.of.map(findRequirement))
    case 'or':
      return uniteRequirements(predicate.of.map(findRequirement))
    case 'constant':
      return predicate.value ? undefined : []
    case 'not':
      return findNegatedRequirement(predicate.of)
    // What is true of elements of a list cannot be looked for.
    case 'elements':
      return undefined
  }
}

/** What must be true where a predicate does not hold: mostly unknown, because absence cannot be looked for. */
function findNegatedRequirement(predicate: Predicate): Requirement | undefined {
  switch (predicate.kind) {
    case 'not':
      return findRequirement(predicate.of)
    case 'group':
      return findNegatedRequirement(predicate.of)
    case 'and':
      return uniteRequirements(predicate.of.map(findNegatedRequirement))
    case 'or':
      return pickCheapest(predicate.of.map(findNegatedRequirement))
    case 'constant':
      return predicate.value ? [] : undefined
    case 'test':
    case 'elements':
      return undefined
  }
}

/** A requirement in a line, for people and tests: `Image ...\cmd.exe | CommandLine ...whoami...`. */
export function printRequirement(requirement: Requirement | undefined): string {
  if (requirement === undefined) return 'anything'
  if (requirement.length === 0) return 'nothing'
  return requirement.map(printNeedle).join(' | ')
}

function printNeedle(needle: Needle): string {
  const field = needle.field ?? '*'
  if (needle.kind === 'number') return `${field} ${needle.value}`
  if (needle.kind === 'length') return `${field} of ${needle.least} characters`
  if (needle.kind === 'run') return `${field} with ${needle.least} of ${needle.characters}`
  const opensStart = needle.anchor === 'end' || needle.anchor === 'anywhere'
  const opensEnd = needle.anchor === 'start' || needle.anchor === 'anywhere'
  return `${field} ${opensStart ? '...' : ''}${needle.text}${opensEnd ? '...' : ''}`
}

/**
 * What must be true of every event on which a comparison holds, each by itself and together still not enough where
 * the comparison is no plain text or number; the best first, none where nothing is known.
 */
export function listTestRequirements({ field, value }: Test): readonly Requirement[] {
  if (value.kind === 'number') return [[{ field, kind: 'number', value: value.value }]]
  if (value.kind === 'boolean') return [[{ field, kind: 'text', anchor: 'whole', text: String(value.value) }]]
  if (value.kind === 'regex') return listRegexRequirements(field, value)
  if (value.kind !== 'text') return []
  const pattern = normalizePattern(value.pattern)
  const whole = spellOutPattern(pattern)
  if (whole !== undefined) return [whole.texts.map((text) => ({ field, kind: 'text', anchor: whole.anchor, text }))]
  return listPatternNeedles(pattern).map((needle) => [{ field, kind: 'text', ...needle }])
}

/** Nearly all values are shorter, command lines too: a regular expression that needs more hardly ever runs. */
const usefulLengthMin = 64

/**
 * Its literals or, where it has none, its longest run of characters, or as many characters as it takes; leaves are
 * not looked at for these.
 */
function listRegexRequirements(field: string | undefined, value: RegexTest): readonly Requirement[] {
  const groups = extractRegexLiterals(value)
  if (groups.length > 0) {
    return groups.map((texts) => texts.map((text) => ({ field, kind: 'text', anchor: 'anywhere', text: foldCase(text) })))
  }
  const run = field === undefined ? undefined : findRequiredRun(value)
  if (run !== undefined) return [[{ field, kind: 'run', ...run }]]
  const least = computeShortestMatch(value.source)
  return least < usefulLengthMin || field === undefined ? [] : [[{ field, kind: 'length', least }]]
}

/** Texts of which one stands where a pattern holds, and the other way round. */
export type PatternTexts = { readonly anchor: Anchor; readonly texts: readonly string[] }

/** More spellings of one pattern are not worth their needles. The dashes of `windash` are five. */
const spellingsMax = 8

/**
 * Spells out a pattern, in its shortest form, that is nothing but text with wildcards around it, where some
 * places may have one of a few characters; undefined for others. Texts are case folded.
 */
export function spellOutPattern(pattern: Pattern): PatternTexts | undefined {
  const opensStart = pattern[0]?.kind === 'any'
  const opensEnd = pattern.length > 1 && pattern.at(-1)?.kind === 'any'
  let texts = ['']
  for (const part of pattern.slice(opensStart ? 1 : 0, opensEnd ? -1 : undefined)) {
    if (part.kind !== 'text' && part.kind !== 'oneOf') return undefined
    const endings = part.kind === 'text' ? [part.text] : Array.from(part.characters)
    texts = texts.flatMap((text) => endings.map((ending) => text + ending))
    if (texts.length > spellingsMax) return undefined
  }
  // A lone wildcard is in every text.
  if (opensStart && texts[0] === '') return undefined
  const anchor = opensStart ? (opensEnd ? 'anywhere' : 'end') : opensEnd ? 'start' : 'whole'
  return { anchor, texts: [...new Set(texts.map(foldCase))] }
}

/** The literals of a pattern, the longest ones and at least one, with their places where those are certain. */
function listPatternNeedles(pattern: Pattern): readonly { readonly anchor: Anchor; readonly text: string }[] {
  if (pattern.length === 0) return [{ anchor: 'whole', text: '' }]
  const needles = pattern.flatMap((part, i) => {
    if (part.kind !== 'text') return []
    const isFirst = i === 0
    const isLast = i === pattern.length - 1
    const anchor: Anchor = isFirst && isLast ? 'whole' : isFirst ? 'start' : isLast ? 'end' : 'anywhere'
    return [{ anchor, text: foldCase(part.text) }]
  })
  const longest = needles.toSorted((a, b) => b.text.length - a.text.length)
  return longest.filter(({ anchor, text: { length } }, i) => (
    i === 0 || (i < literalsMax && length >= (anchor === 'anywhere' ? literalLengthMin : edgeLengthMin))
  ))
}

/** How many literals of a pattern are looked for, and how short the others may be, at an edge too: shorter ones say little. */
const literalsMax = 3
const literalLengthMin = 3
const edgeLengthMin = 2

function uniteRequirements(parts: readonly (Requirement | undefined)[]): Requirement | undefined {
  const known = parts.filter((part) => part !== undefined)
  return known.length === parts.length ? known.flat() : undefined
}

function pickCheapest(parts: readonly (Requirement | undefined)[]): Requirement | undefined {
  let best: Requirement | undefined
  let bestCost = Infinity
  for (const part of parts) {
    if (part === undefined) continue
    const cost = estimateRequirementCost(part)
    if (cost < bestCost) {
      best = part
      bestCost = cost
    }
  }
  return best
}

/** How often a needle of a requirement is found by chance, roughly. */
export function estimateRequirementCost(requirement: Requirement): number {
  return requirement.reduce((sum, needle) => sum + estimateNeedleCost(needle), 0)
}

/**
 * How often a needle is found by chance, roughly: longer ones more seldom, anchored ones too. Names of
 * programs are short and end a path, and still common; a number is one of few, such as event ids. One value in
 * four is longer than 64 characters where that matters, and one in sixty than 1,000; runs of them are rarer.
 */
function estimateNeedleCost(needle: Needle): number {
  if (needle.kind === 'number') return 0.02
  if (needle.kind === 'length') return usefulLengthMin / 4 / needle.least
  if (needle.kind === 'run') return 4 / needle.least
  const length = Math.min(needle.text.length, 16)
  const byLength = 2 ** (-length / 2)
  return needle.field === undefined ? byLength * 8 : needle.anchor === 'anywhere' ? byLength : byLength / 2
}
