import type { AssetFacts } from '../../model/enrichment/asset.ts'
import { assetSortFields } from '../../state/ports/asset-store.ts'
import type { AssetQuery, AssetWithAlerts, NewAsset } from '../../state/ports/asset-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

export { assetSortFields }
export type { AssetQuery, AssetWithAlerts }

/** Assets: machines, services and devices of a tenant. */
export const assetKind: EnrichmentKind<AssetWithAlerts, NewAsset, Partial<AssetFacts>, AssetQuery> = {
  name: 'asset',
  getStore: ({ assets }) => assets,
}
