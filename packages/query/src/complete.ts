import { foldCase } from '@tripline/engine/predicate'
import type { Scalar } from '@tripline/engine/predicate'
import { listFieldNames } from './field-names.ts'
import { limits } from './limits.ts'
import { printField, printValue } from './print.ts'
import type { TextSpan } from './query-error.ts'
import { getLiteralText, parseWordPattern, readQuoted } from './read-word.ts'
import { isOperator, tokenize } from './tokenize.ts'
import type { QueryToken } from './tokenize.ts'

/** A field of stored events, with its frequent values. */
export type CompletionField = {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean' | 'time'
  /** The most frequent first. */
  readonly topValues: readonly Scalar[]
}

/** The fields of stored events, the most frequent first. */
export type CompletionCatalog = { readonly fields: readonly CompletionField[] }

/** A completion at the cursor; `text` is inserted as it is. */
export type Suggestion = { readonly kind: 'field' | 'value' | 'operator'; readonly text: string }

/** The suggestions at a cursor, and the part of the text that they replace. */
export type Completion = { readonly suggestions: readonly Suggestion[]; readonly replaced: TextSpan }

/**
 * Suggests fields, values and operators at a cursor in a query, which may be incomplete: at most `limits.suggestionsMax`,
 * those that start with the text before the cursor first.
 */
export function completeQuery(text: string, cursor: number, catalog: CompletionCatalog): Completion {
  const at = Math.max(0, Math.min(text.length, Math.trunc(cursor) || 0))
  if (text.length > limits.queryBytesMax) return { suggestions: [], replaced: { start: at, end: at } }
  const { word, listField, isAfterTerm } = findCursorContext(text, at)
  const written = text.slice(word.start, at)
  if (listField !== undefined) {
    const operators = suggestOperators(isAfterTerm, written)
    return { suggestions: limitSuggestions([...operators, ...suggestValues(listField, written, catalog)]), replaced: word }
  }
  const colon = findColon(written)
  if (colon === -1) {
    // Keeps a value that is already there.
    const laterColon = findColon(text.slice(word.start, word.end))
    const replaced = laterColon === -1 ? word : { start: word.start, end: word.start + laterColon + 1 }
    return { suggestions: limitSuggestions([...suggestOperators(isAfterTerm, written), ...suggestFields(written, catalog)]), replaced }
  }
  const field = readName(written.slice(0, colon))
  const replaced = { start: word.start + colon + 1, end: word.end }
  return { suggestions: limitSuggestions(suggestValues(field, written.slice(colon + 1), catalog)), replaced }
}

/** The context of a cursor. */
type CursorContext = {
  /** The word that contains the cursor or ends at it; empty between words. */
  readonly word: TextSpan
  /** The field of the list of values around the cursor. */
  readonly listField: string | undefined
  readonly isAfterTerm: boolean
}

function findCursorContext(text: string, cursor: number): CursorContext {
  const lists: (string | undefined)[] = []
  let previous: QueryToken | undefined
  let word: TextSpan = { start: cursor, end: cursor }
  for (const token of tokenize(text)) {
    if (token.start >= cursor) break
    if (token.kind === 'word' && token.end >= cursor) {
      word = { start: token.start, end: token.end }
      break
    }
    if (token.kind === 'open') lists.push(findListField(text, previous, token) ?? lists.at(-1))
    if (token.kind === 'close') lists.pop()
    previous = token
  }
  return { word, listField: lists.at(-1), isAfterTerm: previous !== undefined && endsTerm(text, previous) }
}

/** The field of `field:(`. */
function findListField(text: string, previous: QueryToken | undefined, open: QueryToken): string | undefined {
  if (previous?.kind !== 'word' || previous.end !== open.start || text[open.start - 1] !== ':') return undefined
  return readName(text.slice(previous.start, previous.end - 1))
}

function endsTerm(text: string, { kind, start, end }: QueryToken): boolean {
  return kind === 'close' || (kind === 'word' && !isOperator(text.slice(start, end)))
}

/** The position of the colon after the field's name; -1 if there is none. */
function findColon(word: string): number {
  let isQuoted = false
  for (let at = 0; at < word.length; at++) {
    if (word[at] === '\\') at++
    else if (word[at] === '"') isQuoted = !isQuoted
    else if (word[at] === ':' && !isQuoted) return at
  }
  return -1
}

function readName(written: string): string {
  return written.startsWith('"') ? readQuoted(written.slice(1, written.endsWith('"') ? -1 : undefined)) : written
}

function suggestOperators(isAfterTerm: boolean, written: string): Suggestion[] {
  const operators = isAfterTerm ? ['AND', 'OR', 'NOT'] : ['NOT']
  return operators.filter((operator) => operator.startsWith(written.toUpperCase())).map((text) => ({ kind: 'operator', text }))
}

function suggestFields(written: string, { fields }: CompletionCatalog): Suggestion[] {
  const names = fields.slice(0, limits.catalogEntriesMax).map(({ name }) => name)
  return rankByPrefix(names, readName(written)).map((name) => ({ kind: 'field', text: `${printField(name)}:` }))
}

function suggestValues(field: string, written: string, { fields }: CompletionCatalog): Suggestion[] {
  if (/^[<>[{]/.test(written)) return []
  const names = listFieldNames(field)
  const known = fields.find(({ name }) => name === field) ?? fields.find(({ name }) => names.includes(name))
  if (known === undefined) return []
  const values = known.topValues.slice(0, limits.catalogEntriesMax)
  const texts = new Map(values.map((value) => [String(value), printScalar(value)]))
  const prefix = written.startsWith('"') ? readQuoted(written.slice(1)) : getLiteralText(parseWordPattern(written))
  const found = prefix === undefined ? [] : rankByPrefix([...texts.keys()], prefix)
  const suggestions = found.map((text): Suggestion => ({ kind: 'value', text: texts.get(text) ?? text }))
  if (written !== '') return suggestions
  const operators = known.type === 'number' || known.type === 'time' ? ['*', '>=', '<=', '['] : ['*']
  return [...suggestions, ...operators.map((text): Suggestion => ({ kind: 'operator', text }))]
}

function printScalar(value: Scalar): string {
  if (typeof value === 'number') return printValue({ kind: 'number', text: String(value) })
  if (value === null) return printValue({ kind: 'null' })
  const text = String(value)
  return printValue({ kind: 'text', pattern: text === '' ? [] : [{ kind: 'text', text }] })
}

/** Ranks names: those that start with the written text, then those that contain it, case ignored; each in their order. */
function rankByPrefix(names: readonly string[], written: string): string[] {
  const folded = foldCase(written)
  const places = names.map((name) => [name, foldCase(name).indexOf(folded)] as const)
  return [...places.filter(([, place]) => place === 0), ...places.filter(([, place]) => place > 0)].map(([name]) => name)
}

function limitSuggestions(suggestions: readonly Suggestion[]): readonly Suggestion[] {
  return suggestions.slice(0, limits.suggestionsMax)
}
