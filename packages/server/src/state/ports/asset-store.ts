import type { Asset, AssetFacts, AssetType, Criticality, RiskLevel } from '../../model/enrichment/asset.ts'
import type { TenantId } from '../../model/tenant.ts'
import type { EnrichmentPage, EnrichmentQuery, UpsertInput, UpsertOutcome } from './enrichment-list.ts'
import type { ChangeResult, ChangeTerms } from './change.ts'

export const assetSortFields = ['hostname', 'risk_score', 'last_seen', 'criticality', 'open_alerts'] as const
export type AssetSortField = (typeof assetSortFields)[number]
export type AssetQuery = EnrichmentQuery<AssetFilter, AssetSortField>

/** A filter of assets (docs/reference/console-api.md#lists); several values of one field are alternatives. */
export type AssetFilter = {
  readonly types?: readonly AssetType[] | undefined
  /** Operating systems and their families, ignoring ASCII case. */
  readonly oses?: readonly string[] | undefined
  readonly criticalities?: readonly Criticality[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly riskLevels?: readonly RiskLevel[] | undefined
  /** Addresses in canonical form. */
  readonly addresses?: readonly string[] | undefined
  /** Whether it has exploitable vulnerabilities. */
  readonly isExploitable?: boolean | undefined
  readonly lastSeen?: Span | undefined
  readonly lastScan?: Span | undefined
}

/** An interval, from inclusive to exclusive; an absent value is in no interval. */
export type Span = { readonly from?: number | undefined; readonly to?: number | undefined }

/** The stated fields of an asset, at least its name or addresses; others stay unchanged. */
export type NewAsset = Partial<AssetFacts>

/** An asset, and the number of open alerts of its host. */
export type AssetWithAlerts = Asset & { readonly openAlertCount: number }

/** Stores the assets of tenants. */
export type AssetStore = {
  /** Creates or updates assets, all or none, by natural key. @throws Error for one without a key. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewAsset>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<AssetWithAlerts | undefined>
  readonly list: (tenant: TenantId, query: AssetQuery) => Promise<EnrichmentPage<AssetWithAlerts>>
  /** The asset with a host name. */
  readonly findByHostname: (tenant: TenantId, hostname: string) => Promise<Asset | undefined>
  /** The asset with an address; of several, the one seen last. */
  readonly findByAddress: (tenant: TenantId, address: string) => Promise<Asset | undefined>
  /** `taken` if another asset of the tenant has the name, `keyless` if neither name nor address would be left. */
  readonly update: (
    tenant: TenantId,
    id: string,
    change: Partial<AssetFacts>,
    terms: ChangeTerms,
  ) => Promise<ChangeResult<Asset> | { readonly outcome: 'taken' | 'keyless' }>
  /** Returns whether the asset existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
