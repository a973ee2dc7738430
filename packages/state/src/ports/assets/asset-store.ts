import type { ActivityEntry, AssetBinding, AssetRisk } from '@tripline/model/assets/asset-history'
import type { Sighting } from '@tripline/model/assets/sighting'
import type { Asset, AssetFacts } from '@tripline/model/enrichment/asset'
import type { TenantId } from '@tripline/model/tenant'
import type { ChangeResult, ChangeTerms } from '../change.ts'
import type { UpsertInput, UpsertOutcome } from '../enrichment/enrichment-store.ts'
import type { TenantList } from '../list-query.ts'

/** The stated fields of an asset, at least its name or addresses; others stay unchanged. */
export type NewAsset = Partial<AssetFacts>

/** An asset, the number of open alerts of its host, and when the first of its open findings is due. */
export type AssetWithAlerts = Asset & { readonly openAlertCount: number; readonly findingsDueAt: number | undefined }

/** What sightings did: the asset of each, in order, and how many assets were created, joined with others, or evicted. */
export type ObservedAssets = {
  readonly assetIds: readonly (string | undefined)[]
  readonly createdCount: number
  readonly mergedCount: number
  readonly evictedCount: number
}

/** The terms of an observation: the moment, and how many assets of a tenant may rest on events alone. */
export type ObserveTerms = {
  readonly at: number
  readonly inferredMax?: number
  readonly assetsMax?: number
  /**
   * When to count whether too many assets are there: later, where further parts of the observation follow, or now, where an earlier
   * part created some. Default: now, if this one creates some.
   */
  readonly evicts?: 'now' | 'later'
}

/** What a new asset takes from another when they turn out to be two machines. */
export type AssetPart = {
  readonly id: string
  readonly hostname: string
  readonly ipAddresses: readonly string[]
  readonly macAddresses: readonly string[]
}

/** From inclusive to exclusive. */
type Interval = { readonly from: number; readonly to: number }

/** Stores the assets of tenants. */
export type AssetStore = TenantList<AssetWithAlerts> & {
  /** Creates or updates assets, all or none, by natural key. @throws Error for one without a key. */
  readonly upsert: (tenant: TenantId, stated: readonly UpsertInput<NewAsset>[], at: number) => Promise<readonly UpsertOutcome[]>
  /**
   * Merges sightings into assets by what they are recognised by, and creates those that are new. Assets that events alone
   * tell of are evicted where there are too many: first those seen only for a short time, then the ones seen longest ago.
   */
  readonly observe: (tenant: TenantId, sightings: readonly Sighting[], terms: ObserveTerms) => Promise<ObservedAssets>
  readonly get: (tenant: TenantId, id: string) => Promise<AssetWithAlerts | undefined>
  /** The assets that a scanner calls by ids, by these; `source` is its connector. */
  readonly findScanned: (tenant: TenantId, source: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The asset with a host name, or that had it before. */
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
  /** Merges other assets into one, with their histories; returns undefined if one of them does not exist. */
  readonly merge: (tenant: TenantId, id: string, otherIds: readonly string[], terms: ChangeTerms) => Promise<Asset | undefined>
  /** Moves a part of an asset to a new one. `keyless` if nothing would be left of the first. */
  readonly split: (
    tenant: TenantId,
    id: string,
    part: AssetPart,
    terms: ChangeTerms,
  ) => Promise<{ readonly outcome: 'split'; readonly value: Asset } | { readonly outcome: 'missing' | 'keyless' | 'taken' }>
  /** What an asset was bound to, newest first. */
  readonly getBindings: (tenant: TenantId, id: string) => Promise<readonly AssetBinding[]>
  /** What happened to an asset in an interval, newest first. */
  readonly getActivity: (tenant: TenantId, id: string, interval: Interval) => Promise<readonly ActivityEntry[]>
  /** The risk scores that an asset had in an interval, oldest first; the first may be older, and held at its beginning. */
  readonly getRisks: (tenant: TenantId, id: string, interval: Interval) => Promise<readonly AssetRisk[]>
  readonly addActivity: (tenant: TenantId, entries: readonly ActivityEntry[]) => Promise<void>
  /** Removes activity, bindings and risk scores before a moment, and assets that only events told of before it; returns how many. */
  readonly removeOld: (tenant: TenantId, before: number) => Promise<number>
  /** Returns whether the asset existed. */
  readonly remove: (tenant: TenantId, id: string) => Promise<boolean>
}
