import type { AssetFacts } from '../domain/asset.ts'
import { assetSortFields } from '../store/asset-store.ts'
import type { AssetQuery, AssetWithAlerts, NewAsset } from '../store/asset-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

export { assetSortFields }
export type { AssetQuery, AssetWithAlerts }

/** Machines, services and devices of a tenant (D-64). */
export const assetKind: EnrichmentKind<AssetWithAlerts, NewAsset, Partial<AssetFacts>, AssetQuery> = {
  name: 'asset',
  getStore: ({ assets }) => assets,
}
