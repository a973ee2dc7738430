import type { Principal } from '@tripline/model/access/principal'
import { addCondition } from '@tripline/query'
import type { EventPage } from '@tripline/storage/events/event-store'
import { limits } from '../../limits.ts'
import { countFacets } from './count-facets.ts'
import { searchEvents } from './search-events.ts'
import type { SearchRouteDeps } from './search-routes.ts'
import { searchTenantEvents } from './tenant-search.ts'
import type { TenantSearchPage } from './tenant-search.ts'

/** A histogram of the events that a query finds, split by a field; times in milliseconds since the epoch, the end exclusive. */
type AskedSplit = {
  readonly query: string
  readonly from: number | undefined
  readonly to: number | undefined
  readonly field: string
  readonly bucketsWanted: number | undefined
  /** Ends all of its searches once the caller is gone. */
  readonly signal: Pick<AbortSignal, 'aborted'>
}

type SplitValue = { readonly value: string | number | boolean; readonly found: EventPage }

type SplitHistogram = {
  /** The newest events, which the values were chosen of. */
  readonly sample: TenantSearchPage
  readonly all: EventPage
  readonly values: readonly SplitValue[]
}

/**
 * Chooses the most frequent values of a field among the newest events that a search finds, and counts each over the whole range by
 * a search of its own. All of them together have the time of one search. It is recorded as a search.
 *
 * @throws AppError as a search does.
 */
export async function splitHistogram(deps: SearchRouteDeps, caller: Principal, asked: AskedSplit): Promise<SplitHistogram> {
  const { field, query, bucketsWanted, signal, ...range } = asked
  const endsMs = deps.clock.elapsedMs() + limits.search.budgetMs
  const sample = await searchTenantEvents(deps, caller, {
    query, ...range, limit: limits.lists.facetEventsMax, order: 'newest_first', cursor: undefined, fields: undefined, extent: 'page',
    counts: 'quick', signal,
  })
  const count = async (text: string): Promise<EventPage> => await searchEvents(deps.events, {
    tenant: caller.tenant, query: text, from: sample.from, to: sample.to, now: deps.clock.now(), limit: 0, extent: 'histogram',
    // The last ones stop at once where those before took all of the time.
    budgetMs: Math.max(1, endsMs - deps.clock.elapsedMs()), signal, ...(bucketsWanted !== undefined && { bucketsWanted }),
  })
  const all = await count(sample.canonicalQuery)
  const values: SplitValue[] = []
  for (const value of chooseValues(sample, field)) {
    values.push({ value, found: await count(addCondition(sample.canonicalQuery, { field, value, isExcluded: false })) })
  }
  return { sample, all, values }
}

/** The most frequent values; searches disregard case, so texts that differ by it alone are one. */
function chooseValues({ events }: TenantSearchPage, field: string): (string | number | boolean)[] {
  const [facet] = countFacets(events.map((event) => event.fields), [field])
  const chosen = new Map<string, string | number | boolean>()
  for (const { value } of facet?.values ?? []) {
    const key = `${typeof value} ${String(value).toLowerCase()}`
    if (value !== '' && !chosen.has(key)) chosen.set(key, value)
  }
  return [...chosen.values()].slice(0, limits.lists.splitValuesMax)
}
