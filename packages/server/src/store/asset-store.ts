import type { Asset, AssetFacts, AssetType, Criticality, RiskLevel } from '../domain/asset.ts'
import type { TenantId } from '../domain/tenant.ts'
import type { EnrichmentPage, EnrichmentQuery } from './enrichment-list.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { UpsertInput, UpsertOutcome } from './upsert.ts'

export const assetSortFields = ['hostname', 'risk_score', 'last_seen', 'criticality', 'open_alerts'] as const
export type AssetSortField = (typeof assetSortFields)[number]
export type AssetQuery = EnrichmentQuery<AssetFilter, AssetSortField>

/** Which assets (Table 3.2); several values of one mean any of them. */
export type AssetFilter = {
  readonly types?: readonly AssetType[] | undefined
  /** Operating systems and their families, whatever the case of a to z. */
  readonly oses?: readonly string[] | undefined
  readonly criticalities?: readonly Criticality[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly riskLevels?: readonly RiskLevel[] | undefined
  /** Addresses in their one form. */
  readonly addresses?: readonly string[] | undefined
  /** Whether it has weaknesses that can be used already. */
  readonly isExploitable?: boolean | undefined
  readonly lastSeen?: Span | undefined
  readonly lastScan?: Span | undefined
}

/** From an instant on and before another; what has none of that kind is in no span. */
export type Span = { readonly from?: number | undefined; readonly to?: number | undefined }

/** What is stated of an asset that may be known, its name or addresses at least; what is left out stays as it is. */
export type NewAsset = Partial<AssetFacts>

/** An asset, and how many alerts of its host somebody has yet to close. */
export type AssetWithAlerts = Asset & { readonly openAlertCount: number }

/** Keeps the assets of tenants. */
export type AssetStore = {
  /** Makes or changes assets, all or none; their key says which is which. @throws Error for one without a key. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewAsset>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<AssetWithAlerts | undefined>
  readonly list: (tenant: TenantId, query: AssetQuery) => Promise<EnrichmentPage<AssetWithAlerts>>
  /** The asset of that host name. */
  readonly findByHostname: (tenant: TenantId, hostname: string) => Promise<Asset | undefined>
  /** The asset that has the address; of several, the one that was seen last. */
  readonly findByAddress: (tenant: TenantId, address: string) => Promise<Asset | undefined>
  /** `taken` where another asset of the tenant has the name, `keyless` where neither name nor address would be left. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<AssetFacts>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Asset> | { readonly outcome: 'taken' | 'keyless' }>
  /** Says whether there was such an asset. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
