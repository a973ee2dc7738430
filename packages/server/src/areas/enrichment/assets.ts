import type { AssetFacts } from '../../model/enrichment/asset.ts'
import type { AssetWithAlerts, NewAsset } from '../../state/ports/asset-store.ts'
import type { EnrichmentKind } from './enrichment-records.ts'

export type { AssetWithAlerts }

/** Assets: machines, services and devices of a tenant. */
export const assetKind: EnrichmentKind<AssetWithAlerts, NewAsset, Partial<AssetFacts>> = {
  name: 'asset',
  getStore: ({ assets }) => assets,
}
