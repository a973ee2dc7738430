import type { Asset, AssetFacts } from '@tripline/model/enrichment/asset'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from './change.ts'
import type { UpsertInput, UpsertOutcome } from './enrichment-store.ts'
import type { TenantList } from './list-query.ts'

/** The stated fields of an asset, at least its name or addresses; others stay unchanged. */
export type NewAsset = Partial<AssetFacts>

/** An asset, and the number of open alerts of its host. */
export type AssetWithAlerts = Asset & { readonly openAlertCount: number }

/** Stores the assets of tenants. */
export type AssetStore = TenantList<AssetWithAlerts> & {
  /** Creates or updates assets, all or none, by natural key. @throws Error for one without a key. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewAsset>[], at: number) => Promise<readonly UpsertOutcome[]>
  readonly get: (tenant: TenantId, id: string) => Promise<AssetWithAlerts | undefined>
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
