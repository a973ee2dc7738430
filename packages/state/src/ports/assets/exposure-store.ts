import type { BlindSpot } from '@tripline/model/assets/exposure'
import type { AssetFinding } from '@tripline/model/assets/finding'
import type { TenantId } from '@tripline/model/tenant'

/** What rules are to know of an asset. `newsAt`: when the exploit became known. */
export type Exposure =
  | { readonly kind: 'exploit_available'; readonly assetId: string; readonly finding: AssetFinding; readonly newsAt: number }
  | { readonly kind: 'overdue_vulnerability'; readonly assetId: string; readonly finding: AssetFinding }
  | { readonly kind: 'blind_spot'; readonly assetId: string; readonly blindSpot: BlindSpot }

/** The moment, from when on a vulnerability counts as overdue, and how many of each kind are taken. */
type ExposureTerms = { readonly at: number; readonly overdueBefore: number; readonly limit: number }

/** Remembers what rules were told of the assets of tenants: each exposure is reported once while it lasts. */
export type ExposureStore = {
  /** What holds and was not told yet, the oldest first. */
  readonly listUntold: (tenant: TenantId, terms: ExposureTerms) => Promise<readonly Exposure[]>
  readonly markTold: (tenant: TenantId, exposures: readonly Exposure[], at: number) => Promise<void>
  /** Forgets blind spots that have ended, so that rules hear of them again when they come back; returns how many. */
  readonly forgetEnded: (tenant: TenantId, at: number) => Promise<number>
}
