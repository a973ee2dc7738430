import type { AssetFacts } from '../domain/asset.ts'
import { assetSortFields } from '../store/asset-store.ts'
import type { AssetQuery, AssetWithAlerts, NewAsset } from '../store/asset-store.ts'
import type { KnownKind } from './enrichment-records.ts'

export { assetSortFields }
export type { AssetQuery, AssetWithAlerts }

/** Machines, services and devices of a tenant (D-64). */
export const assetKind: KnownKind<AssetWithAlerts, NewAsset, Partial<AssetFacts>, AssetQuery> = {
  name: 'asset',
  storeOf: ({ assets }) => assets,
}
