import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from '../change.ts'
import type { TenantList } from '../list-query.ts'

/** The stated fields of an entry, and its id if it is new. */
export type UpsertInput<Facts> = { readonly id: string; readonly facts: Facts }

/** The outcome of an upsert. */
export type UpsertOutcome = 'created' | 'changed' | 'unchanged'

/** The common operations of the stores of assets, directory users and indicators. */
export type EnrichmentStore<Entry, New, Change> = TenantList<Entry> & {
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<New>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Entry | undefined>
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Change,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<unknown> | { readonly outcome: 'taken' } | { readonly outcome: 'keyless' }>
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
