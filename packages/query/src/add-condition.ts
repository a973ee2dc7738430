import type { Query } from './ast.ts'
import { parseQuery } from './parse.ts'
import { printQuery } from './print.ts'

/** What a condition says about a field: it has this value, or it has not. */
export type AddedCondition = { readonly field: string; readonly value: string | number | boolean; readonly isExcluded: boolean }

const nowhere = { start: 0, end: 0 }

/**
 * Joins a condition to a query with AND, and prints both. The tree is extended, not the text, so that an OR in the query keeps its
 * meaning; a condition that the query already has is not repeated.
 *
 * @throws QueryError for an invalid query, with its position.
 */
export function addCondition(text: string, { field, value, isExcluded }: AddedCondition): string {
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
