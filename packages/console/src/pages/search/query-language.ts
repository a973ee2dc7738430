import type { SearchFieldListBody } from '@tripline/contract/console/search'
import { QueryError, completeQuery, parseQuery, printQuery } from '@tripline/query'
import type { Completion, CompletionCatalog, Query } from '@tripline/query'

/** Where and why a query cannot be read, in UTF-16 units. */
export type QueryMistake = { readonly message: string; readonly position: number; readonly length: number; readonly column: number }

/** What an added condition says about a field: it has this value, or it has not. */
type Condition = { readonly field: string; readonly value: string | number | boolean; readonly isExcluded: boolean }

const nowhere = { start: 0, end: 0 }

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

/** Joins a condition to a query with AND: the tree is extended, not the text, so that an OR in the query keeps its meaning. */
export function addCondition(text: string, { field, value, isExcluded }: Condition): string {
  const term: Query = {
    kind: 'term',
    field,
    value: typeof value === 'number' ? { kind: 'number', text: String(value) } : { kind: 'text', pattern: toPattern(String(value)) },
    span: nowhere,
  }
  const added: Query = isExcluded ? { kind: 'not', of: term, span: nowhere } : term
  const before = parseQuery(text)
  if (before.kind === 'all') return printQuery(added)
  const parts = before.kind === 'and' ? before.of : [before]
  const printed = printQuery(added)
  return parts.some((part) => printQuery(part) === printed)
    ? printQuery(before)
    : printQuery({ kind: 'and', of: [...parts, added], span: nowhere })
}

function toPattern(text: string): { readonly kind: 'text'; readonly text: string }[] {
  return text === '' ? [] : [{ kind: 'text', text }]
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
