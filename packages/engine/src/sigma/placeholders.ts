import { parsePattern } from '../predicate/pattern.ts'
import type { DraftPart, DraftValue, TextDraft } from './draft-value.ts'
import { replaceParts } from './draft-value.ts'

/** The values of placeholders, by name without the percent signs. Values may have wildcards. */
export type PlaceholderSets = { readonly [name: string]: readonly (string | number)[] }

/**
 * Parses a text with wildcards, escapes and placeholders such as `%name%`. `\%` is a literal percent sign, and so
 * is one without a partner or an empty pair. Resolves all escapes in one pass, so `\\%name%` is a backslash
 * and a placeholder.
 */
export function parsePlaceholders(text: string): DraftPart[] {
  const parts: DraftPart[] = []
  let run = ''
  let at = 0
  const literal = (end: number) => {
    run += text.slice(at, end)
    if (run !== '') parts.push({ kind: 'text', text: run })
    run = ''
  }
  for (const found of text.matchAll(/\\([*?\\%])|[*?]|%([^%]+)%/g)) {
    const [whole, escaped, name] = found
    if (escaped === undefined) {
      literal(found.index)
      parts.push(name === undefined ? { kind: whole === '*' ? 'any' : 'one' } : { kind: 'placeholder', name })
    } else run += text.slice(at, found.index) + escaped
    at = found.index + whole.length
  }
  literal(text.length)
  return parts
}

export function listPlaceholders(draft: TextDraft): string[] {
  return draft.parts.flatMap((part) => (part.kind === 'placeholder' ? [part.name] : []))
}

/** Returns the values of a placeholder; undefined when it is not configured. */
export function getPlaceholderValues(sets: PlaceholderSets, name: string): readonly string[] | undefined {
  return Object.hasOwn(sets, name) ? sets[name]?.map(String) : undefined
}

/**
 * Replaces the placeholders of a text by their values: one alternative for every combination. Undefined when there
 * are more than `alternativesMax`.
 */
export function fillPlaceholders(draft: TextDraft, sets: PlaceholderSets, alternativesMax: number): DraftValue | undefined {
  const combinations = combineValues(draft.parts, sets, (value) => parsePattern(value), alternativesMax)
  return combinations && { kind: 'any', of: combinations.map((parts) => replaceParts(draft, parts)) }
}

/** Replaces the placeholders of a regular expression; wildcards in values become `.*` and `.`. */
export function fillRegexPlaceholders(source: string, sets: PlaceholderSets, alternativesMax: number): string[] | undefined {
  const combinations = combineValues(splitPlaceholders(source), sets, (value) => [{ kind: 'text',
    text: escapeRegexValue(value) }], alternativesMax)
  return combinations?.map((parts) => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''))
}

/** Lists the names of the placeholders in a regular expression. */
export function listRegexPlaceholders(source: string): string[] {
  return splitPlaceholders(source).flatMap((part) => (part.kind === 'placeholder' ? [part.name] : []))
}

function splitPlaceholders(text: string): DraftPart[] {
  const parts: DraftPart[] = []
  let run = ''
  let at = 0
  for (const found of text.matchAll(/\\%|%([^%]+)%/g)) {
    run += text.slice(at, found.index)
    at = found.index + found[0].length
    const name = found[1]
    if (name === undefined) run += '%'
    else {
      if (run !== '') parts.push({ kind: 'text', text: run })
      run = ''
      parts.push({ kind: 'placeholder', name })
    }
  }
  run += text.slice(at)
  if (run !== '') parts.push({ kind: 'text', text: run })
  return parts
}

function combineValues(
  parts: readonly DraftPart[],
  sets: PlaceholderSets,
  partsOf: (value: string) => readonly DraftPart[],
  alternativesMax: number,
): DraftPart[][] | undefined {
  let combinations: DraftPart[][] = [[]]
  for (const part of parts) {
    const choices = part.kind === 'placeholder' ? (getPlaceholderValues(sets, part.name) ?? []).map(partsOf) : [[part]]
    if (combinations.length * choices.length > alternativesMax) return undefined
    combinations = combinations.flatMap((start) => choices.map((choice) => [...start, ...choice]))
  }
  return combinations
}

function escapeRegexValue(value: string): string {
  return parsePattern(value)
    .map((part) => {
      if (part.kind === 'any') return '.*'
      return part.kind === 'text' ? part.text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : '.'
    })
    .join('')
}
