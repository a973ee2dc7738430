import type { Filter, ListPlace, ListTotal, SortKey } from '../domain/filter.ts'

/** Which entries of a list, in which order, and which page of them. */
export type ListQuery = {
  readonly filter?: Filter
  /** What holds besides: what a list was narrowed by before it was filtered. */
  readonly narrowing?: readonly Filter[]
  /** Text that is looked for in some columns, whatever the case of a to z. */
  readonly text?: string
  /** The id comes after the last of them, in its direction. */
  readonly sort: readonly SortKey[]
  readonly limit: number
  /** The values of the sort keys of the last entry of a page, and its id at the end. */
  readonly after?: ListPlace
  /** Entries that come before the page, for pages that are asked for by number; they are all read. */
  readonly skip?: number
}

/** What a page of a list carries besides its entries. */
export type ListPageInfo = {
  /** Where the next page begins; undefined at the end. */
  readonly next: ListPlace | undefined
  readonly total: ListTotal
}

/** All that holds of what a list shows. */
export function collectFilters({ filter, narrowing = [] }: Pick<ListQuery, 'filter' | 'narrowing'>): readonly Filter[] {
  return filter === undefined ? narrowing : [...narrowing, filter]
}
