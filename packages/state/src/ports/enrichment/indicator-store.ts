import type { Indicator, IndicatorFacts, IndicatorType } from '@tripline/model/enrichment/indicator'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from '../change.ts'
import type { UpsertInput, UpsertOutcome } from './enrichment-store.ts'
import type { TenantList } from '../list-query.ts'

/** The key of a lookup: a type and a value in canonical form. */
export type IndicatorKey = { readonly type: IndicatorType; readonly value: string }

/** The stated fields of an indicator; others stay unchanged or get their defaults. */
export type NewIndicator = Pick<IndicatorFacts, 'type' | 'value' | 'source'> & Partial<IndicatorFacts>

/** Stores the indicators of tenants. */
export type IndicatorStore = TenantList<Indicator> & {
  /** Creates or updates indicators, all or none, by type, value and source. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewIndicator>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<Indicator | undefined>
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
  /** Removes some of those that ended before a time; returns how many, fewer than `limit` when none is left. */
  readonly removeEnded: (tenant: TenantId, which: { readonly before: number; readonly limit: number }) => Promise<number>
  /** Adds hits to indicators, by id. */
  readonly noteHits: (tenant: TenantId, hits: ReadonlyMap<string, number>, at: number) => Promise<void>
}
