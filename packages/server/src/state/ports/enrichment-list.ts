import type { Filter, ListPlace, SortKey } from '../../model/lists/filter.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { ListPageInfo } from './list-query.ts'

/** A query of a list: filter, order and page. */
export type EnrichmentQuery<Narrowing, Field extends string> = {
  readonly filter: Narrowing
  /** Additional filters. */
  readonly filters?: readonly Filter[]
  /** Text to find in some columns, ignoring ASCII case. */
  readonly text?: string | undefined
  /** The id follows the last of them, in its direction. */
  readonly sort: readonly (SortKey & { readonly field: Field })[]
  readonly limit: number
  readonly after?: ListPlace | undefined
  readonly skip?: number
}

export type EnrichmentPage<Entry> = ListPageInfo & { readonly entries: readonly Entry[] }

/** The stated fields of an entry, and its id if it is new. */
export type UpsertInput<Facts> = { readonly id: string; readonly facts: Facts }

/** The outcome of an upsert. */
export type UpsertOutcome = 'created' | 'changed' | 'unchanged'

/** The common operations of the stores of assets, directory users and indicators. */
export type EnrichmentStore<Entry, New, Changed, Query> = {
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<New>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Entry | undefined>
  readonly list: (tenant: TenantId, query: Query) => Promise<EnrichmentPage<Entry>>
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Changed,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<unknown> | { readonly outcome: 'taken' } | { readonly outcome: 'keyless' }>
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
