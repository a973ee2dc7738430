import type { Indicator, IndicatorFacts, IndicatorType } from '../../model/enrichment/indicator.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { EnrichmentPage, EnrichmentQuery, UpsertInput, UpsertOutcome } from './enrichment-list.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'

/** The key of a lookup: a type and a value in canonical form. */
export type IndicatorKey = { readonly type: IndicatorType; readonly value: string }

export const indicatorSortFields = ['created_at', 'value', 'confidence', 'reputation_score', 'valid_until', 'hits'] as const
export type IndicatorSortField = (typeof indicatorSortFields)[number]
export type IndicatorQuery = EnrichmentQuery<IndicatorFilter, IndicatorSortField>

/** Several values of one field are alternatives. */
type IndicatorFilter = {
  readonly types?: readonly IndicatorType[] | undefined
  readonly sources?: readonly string[] | undefined
  readonly values?: readonly string[] | undefined
  /** Indicators that are valid at a moment, or those that are not. */
  readonly validity?: { readonly at: number; readonly isValid: boolean } | undefined
}

/** The stated fields of an indicator; others stay unchanged or get their defaults. */
export type NewIndicator = Pick<IndicatorFacts, 'type' | 'value' | 'source'> & Partial<IndicatorFacts>

/** Stores the indicators of tenants. */
export type IndicatorStore = {
  /** Creates or updates indicators, all or none, by type, value and source. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewIndicator>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Indicator | undefined>
  readonly list: (tenant: TenantId, query: IndicatorQuery) => Promise<EnrichmentPage<Indicator>>
  /** All indicators with one of the values, valid or not. */
  readonly find: (tenant: TenantId, sought: readonly IndicatorKey[]) => Promise<readonly Indicator[]>
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<Omit<IndicatorFacts, 'type' | 'value' | 'source'>>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Indicator>>
  /** Returns whether the indicator existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
  /** Adds hits to indicators, by id. */
  readonly noteHits: (tenant: TenantId, hits: ReadonlyMap<string, number>, at: number) => Promise<void>
}
