import type { SearchFieldListBody } from '@tripline/contract/console/search'
import { QueryError, completeQuery, listFieldNames, parseQuery, printQuery } from '@tripline/query'
import type { Completion, CompletionCatalog, Query, Term } from '@tripline/query'
import type { QueryText } from './query-texts.ts'

export { addCondition } from '@tripline/query'

/** Where and why a query cannot be read, in UTF-16 units. */
export type QueryMistake = { readonly message: string; readonly position: number; readonly length: number; readonly column: number }

/** Finds what is wrong with a query; undefined if nothing is. */
export function checkQuery(text: string): QueryMistake | undefined {
  try {
    parseQuery(text)
    return undefined
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const { message, position, length, column } = error
    return { message, position, length, column }
  }
}

/** Where a query looks for its texts. */
type Places = {
  /** Texts that it looks for in every value of an event. */
  readonly words: readonly string[]
  /** The query that does so for the texts which it looks for in one field; undefined without any. */
  readonly anywhere: string | undefined
}

/** Tells where a query looks for its texts; what it excludes is left as it is. @throws QueryError. */
export function findPlaces(text: string): Places {
  const query = parseQuery(text)
  const words: string[] = []
  const widen = (part: Query): Query => {
    if (part.kind === 'and' || part.kind === 'or') return { ...part, of: part.of.map(widen) }
    if (part.kind !== 'term' || (part.value.kind !== 'text' && part.value.kind !== 'number')) return part
    if (part.field === undefined) {
      if (part.isAnyField !== true) words.push(printQuery(part))
      return part
    }
    const { value } = part
    const pattern = value.kind === 'text' ? value.pattern : [{ kind: 'text', text: value.text } as const]
    return pattern.length === 0 ? part : { kind: 'term', field: undefined, value: { kind: 'text', pattern }, span: part.span }
  }
  const widened = printQuery(widen(query))
  return { words, anywhere: widened === printQuery(query) ? undefined : widened }
}

/** What may follow at the cursor, from the fields of stored events and their frequent values. */
export function suggest(text: string, cursor: number, { fields }: Pick<SearchFieldListBody, 'fields'>): Completion {
  const frequent = fields.toSorted((a, b) => b.event_count - a.event_count)
  return completeQuery(text, cursor, { fields: frequent.map(toCompletionField) })
}

function toCompletionField({ name, types, top }: SearchFieldListBody['fields'][number]): CompletionCatalog['fields'][number] {
  const type = types.find((one) => one === 'text' || one === 'number' || one === 'boolean') ?? 'text'
  return { name, type, topValues: top.map(({ value }) => value) }
}

/** Texts of a query that are looked for in an event that is shown. */
const soughtMax = 20

/** Lists the texts that a query looks for, but not those that it excludes: of a text with wildcards the longest part without. */
export function listQueryTexts(text: string): readonly QueryText[] {
  try {
    return listTexts(parseQuery(text)).slice(0, soughtMax)
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return []
  }
}

function listTexts(query: Query): readonly QueryText[] {
  if (query.kind === 'not' || query.kind === 'all') return []
  if (query.kind !== 'term') return query.of.flatMap(listTexts)
  const text = getLongestText(query.value)
  return text === '' ? [] : [{ text, names: query.field === undefined ? [] : listFieldNames(query.field) }]
}

function getLongestText(value: Term['value']): string {
  if (value.kind === 'number') return value.text
  if (value.kind !== 'text') return ''
  const texts = value.pattern.map((part) => (part.kind === 'text' ? part.text : ''))
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
