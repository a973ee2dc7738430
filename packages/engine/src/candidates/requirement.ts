import { foldCase } from '../event/fold-case.ts'
import { normalizePattern } from '../predicate/pattern.ts'
import type { Pattern } from '../predicate/pattern.ts'
import { computeShortestMatch } from '../predicate/matchers/regex-length.ts'
import type { Predicate, RegexTest, Test } from '../predicate/predicate.ts'
import { parseExpression } from '../predicate/regex/parse-expression.ts'
import { findRequiredLiterals } from '../predicate/regex/required-literals.ts'
import { extractRegexLiterals } from './regex-literal.ts'

/** A literal, number, length or run that a search can find in a field without running a rule; without a field, in any leaf. */
export type Needle = { readonly field: string | undefined } & (
  | { readonly kind: 'text'; readonly anchor: Anchor; /** Case folded. */ readonly text: string }
  | { readonly kind: 'number'; readonly value: number }
  /** Any text of at least so many UTF-16 units. */
  | { readonly kind: 'length'; readonly least: number }
  /** Any text with so many characters in a row each of which is beyond ASCII or, case folded, one of some. */
  | { readonly kind: 'run'; readonly characters: string; readonly least: number }
)

/** Where in the text of a value a needle must be. */
export type Anchor = 'whole' | 'start' | 'end' | 'anywhere'

/**
 * A necessary condition of a predicate: every event that it matches contains at least one of these needles. An empty list
 * means that it matches nothing.
 */
export type Requirement = readonly Needle[]

/**
 * Finds a requirement of a predicate; undefined if there is none or it is uncertain. The requirement is necessary, not
 * sufficient: an event with one of the needles need not match.
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
    // A search cannot find conditions on list elements.
    case 'elements':
      return undefined
  }
}

/** Finds a requirement of a negation: mostly there is none, because a search cannot find absence. */
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

/** Prints a requirement in a line: `Image ...\cmd.exe | CommandLine ...whoami...`. */
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
 * Lists the requirements of a comparison, best first. Each is necessary; together they are sufficient only if
 * `isProvenByNeedle`.
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

/** Nearly all values are shorter, even command lines: a regular expression that needs more rarely runs. */
const usefulLengthMin = 64

/**
 * Lists the literals of an expression or, if it has none, its longest run of characters, or its minimum length; the last
 * two only for fields, not for leaves.
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

/** Texts that are equivalent to a pattern: one of them is at the anchor exactly if the pattern matches. */
export type PatternTexts = { readonly anchor: Anchor; readonly texts: readonly string[] }

/** A pattern with more texts is not spelled out. The dashes of `windash` are five. */
const spellingsMax = 8

/**
 * Spells out a normalized pattern that is text with optional wildcards around it, possibly with alternatives of single
 * characters; undefined for others. Texts are case folded.
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

/** Maximum literals of a pattern, and the minimum length of all but the first: shorter ones are too frequent. */
const literalsMax = 3

const literalLengthMin = 3
const edgeLengthMin = 2

/** Lists the longest literals of a pattern, at least one, with their anchors. */
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

/** Estimates how often a needle of a requirement is found by chance. */
export function estimateRequirementCost(requirement: Requirement): number {
  return requirement.reduce((sum, needle) => sum + estimateNeedleCost(needle), 0)
}

/**
 * Estimates how often a needle is found by chance: longer and anchored ones are rarer. Program names are short and end a
 * path, and still common; numbers are mostly event ids, of which there are few. In the fields that matter one value in
 * four is longer than 64 characters, and one in sixty longer than 1,000; runs are rarer.
 */
function estimateNeedleCost(needle: Needle): number {
  if (needle.kind === 'number') return 0.02
  if (needle.kind === 'length') return usefulLengthMin / 4 / needle.least
  if (needle.kind === 'run') return 4 / needle.least
  const length = Math.min(needle.text.length, 16)
  const byLength = 2 ** (-length / 2)
  return needle.field === undefined ? byLength * 8 : needle.anchor === 'anywhere' ? byLength : byLength / 2
}

/** At least `least` consecutive characters that are beyond ASCII or, case folded, among `characters`. */
type RequiredRun = { readonly characters: string; readonly least: number }

/** Finds the longest run that every match of a regular expression contains; undefined if none is long. */
function findRequiredRun(test: RegexTest): RequiredRun | undefined {
  const expression = parseExpression(test.source, test)
  const run = expression && findRequiredLiterals(expression).run
  if (run === undefined) return undefined
  const characters = Array.from(run.members, (isMember, code) => (isMember === 1 ? foldCase(String.fromCharCode(code)) : ''))
  return { characters: [...new Set(characters)].join(''), least: run.length }
}
