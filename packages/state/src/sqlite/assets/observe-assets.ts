import { createAsset, mergeAssets, mergeSighting } from '@tripline/model/assets/merge-sighting'
import { resolveSighting } from '@tripline/model/assets/resolve-sighting'
import type { Identifier, Sighting } from '@tripline/model/assets/sighting'
import { getAssetKey } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { ObserveTerms, ObservedAssets } from '../../ports/assets/asset-store.ts'
import { splitIntoParts } from '../query/upsert.ts'
import type { Tables } from '../rows/tables.ts'
import { addHistory, readHistory, recordBindings, recordLogons } from './asset-history.ts'
import type { AssetHistory } from './asset-history.ts'
import { insertAssets, removeAssets, replaceAsset } from './asset-rows.ts'
import type { KeyedAsset } from './asset-rows.ts'
import { countMovedFindings, moveFindings } from '../findings/move-findings.ts'
import { evictAssets } from './evict-assets.ts'
import { LoadedAssets } from './load-index.ts'

/** Merges sightings into the assets of a tenant, in one transaction. */
export async function observeAssets(
  db: Kysely<Tables>, tenant: string, sightings: readonly Sighting[], terms: ObserveTerms,
): Promise<ObservedAssets> {
  const index = await LoadedAssets.load(db, tenant, sightings)
  const run = new Observation(index, terms.at)
  const assetIds = sightings.map((sighting) => run.add(sighting))
  const histories = new Map<string, AssetHistory>()
  for (const from of run.merged.keys()) histories.set(from, await readHistory(db, tenant, from))
  const created = [...run.created].map((id) => index.get(id)).filter((asset) => asset !== undefined)
  const changed = [...run.changed].filter((id) => !run.created.has(id)).map((id) => index.get(id)).filter((asset) => asset !== undefined)
  for (const from of run.merged.keys()) await moveFindings(db, tenant, { from, to: run.resolve(from) })
  await removeAssets(db, tenant, [...run.merged.keys()])
  const keys = await chooseKeys(db, tenant, [...created, ...changed])
  const toKeyed = (asset: Asset): KeyedAsset => {
    return { asset, key: keys.get(asset.id) ?? asset.id, identifiers: run.identifiers.get(asset.id) ?? [] }
  }
  await insertAssets(db, tenant, created.map(toKeyed))
  for (const asset of changed) await replaceAsset(db, tenant, toKeyed(asset))
  for (const [from, history] of histories) await addHistory(db, tenant, run.resolve(from), history)
  await countMovedFindings(db, tenant, [...run.merged.keys()].map((id) => run.resolve(id)))
  const seen = sightings.map((sighting, i) => ({ sighting, assetId: run.resolve(assetIds[i]!) }))
  await recordBindings(db, tenant, seen)
  await recordLogons(db, tenant, seen)
  const evicts = terms.evicts ?? (created.length === 0 ? 'later' : 'now')
  const evicted = evicts === 'later' ? new Set<string>() : await evictAssets(db, tenant, terms)
  return {
    assetIds: seen.map(({ assetId }) => (evicted.has(assetId) ? undefined : assetId)),
    createdCount: created.length, mergedCount: run.merged.size, evictedCount: evicted.size,
  }
}

/** The changes of one transaction. */
class Observation {
  readonly created = new Set<string>()
  readonly changed = new Set<string>()
  /** The assets that became part of another, and which. */
  readonly merged = new Map<string, string>()
  readonly identifiers = new Map<string, Identifier[]>()
  readonly #index: LoadedAssets
  readonly #now: number

  constructor(index: LoadedAssets, now: number) {
    this.#index = index
    this.#now = now
  }

  /** Merges a sighting; returns the id of its asset. */
  add(sighting: Sighting): string {
    const { target, absorbed } = resolveSighting(sighting, this.#index)
    let asset = target === undefined ? createAsset(sighting, this.#now) : mergeSighting(target, sighting, this.#now)
    for (const other of absorbed) {
      asset = mergeAssets(asset, other, this.#now)
      this.#index.absorb(asset, other)
      this.merged.set(other.id, asset.id)
      this.identifiers.set(asset.id, [...(this.identifiers.get(asset.id) ?? []), ...(this.identifiers.get(other.id) ?? [])])
      this.created.delete(other.id)
    }
    if (target === undefined) this.created.add(asset.id)
    this.#index.put(asset, sighting.identifiers)
    this.changed.add(asset.id)
    this.identifiers.set(asset.id, [...(this.identifiers.get(asset.id) ?? []), ...sighting.identifiers])
    if (sighting.takesAddresses) this.#takeAddresses(asset, sighting)
    return asset.id
  }

  /** The asset that one is part of now. */
  resolve(id: string): string {
    const into = this.merged.get(id)
    return into === undefined ? id : this.resolve(into)
  }

  /** Takes addresses from others that events gave them earlier; what people imported stays. */
  #takeAddresses(asset: Asset, { facts: { ipAddresses = [] }, at }: Sighting): void {
    for (const address of ipAddresses) {
      for (const holder of this.#index.findHolders(address)) {
        const isOlder = (holder.lastSeenAt ?? 0) < at
        if (holder.id === asset.id || !isOlder || holder.sources.includes('import')) continue
        const left = holder.ipAddresses.filter((held) => held !== address)
        if (getAssetKey({ ...holder, ipAddresses: left }) === undefined) continue
        this.#index.put({ ...holder, ipAddresses: left, version: holder.version + 1, updatedAt: this.#now }, [])
        this.changed.add(holder.id)
      }
    }
  }
}

/** The natural key of each asset where no other asset has it. */
async function chooseKeys(db: Kysely<Tables>, tenant: string, assets: readonly Asset[]): Promise<ReadonlyMap<string, string>> {
  const keys = new Map<string, string>()
  const wanted = new Map<string, string>()
  for (const asset of assets) {
    const key = getAssetKey(asset)
    if (key !== undefined && !wanted.has(key)) wanted.set(key, asset.id)
  }
  const holders = new Map<string, string>()
  for (const part of splitIntoParts([...wanted.keys()], limits.enrichment.soughtAtOnceMax)) {
    const rows = await db.selectFrom('assets').select(['naturalKey', 'id']).where('tenantId', '=', tenant)
      .where('naturalKey', 'in', part).execute()
    for (const { naturalKey, id } of rows) holders.set(naturalKey, id)
  }
  for (const [key, id] of wanted) if ((holders.get(key) ?? id) === id) keys.set(id, key)
  return keys
}
