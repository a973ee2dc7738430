import type { BlindSpot } from '@tripline/model/assets/exposure'
import type { Identifier } from '@tripline/model/assets/sighting'

// The tables beside `assets`, part of `Tables`.

/** A blind spot that rules were told of. */
export type AssetBlindSpotRow = { readonly tenantId: string; readonly assetId: string; readonly kind: BlindSpot; readonly toldAt: number }

/** The risk score from a moment on; triggers write it. */
export type AssetRiskRow = { readonly tenantId: string; readonly assetId: string; readonly at: number; readonly score: number }

export type AssetIdentifierRow = {
  readonly tenantId: string
  readonly kind: Identifier['kind']
  readonly value: string
  readonly assetId: string
}

export type AssetBindingRow = {
  readonly tenantId: string
  readonly assetId: string
  readonly kind: 'ip' | 'mac' | 'name' | 'user'
  readonly value: string
  readonly source: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly seenCount: number
}

export type AssetActivityRow = {
  readonly tenantId: string
  readonly id: string
  readonly assetId: string
  readonly at: number
  readonly kind: string
  readonly title: string
  readonly severity: string
  readonly ref: string
  readonly occurrences: number
}
