import type { SearchFieldListBody } from '@tripline/contract/console/search'
import { QueryError, completeQuery, parseQuery } from '@tripline/query'
import type { Completion, CompletionCatalog } from '@tripline/query'

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

/** What may follow at the cursor, from the fields of stored events and their frequent values. */
export function suggest(text: string, cursor: number, { fields }: Pick<SearchFieldListBody, 'fields'>): Completion {
  const frequent = fields.toSorted((a, b) => b.event_count - a.event_count)
  return completeQuery(text, cursor, { fields: frequent.map(toCompletionField) })
}

function toCompletionField({ name, types, top }: SearchFieldListBody['fields'][number]): CompletionCatalog['fields'][number] {
  const type = types.find((one) => one === 'text' || one === 'number' || one === 'boolean') ?? 'text'
  return { name, type, topValues: top.map(({ value }) => value) }
}
