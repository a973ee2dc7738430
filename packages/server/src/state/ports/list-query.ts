import type { Filter, ListPlace, ListTotal, SortKey } from '../../model/lists/filter.ts'

/** A query of a list: filter, order and page. */
export type ListQuery = {
  readonly filter?: Filter
  /** Filters of the list itself, applied before the user's filter. */
  readonly narrowing?: readonly Filter[]
  /** Text to find in some columns, ignoring ASCII case. */
  readonly text?: string
  /** The id follows the last of them, in its direction. */
  readonly sort: readonly SortKey[]
  readonly limit: number
  /** The sort key values of the last entry of a page, its id last. */
  readonly after?: ListPlace
  /** Entries to skip, for pages by number; they are all read. */
  readonly skip?: number
}

/** The metadata of a page. */
export type ListPageInfo = {
  /** Where the next page begins; undefined at the end. */
  readonly next: ListPlace | undefined
  readonly total: ListTotal
}

/** All filters of a query. */
export function collectFilters({ filter, narrowing = [] }: Pick<ListQuery, 'filter' | 'narrowing'>): readonly Filter[] {
  return filter === undefined ? narrowing : [...narrowing, filter]
}
