import type { DiagnosticCode } from '../diagnostics.ts'
import { limits } from '../limits.ts'
import { checkRegex } from '../predicate/matchers/re2.ts'
import { parseCidr } from '../predicate/matchers/cidr.ts'
import { anyRun } from '../predicate/pattern.ts'
import type { ComparisonOperator, FieldRefTest, RegexTest, TimePart } from '../predicate/predicate.ts'
import type { DraftPart, DraftValue, TextDraft } from './draft-value.ts'
import { mapLiterals, replaceParts, toExactNumber } from './draft-value.ts'
import { encodeBase64, encodeBase64Offsets, toBytes, encodeUtf16, encodeUtf16Be, encodeUtf16Le } from './encodings.ts'
import { fillPlaceholders, fillRegexPlaceholders, getPlaceholderValues } from './placeholders.ts'
import { listPlaceholders, listRegexPlaceholders } from './placeholders.ts'
import type { PlaceholderSets } from './placeholders.ts'
import { varyDashes } from './windash.ts'

/** The context in which a modifier rewrites one value. */
export type ModifierContext = {
  /** The text of the value before any modifier. */
  readonly source: string
  /** The modifiers already applied, without `all` and `neq`. */
  readonly applied: readonly string[]
  readonly hasField: boolean
  readonly isStrict: boolean
  readonly placeholders: PlaceholderSets
  /** How many more alternatives the item may expand to (`limits.itemAlternativesMax` less those it has). */
  readonly alternativesLeft: number
  /** Reports that the value is invalid; the caller then ignores the returned draft. */
  reject(code: DiagnosticCode, message: string, kind?: 'error' | 'unsupported' | 'unconfigured'): void
  lint(code: DiagnosticCode, message: string, hint?: string): void
}

/** Rewrites a value; returns undefined when the modifier does not accept the value. */
type Rewrite = (draft: DraftValue, context: ModifierContext, name: string) => DraftValue | undefined

/** A modifier: its rewrite, the values it accepts, and its family in the combination rules of the Sigma 2.2 draft. */
type Modifier = {
  readonly rewrite: Rewrite
  /** The values it accepts, for the error message. */
  readonly takes: string
  /** `alone` excludes other modifiers, `anchor` may occur once, `encoding` must precede `base64`. */
  readonly family: 'alone' | 'anchor' | 'cased' | 'dash' | 'encoding' | 'base64' | 'flag' | 'expand' | 'regex' | 'fieldref'
}

/** The modifiers that rewrite values. `all` and `neq` change how values are joined and are handled separately. */
export const modifiers: ReadonlyMap<string, Modifier> = new Map<string, Modifier>([
  ['contains', { rewrite: anchorText('contains'), takes: 'text', family: 'anchor' }],
  ['startswith', { rewrite: anchorText('startswith'), takes: 'text', family: 'anchor' }],
  ['endswith', { rewrite: anchorText('endswith'), takes: 'text', family: 'anchor' }],
  ['cased', { rewrite: setCased, takes: 'text', family: 'cased' }],
  ['windash', { rewrite: rewriteText(varyDashes), takes: 'text', family: 'dash' }],
  ['wide', { rewrite: encodeText(encodeUtf16Le), takes: 'text', family: 'encoding' }],
  ['utf16le', { rewrite: encodeText(encodeUtf16Le), takes: 'text', family: 'encoding' }],
  ['utf16be', { rewrite: encodeText(encodeUtf16Be), takes: 'text', family: 'encoding' }],
  ['utf16', { rewrite: encodeText(encodeUtf16), takes: 'text', family: 'encoding' }],
  ['base64', { rewrite: toBase64, takes: 'text without wildcards', family: 'base64' }],
  ['base64offset', { rewrite: toBase64Offsets, takes: 'text without wildcards', family: 'base64' }],
  ['re', { rewrite: toRegex, takes: 'text without modifiers before it', family: 'regex' }],
  ['i', { rewrite: setRegexFlag({ ignoresCase: true }), takes: 'a regular expression', family: 'flag' }],
  ['ignorecase', { rewrite: setRegexFlag({ ignoresCase: true }), takes: 'a regular expression', family: 'flag' }],
  ['m', { rewrite: setRegexFlag({ isMultiline: true }), takes: 'a regular expression', family: 'flag' }],
  ['multiline', { rewrite: setRegexFlag({ isMultiline: true }), takes: 'a regular expression', family: 'flag' }],
  ['s', { rewrite: setRegexFlag({ dotMatchesNewline: true }), takes: 'a regular expression', family: 'flag' }],
  ['dotall', { rewrite: setRegexFlag({ dotMatchesNewline: true }), takes: 'a regular expression', family: 'flag' }],
  ['exists', { rewrite: toExists, takes: 'true or false', family: 'alone' }],
  ['cidr', { rewrite: toCidr, takes: 'a network without modifiers before it', family: 'alone' }],
  ['gt', { rewrite: compareWith('gt'), takes: 'a number', family: 'alone' }],
  ['gte', { rewrite: compareWith('gte'), takes: 'a number', family: 'alone' }],
  ['lt', { rewrite: compareWith('lt'), takes: 'a number', family: 'alone' }],
  ['lte', { rewrite: compareWith('lte'), takes: 'a number', family: 'alone' }],
  ['minute', { rewrite: extractTimePart('minute'), takes: 'a number', family: 'alone' }],
  ['hour', { rewrite: extractTimePart('hour'), takes: 'a number', family: 'alone' }],
  ['day', { rewrite: extractTimePart('day'), takes: 'a number', family: 'alone' }],
  ['week', { rewrite: extractTimePart('week'), takes: 'a number', family: 'alone' }],
  ['month', { rewrite: extractTimePart('month'), takes: 'a number', family: 'alone' }],
  ['year', { rewrite: extractTimePart('year'), takes: 'a number', family: 'alone' }],
  ['expand', { rewrite: expandPlaceholders, takes: 'text', family: 'expand' }],
  ['fieldref', { rewrite: toFieldRef, takes: 'a field name', family: 'fieldref' }],
])

/** All modifiers by name. */
export const modifierNames: readonly string[] = [...modifiers.keys(), 'all', 'neq']

/** The modifiers that change how the values of an item are joined. */
export const listModifiers: readonly string[] = ['all', 'neq']

/** The message for an item that expands to too many values. */
export const tooManyAlternatives = `the modifiers expand the values of the item to more than ${limits.itemAlternativesMax} alternatives`

/** Applies a modifier to a draft, or to each of its alternatives; undefined when it does not accept the value. */
export function applyModifier(name: string, modifier: Modifier, draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  if (draft.kind !== 'any') return modifier.rewrite(draft, context, name)
  const of: DraftValue[] = []
  let expandedCount = 0
  for (const alternative of draft.of) {
    const rewritten = applyModifier(name, modifier, alternative, { ...context, alternativesLeft: context.alternativesLeft - expandedCount })
    if (rewritten === undefined) return undefined
    expandedCount += countAlternatives(rewritten)
    if (expandedCount > context.alternativesLeft) return reportTooMany(draft, context)
    of.push(rewritten)
  }
  return { kind: 'any', of }
}

/** Counts the alternatives of a draft. */
export function countAlternatives(draft: DraftValue): number {
  return draft.kind === 'any' ? draft.of.reduce((sum, alternative) => sum + countAlternatives(alternative), 0) : 1
}

/** Makes a rewrite that accepts only text and never fails on it. */
function rewriteText(change: (draft: TextDraft) => TextDraft): Rewrite {
  return (draft) => (draft.kind === 'text' ? change(draft) : undefined)
}

function anchorText(relation: 'contains' | 'startswith' | 'endswith'): Rewrite {
  const opensStart = relation !== 'startswith'
  const opensEnd = relation !== 'endswith'
  return (draft, context, name) => {
    if (draft.kind === 'text') return openTextAnchors(draft, opensStart, opensEnd)
    if (draft.kind === 'regex') return openRegexAnchors(draft, opensStart, opensEnd, context)
    if (draft.kind === 'fieldRef') {
      return { ...draft, relation: draft.relation === 'equals' ? relation : joinRelations(draft.relation, relation) }
    }
    if (draft.kind !== 'number') return undefined
    context.lint('NUMBER_AS_TEXT', `the number ${draft.text} is compared as text because of '${name}'`, 'quote the value')
    const text: TextDraft = { kind: 'text', parts: [{ kind: 'text', text: draft.text }], isCased: false, isBytes: false }
    return openTextAnchors(text, opensStart, opensEnd)
  }
}

/** Joins two anchors on a field reference: equal anchors stay, different ones become `contains`. */
function joinRelations(first: FieldRefTest['relation'], second: FieldRefTest['relation']): FieldRefTest['relation'] {
  return first === second ? first : 'contains'
}

/** Adds a `*` to each opened end that has none. */
function openTextAnchors(draft: TextDraft, opensStart: boolean, opensEnd: boolean): TextDraft {
  const parts: DraftPart[] = [...draft.parts]
  if (opensStart && parts[0]?.kind !== 'any') parts.unshift(anyRun)
  if (opensEnd && parts.at(-1)?.kind !== 'any') parts.push(anyRun)
  return replaceParts(draft, parts)
}

/** Has no effect on an unanchored search; kept so that the printed pattern shows the modifier. */
function openRegexAnchors(draft: RegexTest, opensStart: boolean, opensEnd: boolean, context: ModifierContext): RegexTest {
  if (draft.source === '') context.reject('INVALID_REGEX', 'an empty regular expression matches everything and cannot be anchored')
  if (opensStart && draft.source.startsWith('(?i)')) {
    context.reject('INVALID_REGEX', "the modifier moves the flag '(?i)' away from the start; use the modifier 'i' instead")
  }
  const startIsSet = draft.source.startsWith('.*') || draft.source.startsWith('^')
  const endIsSet = draft.source.endsWith('.*') || draft.source.endsWith('$')
  return { ...draft, source: `${opensStart && !startIsSet ? '.*' : ''}${draft.source}${opensEnd && !endIsSet ? '.*' : ''}` }
}

function setCased(draft: DraftValue): DraftValue | undefined {
  return draft.kind === 'text' || draft.kind === 'fieldRef' ? { ...draft, isCased: true } : undefined
}

function encodeText(change: (text: string) => string): Rewrite {
  return (draft, context, name) => {
    if (draft.kind !== 'text') return undefined
    if (context.applied.some((earlier) => modifiers.get(earlier)?.family === 'base64')) {
      context.lint('ENCODING_ORDER', `'${name}' after a Base64 modifier encodes the Base64 text`, `put '${name}' first`)
    }
    return { ...mapLiterals(draft, change), isBytes: true }
  }
}

/** Lists the literal texts of a draft, one for each dash variant of `windash`; reports wildcards as invalid. */
function listLiterals(draft: DraftValue, context: ModifierContext): TextDraft[] | undefined {
  if (draft.kind !== 'text') return undefined
  if (draft.parts.some((part) => part.kind === 'any' || part.kind === 'one')) {
    context.reject('INVALID_VALUE', 'text with wildcards cannot be encoded as Base64')
    return undefined
  }
  if (draft.parts.some((part) => part.kind === 'placeholder')) {
    context.reject('INVALID_VALUE', "text with placeholders cannot be encoded as Base64; put 'expand' first")
    return undefined
  }
  let texts = ['']
  for (const part of draft.parts) {
    const choices = part.kind === 'text' ? [part.text] : part.kind === 'oneOf' ? Array.from(part.characters) : ['']
    if (texts.length * choices.length > context.alternativesLeft) {
      reportTooMany(draft, context)
      return undefined
    }
    texts = texts.flatMap((start) => choices.map((choice) => start + choice))
  }
  return texts.map((text) => replaceParts(draft, [{ kind: 'text', text }]))
}

function getLiteralText(draft: TextDraft): string {
  return draft.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('')
}

function createBytesDraft(draft: TextDraft, text: string): TextDraft {
  return { kind: 'text', parts: text === '' ? [] : [{ kind: 'text', text }], isCased: draft.isCased, isBytes: false }
}

function toBase64(draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  return joinAlternatives(listLiterals(draft, context)?.map((text) => createBytesDraft(text,
    encodeBase64(toBytes(getLiteralText(text), text.isBytes)))))
}

function toBase64Offsets(draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  const literals = listLiterals(draft, context)
  if (literals === undefined) return undefined
  let shortest = Infinity
  const variants: TextDraft[] = []
  for (const literal of literals) {
    for (const text of encodeBase64Offsets(toBytes(getLiteralText(literal), literal.isBytes))) {
      if (text === '') continue
      shortest = Math.min(shortest, text.length)
      variants.push(createBytesDraft(literal, text))
    }
  }
  if (variants.length === 0) context.reject('INVALID_VALUE', 'an empty text has no Base64 to search for')
  else if (shortest < 3) {
    const message = `a Base64 variant of '${context.source}' has only ${shortest} certain characters and would match nearly anything`
    if (context.isStrict) context.reject('BASE64_SHORT', message)
    else context.lint('BASE64_SHORT', message)
  }
  return { kind: 'any', of: variants }
}

function joinAlternatives(drafts: readonly DraftValue[] | undefined): DraftValue | undefined {
  return drafts === undefined || drafts.length === 1 ? drafts?.[0] : { kind: 'any', of: drafts }
}

function toRegex(draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  if (draft.kind !== 'text' || context.applied.length > 0) return undefined
  const regex: RegexTest = { kind: 'regex', source: context.source, ignoresCase: false, isMultiline: false, dotMatchesNewline: false }
  reportInvalidRegex(regex, context)
  return regex
}

function reportInvalidRegex(regex: RegexTest, context: ModifierContext): void {
  const problem = checkRegex(regex)
  if (problem?.kind === 'syntax') context.reject('INVALID_REGEX', problem.message)
  if (problem?.kind === 'unsupported') context.reject('UNSUPPORTED_REGEX', problem.message, 'unsupported')
}

function setRegexFlag(flag: Partial<RegexTest>): Rewrite {
  return (draft) => (draft.kind === 'regex' ? { ...draft, ...flag } : undefined)
}

function toExists(draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  if (draft.kind !== 'boolean' || context.applied.length > 0) return undefined
  if (!context.hasField) context.reject('INVALID_VALUE', "'exists' needs a field")
  return { kind: 'exists', isPresent: draft.value }
}

function toCidr(draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  if (draft.kind !== 'text' || context.applied.length > 0) return undefined
  const network = parseCidr(context.source)
  if (!('problem' in network)) return network
  context.reject('INVALID_VALUE', network.problem)
  return draft
}

function compareWith(operator: ComparisonOperator): Rewrite {
  return (draft) => {
    if (draft.kind === 'number') return { kind: 'compare', operator, ...toExactNumber(draft) }
    return draft.kind === 'timePart' && draft.operator === 'eq' ? { ...draft, operator } : undefined
  }
}

function extractTimePart(part: TimePart): Rewrite {
  return (draft) => (draft.kind === 'number' ? { kind: 'timePart', part, operator: 'eq', value: draft.value } : undefined)
}

function toFieldRef(draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  if (draft.kind !== 'text') return undefined
  if (draft.parts.some((part) => part.kind !== 'text')) {
    context.reject('INVALID_VALUE', 'a field name cannot contain wildcards')
  }
  if (!context.hasField) context.reject('INVALID_VALUE', "'fieldref' needs a field")
  if (getLiteralText(draft) === '') context.reject('INVALID_VALUE', 'a field name cannot be empty')
  return { kind: 'fieldRef', field: getLiteralText(draft), relation: 'equals', isCased: draft.isCased }
}

function expandPlaceholders(draft: DraftValue, context: ModifierContext): DraftValue | undefined {
  if (draft.kind === 'regex') return expandRegexPlaceholders(draft, context)
  if (draft.kind !== 'text') return undefined
  const names = listPlaceholders(draft)
  if (names.length === 0 || reportMissing(names, context)) return draft
  return fillPlaceholders(draft, context.placeholders, context.alternativesLeft) ?? reportTooMany(draft, context)
}

function expandRegexPlaceholders(draft: RegexTest, context: ModifierContext): DraftValue {
  const names = listRegexPlaceholders(draft.source)
  if (names.length === 0 || reportMissing(names, context)) return draft
  const sources = fillRegexPlaceholders(draft.source, context.placeholders, context.alternativesLeft)
  if (sources === undefined) return reportTooMany(draft, context)
  const filled = sources.map((source) => ({ ...draft, source }))
  for (const regex of filled) reportInvalidRegex(regex, context)
  return { kind: 'any', of: filled }
}

/** Reports the placeholders that have no configured set, and whether there are any. */
function reportMissing(names: readonly string[], context: ModifierContext): boolean {
  const missing = names.filter((name) => getPlaceholderValues(context.placeholders, name) === undefined)
  for (const name of new Set(missing)) {
    context.reject('UNRESOLVED_PLACEHOLDER', `the placeholder '%${name}%' has no configured set of values`, 'unconfigured')
  }
  return missing.length > 0
}

function reportTooMany(draft: DraftValue, context: ModifierContext): DraftValue {
  context.reject('LIMIT_EXCEEDED', tooManyAlternatives)
  return draft
}
