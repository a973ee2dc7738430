import { listIdentifiers } from '@tripline/model/assets/sighting'
import type { Identifier } from '@tripline/model/assets/sighting'
import { getAssetKey } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import { splitIntoParts } from '../query/upsert.ts'
import { toAssetRow } from '../rows/asset-row.ts'
import type { Tables } from '../rows/tables.ts'

/** A new asset under its natural key; observed ones have their id where another asset has that key. */
export type KeyedAsset = { readonly asset: Asset; readonly key: string; readonly identifiers?: readonly Identifier[] }

/** The natural key of an asset. @throws Error for one without any. */
export function requireAssetKey(facts: Parameters<typeof getAssetKey>[0]): string {
  const key = getAssetKey(facts)
  if (key === undefined) throw new Error('an asset has neither a name nor an address')
  return key
}

async function insertAddresses(db: Kysely<Tables>, tenant: string, assets: readonly Asset[]): Promise<void> {
  const rows = assets.flatMap(({ id, ipAddresses }) =>
    [...new Set(ipAddresses)].map((address) => ({ tenantId: tenant, address, assetId: id })))
  for (const part of splitIntoParts(rows, limits.enrichment.soughtAtOnceMax)) await db.insertInto('assetAddresses').values(part).execute()
}

/** Adds identifiers to assets that may have them. */
async function insertIdentifiers(
  db: Kysely<Tables>, tenant: string, assets: readonly (readonly [assetId: string, identifiers: readonly Identifier[]])[],
): Promise<void> {
  const rows = assets.flatMap(([assetId, identifiers]) => {
    return identifiers.map(({ kind, value }) => ({ tenantId: tenant, kind, value, assetId }))
  })
  for (const part of splitIntoParts(rows, limits.enrichment.soughtAtOnceMax)) {
    await db.insertInto('assetIdentifiers').values(part).onConflict((conflict) => conflict.doNothing()).execute()
  }
}

/** Inserts assets with the rows by which they are found. */
export async function insertAssets(db: Kysely<Tables>, tenant: string, assets: readonly KeyedAsset[]): Promise<void> {
  for (const part of splitIntoParts(assets, limits.enrichment.rowsAtOnceMax)) {
    await db.insertInto('assets').values(part.map(({ asset, key }) => toAssetRow(tenant, key, asset))).execute()
  }
  await insertAddresses(db, tenant, assets.map(({ asset }) => asset))
  await insertIdentifiers(db, tenant, assets.map(({ asset, identifiers }) => [asset.id, listIdentifiers(asset, identifiers)]))
}

/** Writes an asset under a key; returns whether it had the expected version, if one is given. */
export async function replaceAsset(
  db: Kysely<Tables>, tenant: string, { asset, key, identifiers }: KeyedAsset, expectedVersion?: number,
): Promise<boolean> {
  let writing = db.updateTable('assets').set(toAssetRow(tenant, key, asset)).where('tenantId', '=', tenant).where('id', '=', asset.id)
  if (expectedVersion !== undefined) writing = writing.where('version', '=', expectedVersion)
  if ((await writing.executeTakeFirst()).numUpdatedRows !== 1n) return false
  await db.deleteFrom('assetAddresses').where('tenantId', '=', tenant).where('assetId', '=', asset.id).execute()
  await insertAddresses(db, tenant, [asset])
  await insertIdentifiers(db, tenant, [[asset.id, listIdentifiers(asset, identifiers)]])
  return true
}

/** Forgets the names and interfaces that an asset had: people have said what it is. */
export async function forgetIdentifiers(db: Kysely<Tables>, tenant: string, assetId: string): Promise<void> {
  await db.deleteFrom('assetIdentifiers').where('tenantId', '=', tenant).where('assetId', '=', assetId)
    .where('kind', 'in', ['name', 'label', 'mac']).execute()
}

const tablesOfAssets = [
  'assetAddresses', 'assetIdentifiers', 'assetBindings', 'assetActivity', 'assetFindings', 'assetBlindSpots', 'assetRisks',
] as const

/** Removes assets with everything that belongs to them; returns how many existed. */
export async function removeAssets(db: Kysely<Tables>, tenant: string, ids: readonly string[]): Promise<number> {
  let removedCount = 0
  for (const part of splitIntoParts(ids, limits.enrichment.soughtAtOnceMax)) {
    for (const table of tablesOfAssets) {
      await db.deleteFrom(table).where('tenantId', '=', tenant).where('assetId', 'in', part).execute()
    }
    const removing = db.deleteFrom('assets').where('tenantId', '=', tenant).where('id', 'in', part)
    removedCount += Number((await removing.executeTakeFirst()).numDeletedRows)
  }
  return removedCount
}
