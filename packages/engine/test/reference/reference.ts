import type { EventObject, Logsource } from '../../src/event/event.ts'
import { isInNetwork } from './reference-cidr.ts'
import { conditionHolds } from './reference-condition.ts'
import { findField, numberOf, searchedTexts, textOf } from './reference-event.ts'
import type { FieldOptions, FieldLookup } from './reference-event.ts'
import { applyModifier, plainValue } from './reference-modifiers.ts'
import type { Comparison, Placeholders, Value } from './reference-modifiers.ts'
import { parseRegex } from './reference-regex.ts'
import { literalTokens, anyRun, patternMatches } from './reference-text.ts'
import { readTimePart } from './reference-time.ts'

/** A rule as parsed YAML: maps, lists and scalars. */
export type RuleObject = { readonly [attribute: string]: unknown }

export type ReferenceOptions = FieldOptions & { readonly placeholders?: Placeholders }

/** The event and options of one evaluation. */
type Context = { readonly event: EventObject; readonly options: ReferenceOptions }

/**
 * Reference evaluator: decides whether the detection of a rule matches an event, directly from the YAML. Slow and
 * simple, for comparison with the engine. Ignores the logsource. Throws when the detection is not valid.
 */
export function referenceMatches(rule: RuleObject, event: EventObject, options: ReferenceOptions = {}): boolean {
  const { detection } = rule
  if (!isMap(detection)) throw new Error('The rule has no detection.')
  const context = { event, options }
  const selections = Object.entries(detection).filter(([name]) => name !== 'condition' && name !== 'timeframe')
  const held = new Map(selections.map(([name, selection]) => [name, selectionHolds(selection, context)]))
  const names = [...held.keys()]
  const holds = (name: string): boolean => held.get(name) ?? false
  const conditions = listOf(Object.getOwnPropertyDescriptor(detection, 'condition')?.value)
  return conditions.map((condition) => conditionHolds(textIn(condition), { names, holds })).includes(true)
}

/** Whether every key of the logsource of a rule has the same value in that of the event. */
export function logsourceContains(rule: Logsource, event: Logsource): boolean {
  return (['category', 'product', 'service'] as const)
    .every((key) => rule[key] === undefined || rule[key] === event[key])
}

function selectionHolds(selection: unknown, context: Context): boolean {
  if (Array.isArray(selection)) {
    if (selection.length === 0) throw new Error('A selection is an empty list.')
    const parts = selection.map((part) => part === null ? itemHolds('', part, context) : selectionHolds(part, context))
    return parts.includes(true)
  }
  if (!isMap(selection)) {
    if (selection === null) throw new Error('A selection is null.')
    return itemHolds('', selection, context)
  }
  const items = Object.entries(selection)
  if (items.length === 0) throw new Error('A selection is empty.')
  return !items.map(([key, value]) => itemHolds(key, value, context)).includes(false)
}

const anchors = ['contains', 'startswith', 'endswith']

/** A detection item: a key such as `field|contains|all` and its value or values; without a field, keywords. */
function itemHolds(key: string, value: unknown, context: Context): boolean {
  const [field = '', ...modifiers] = key.split('|')
  const plain = listOf(value).map(plainValue)
  if (plain.length === 0) throw new Error(`${key} has no values.`)
  const transformers = modifiers.filter((modifier) => modifier !== 'all' && modifier !== 'neq')
  const placeholders = context.options.placeholders ?? {}
  const results = plain.map((first) => {
    let alternatives = [first]
    for (const modifier of transformers) {
      alternatives = alternatives.flatMap((alternative) => applyModifier(alternative, modifier, placeholders))
    }
    return alternatives.map((alternative) => field === ''
      ? keywordHolds(alternative, !transformers.some((modifier) => anchors.includes(modifier)), context)
      : fieldHolds(field, alternative, context)).includes(true)
  })
  const isHeld = modifiers.includes('all') ? !results.includes(false) : results.includes(true)
  return modifiers.includes('neq') ? !isHeld : isHeld
}

/** Searches a keyword in each scalar of the event: anywhere in it unless a modifier anchors it. */
function keywordHolds(value: Value, isAnywhere: boolean, context: Context): boolean {
  const leaves = searchedTexts(context.event)
  switch (value.kind) {
    case 'text': {
      const tokens = isAnywhere ? [anyRun, ...value.tokens, anyRun] : value.tokens
      return leaves.some((leaf) => patternMatches(tokens, leaf, value.isCased ?? false))
    }
    case 'number': return keywordHolds(plainValue(String(value.number)), isAnywhere, context)
    case 'boolean': return keywordHolds(plainValue(String(value.boolean)), isAnywhere, context)
    case 'regex': return leaves.some((leaf) => parseRegex(value.pattern, value.flags).test(leaf))
    case 'null': return false
    default: throw new Error(`A ${value.kind} needs a field.`)
  }
}

function fieldHolds(field: string, value: Value, context: Context): boolean {
  const found = findField(context.event, field, context.options)
  switch (value.kind) {
    case 'exists': return found.isPresent === value.isExpected
    case 'null': return !found.isPresent || found.elements.includes(null)
    case 'reference': return referenceHolds(found, value, context)
    default: return found.elements.some((element) => elementHolds(element, value))
  }
}

function elementHolds(element: unknown, value: Exclude<Value, { kind: 'exists' | 'null' | 'reference' }>): boolean {
  const text = textOf(element)
  switch (value.kind) {
    case 'text': return text !== undefined && patternMatches(value.tokens, text, value.isCased ?? false)
    case 'regex': return text !== undefined && parseRegex(value.pattern, value.flags).test(text)
    case 'number': return numberOf(element) === value.number
    case 'boolean': return text?.toLowerCase() === String(value.boolean)
    case 'network': return typeof element === 'string' && isInNetwork(value.network, element)
    case 'comparison': {
      const number = value.part === undefined ? numberOf(element) : readTimePart(element, value.part)
      return number !== undefined && compare(number, value.comparison, value.number)
    }
  }
}

/** Compares any element of one field with any element of the other. */
function referenceHolds(found: FieldLookup, value: Extract<Value, { kind: 'reference' }>, context: Context): boolean {
  const other = findField(context.event, value.field, context.options)
  return other.elements.map(textOf).some((needle) => {
    if (needle === undefined) return false
    const start = value.opensStart ? [anyRun] : []
    const end = value.opensEnd ? [anyRun] : []
    const tokens = [...start, ...literalTokens(needle), ...end]
    return found.elements.map(textOf)
      .some((text) => text !== undefined && patternMatches(tokens, text, value.isCased ?? false))
  })
}

function compare(left: number, comparison: Comparison, right: number): boolean {
  switch (comparison) {
    case 'eq': return left === right
    case 'gt': return left > right
    case 'gte': return left >= right
    case 'lt': return left < right
    case 'lte': return left <= right
  }
}

function isMap(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw new Error('A condition is no text.')
  return value
}
