import type { TenantId } from '@tripline/model/tenant'
import { compileQuery } from '@tripline/query'
import type { CompiledQuery } from '@tripline/query'
import type { EventPage, EventPosition, EventQuery, EventStore, SearchOrder } from '@tripline/storage/events/event-store'
import { limits } from '../../limits.ts'

/** A search from `from` (inclusive) to `to` (exclusive), in milliseconds since the epoch. */
export type EventSearch = {
  readonly tenant: TenantId
  /** A query; an empty one matches every event. */
  readonly query: string
  readonly from: number
  readonly to: number
  /** The present, for relative times such as `now-1h`. */
  readonly now: number
  readonly limit: number
  readonly after?: EventPosition
  /** Default: newest first. */
  readonly order?: SearchOrder
  /** How much to compute: the page, an exact total, or a histogram as well. */
  readonly extent: EventQuery['extent']
  readonly bucketsWanted?: number
  /** Whether to count all matches, or only while a search for a word is quick; default: all. */
  readonly counts?: CountExtent
  /** Ends the search once its caller is gone. */
  readonly signal?: Pick<AbortSignal, 'aborted'>
  /** Milliseconds after which it responds with what it has found; default: the limit of searches. */
  readonly budgetMs?: number
}

/** How far to count: through the whole range, or as far as a short time allows. */
const countExtents = ['full', 'quick'] as const
export type CountExtent = (typeof countExtents)[number]

/** A page of events and the canonical text of the query. */
export type EventSearchResult = EventPage & { readonly canonicalQuery: string }

/**
 * Searches stored events, newest or oldest first.
 *
 * @throws QueryError for an invalid query, with its position.
 */
export async function searchEvents(store: EventStore, { query, counts, now, ...search }: EventSearch): Promise<EventSearchResult> {
  const { predicate, text } = compileSearchText(query, now)
  const { budgetMs, countMs } = limits.search
  const page = await store.search({ budgetMs, ...search, predicate, ...(counts === 'quick' && { keywordCountMs: countMs }) })
  return { ...page, canonicalQuery: text }
}

/** Compiles a query; an empty one matches every event. @throws QueryError. */
export function compileSearchText(query: string, now: number): Pick<CompiledQuery, 'predicate' | 'text'> {
  return query.trim() === '' ? { predicate: { kind: 'constant', value: true }, text: '' } : compileQuery(query, { now })
}
