import { suggestName } from '../diagnostics.ts'
import type { DiagnosticCollector } from '../diagnostics.ts'
import { limits } from '../limits.ts'
import { parsePattern } from '../predicate/pattern.ts'
import type { DraftValue } from './draft-value.ts'
import { checkModifierCombination, checkValues } from './lint-item.ts'
import { countAlternatives, applyModifier, listModifiers, modifiers, tooManyAlternatives } from './modifiers.ts'
import type { ModifierContext } from './modifiers.ts'
import { parsePlaceholders } from './placeholders.ts'
import type { PlaceholderSets } from './placeholders.ts'
import { estimateValueWork, workUnits } from '../compile/work-budget.ts'
import type { WorkBudget } from '../compile/work-budget.ts'
import type { DetectionItem } from './rule.ts'
import type { YamlScalar } from './yaml-document.ts'

/** Options that affect values. */
export type ModifyOptions = {
  readonly placeholders: PlaceholderSets
  readonly isStrict: boolean
  /** Bounds the work; without it, only the limits of the engine do. */
  readonly budget?: WorkBudget | undefined
}

/** A value of a detection item after its modifiers. */
export type ModifiedValue = { readonly source: YamlScalar; readonly draft: DraftValue }

/**
 * Applies the modifiers of a detection item to its values, left to right. Reports and omits each value that a
 * modifier does not accept.
 */
export function modifyItem(item: DetectionItem, options: ModifyOptions, collector: DiagnosticCollector): readonly ModifiedValue[] {
  const chain = item.modifiers.filter((name) => !listModifiers.includes(name))
  if (!hasKnownModifiers(item, collector)) return []
  checkModifierCombination(item, options.isStrict, collector)
  checkValues(item, collector)
  const modified: ModifiedValue[] = []
  let alternativesLeft: number = limits.itemAlternativesMax
  const { budget } = options
  const isRegex = chain.includes('re')
  for (const source of item.values) {
    if (budget?.spend(estimateValueWork(source.text, isRegex)) === false) break
    const draft = modifyValue(source, chain, { item, options, alternativesLeft }, collector)
    if (draft === undefined) continue
    const alternativeCount = countAlternatives(draft)
    alternativesLeft -= alternativeCount
    budget?.spend(Math.max(0, alternativeCount - 1) * workUnits.value)
    modified.push({ source, draft })
    if (alternativesLeft >= 0) continue
    collector.error({ code: 'LIMIT_EXCEEDED', message: tooManyAlternatives, offset: source.offset })
    break
  }
  return modified
}

function hasKnownModifiers(item: DetectionItem, collector: DiagnosticCollector): boolean {
  const { offset } = item
  if (item.modifiers.length > limits.itemModifiersMax) {
    const message = `the item has ${item.modifiers.length} modifiers; the limit is ${limits.itemModifiersMax}`
    collector.error({ code: 'LIMIT_EXCEEDED', message, offset })
    return false
  }
  const base64Count = item.modifiers.filter((name) => modifiers.get(name)?.family === 'base64').length
  if (base64Count > limits.base64StepsMax) {
    const message = `the item encodes to Base64 ${base64Count} times; the limit is ${limits.base64StepsMax}`
    collector.error({ code: 'LIMIT_EXCEEDED', message, offset })
    return false
  }
  const unknown = item.modifiers.filter((name) => !modifiers.has(name) && !listModifiers.includes(name))
  for (const name of unknown) {
    const message = name === '' ? "the modifier after '|' is empty" : `'${name}' is not a modifier`
    collector.error({ code: 'UNKNOWN_MODIFIER', message, offset, hint: suggestName(name, [...modifiers.keys(), ...listModifiers]) })
  }
  return unknown.length === 0
}

function modifyValue(
  source: YamlScalar,
  chain: readonly string[],
  { item, options, alternativesLeft }: { item: DetectionItem; options: ModifyOptions; alternativesLeft: number },
  collector: DiagnosticCollector,
): DraftValue | undefined {
  const { offset } = source
  let rejectionCount = 0
  const applied: string[] = []
  const context: ModifierContext = {
    source: source.text,
    applied,
    hasField: item.field !== undefined,
    isStrict: options.isStrict,
    placeholders: options.placeholders,
    alternativesLeft,
    reject(code, message, kind = 'error') {
      rejectionCount++
      collector[kind]({ code, message, offset })
    },
    lint(code, message, hint) {
      collector.lint({ code, message, offset, hint })
    },
  }
  let draft = createDraft(source, chain.includes('expand'), context)
  for (const name of chain) {
    const modifier = modifiers.get(name)
    if (draft === undefined || modifier === undefined) break
    const rejectionsBefore = rejectionCount
    draft = applyModifier(name, modifier, draft, context)
    applied.push(name)
    if (draft === undefined && rejectionCount === rejectionsBefore) {
      context.reject('INVALID_VALUE', `'${name}' accepts ${modifier.takes}, not ${describeInput(source, applied.slice(0, -1))}`)
    }
  }
  if (draft !== undefined) checkSize(draft, context)
  return rejectionCount === 0 ? draft : undefined
}

/** Creates the draft of a value before any modifier. */
function createDraft(source: YamlScalar, hasPlaceholders: boolean, context: ModifierContext): DraftValue | undefined {
  if (source.text.length > limits.valueLengthMax) {
    context.reject('LIMIT_EXCEEDED', `a value has ${source.text.length} characters; the limit is ${limits.valueLengthMax}`)
    return undefined
  }
  const { value, text } = source
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string') {
    const parts = hasPlaceholders ? parsePlaceholders(value) : parsePattern(value)
    return { kind: 'text', parts, isCased: false, isBytes: false }
  }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (Number.isFinite(value)) return { kind: 'number', value, text }
  context.reject('INVALID_VALUE', `'${text}' is not a finite number`)
  return undefined
}

function describeInput(source: YamlScalar, applied: readonly string[]): string {
  const type = source.value === null ? 'null' : typeof source.value === 'string' ? 'text' : `the ${typeof source.value}`
  const value = source.value === null || typeof source.value === 'string' ? type : `${type} ${source.text}`
  return applied.length === 0 ? value : `${value} after '${applied.join('|')}'`
}

function checkSize(draft: DraftValue, context: ModifierContext): void {
  if (draft.kind === 'any') for (const alternative of draft.of) checkSize(alternative, context)
  else if (draft.kind === 'text') {
    const singleCount = draft.parts.filter((part) => part.kind === 'one' || part.kind === 'oneOf').length
    if (singleCount <= limits.singleWildcardsMax) return
    const message = `a value has ${singleCount} single-character wildcards; the limit is ${limits.singleWildcardsMax}`
    context.reject('LIMIT_EXCEEDED', message)
  }
}
