import type { Filter, ListPlace, SortKey } from '../domain/filter.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { ListPageInfo } from './list-query.ts'
import type { UpsertInput, UpsertOutcome } from './upsert.ts'

/** Which entries of a list, in which order, and which page of them: `limit` after a place, or after so many. */
export type EnrichmentQuery<Narrowing, Field extends string> = {
  readonly filter: Narrowing
  /** Filters that hold besides. */
  readonly filters?: readonly Filter[]
  /** Text that is looked for in some columns, whatever the case of a to z. */
  readonly text?: string | undefined
  /** The id comes after the last of them, in its direction. */
  readonly sort: readonly (SortKey & { readonly field: Field })[]
  readonly limit: number
  readonly after?: ListPlace | undefined
  readonly skip?: number
}

export type EnrichmentPage<Entry> = ListPageInfo & { readonly entries: readonly Entry[] }

/** What the stores of assets, persons and indicators have in common. */
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
