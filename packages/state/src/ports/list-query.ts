import type { Filter, ListPlace, ListTotal, SortKey } from '@tripline/model/lists/filter'
import type { TenantId } from '@tripline/model/tenant'

/** A query of a list: a selection, and the page of it. */
export type ListQuery = ListSelection & {
  /** Continues after the entry of these sort key values, its id last. */
  readonly after?: ListPlace
  /** Entries to skip, for pages by number; they are all read. */
  readonly skip?: number
  readonly limit: number
}

/** Which entries of a list, and in which order. */
export type ListSelection = {
  /** Filters that all hold. */
  readonly where?: readonly Filter[]
  /** Text to find in some fields, ignoring ASCII case. */
  readonly text?: string
  /** The id comes last, in the direction of the key before it; alone it is descending. */
  readonly order?: readonly SortKey[]
}

/** A page of a list. */
export type EntryPage<Entry> = {
  readonly entries: readonly Entry[]
  /** Where the next page begins; undefined at the end. */
  readonly next: ListPlace | undefined
  /** The number of entries on all pages. */
  readonly total: ListTotal
}

/** A list of each tenant. */
export type TenantList<Entry> = {
  readonly list: (tenant: TenantId, query: ListQuery) => Promise<EntryPage<Entry>>
  /**
   * Reads all entries of a selection in chunks, in memory that does not grow with their number. It sees the list as it was
   * when it began, whatever is written meanwhile. The signal ends it with its reason: set one with a deadline, because the
   * database keeps what changes while a scan runs.
   */
  readonly scan: (tenant: TenantId, selection: ListSelection, options: ScanOptions) => AsyncIterable<readonly Entry[]>
}

/** A store but for its list. */
export type WithoutList<Store> = Omit<Store, keyof TenantList<unknown>>

export type ScanOptions = {
  readonly signal: AbortSignal
  /** Entries of a chunk; the limit by default. */
  readonly rowsMax?: number
}
