import { compileQuery } from '@tripline/query'
import type { TenantId } from '../domain/tenant.ts'
import type { EventPage, EventPosition, EventStore } from '../events/event-store.ts'
import { limits } from '../limits.ts'

/** A search as it is asked for: from `from` on, before `to`, in milliseconds since the epoch. */
export type EventSearch = {
  readonly tenant: TenantId
  /** The text of a query; an empty one finds every event. */
  readonly query: string
  readonly from: number
  readonly to: number
  readonly limit: number
  readonly after?: EventPosition
  /** How far to look: until the page is full, for an exact total, or for a histogram besides. */
  readonly extent: 'page' | 'total' | 'histogram'
}

/** A page of events, and the query in its canonical text. */
export type EventSearchResult = EventPage & { readonly canonicalQuery: string }

/**
 * Searches stored events, newest first.
 *
 * @throws QueryError for a text that is no query, with its place.
 */
export async function searchEvents(store: EventStore, { query, ...search }: EventSearch): Promise<EventSearchResult> {
  const { predicate, text } = query.trim() === ''
    ? { predicate: { kind: 'constant', value: true } as const, text: '' }
    : compileQuery(query)
  const page = await store.search({ ...search, predicate, budgetMs: limits.search.budgetMs })
  return { ...page, canonicalQuery: text }
}
