import type { AssetFacts } from '@tripline/model/enrichment/asset'
import type { AssetWithAlerts, NewAsset } from '@tripline/state/ports/assets/asset-store'
import type { EnrichmentKind } from './enrichment-records.ts'

export type { AssetWithAlerts }

/** Assets: machines, services and devices of a tenant. */
export const assetKind: EnrichmentKind<AssetWithAlerts, NewAsset, Partial<AssetFacts>> = {
  name: 'asset',
  getStore: ({ assets }) => assets,
}
