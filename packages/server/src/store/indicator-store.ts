import type { Indicator, IndicatorFacts, IndicatorType } from '../domain/indicator.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { EnrichmentPage, EnrichmentQuery } from './enrichment-list.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { UpsertInput, UpsertOutcome } from './upsert.ts'

/** What is looked up: a value in its one form. */
export type IndicatorKey = { readonly type: IndicatorType; readonly value: string }

export const indicatorSortFields = ['created_at', 'value', 'confidence', 'reputation_score', 'valid_until', 'hits'] as const
export type IndicatorSortField = (typeof indicatorSortFields)[number]
export type IndicatorQuery = EnrichmentQuery<IndicatorFilter, IndicatorSortField>

/** Several values of one mean any of them. */
export type IndicatorFilter = {
  readonly types?: readonly IndicatorType[] | undefined
  readonly sources?: readonly string[] | undefined
  readonly values?: readonly string[] | undefined
  /** Those that count at a moment, or those that do not. */
  readonly validity?: { readonly at: number; readonly isValid: boolean } | undefined
}

/** What is stated of an indicator that may be known; what is left out stays, or is the usual. */
export type NewIndicator = Pick<IndicatorFacts, 'type' | 'value' | 'source'> & Partial<IndicatorFacts>

/** Keeps the indicators of tenants. */
export type IndicatorStore = {
  /** Makes or changes indicators, all or none; type, value and source say which is which. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewIndicator>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Indicator | undefined>
  readonly list: (tenant: TenantId, query: IndicatorQuery) => Promise<EnrichmentPage<Indicator>>
  /** All indicators that name one of the values, whether they count now or not. */
  readonly find: (tenant: TenantId, sought: readonly IndicatorKey[]) => Promise<readonly Indicator[]>
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<Omit<IndicatorFacts, 'type' | 'value' | 'source'>>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Indicator>>
  /** Says whether there was such an indicator. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
  /** Counts hits of indicators by their ids. */
  readonly noteHits: (tenant: TenantId, hits: ReadonlyMap<string, number>, at: number) => Promise<void>
}
