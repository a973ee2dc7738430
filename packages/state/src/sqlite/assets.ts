import { getAssetKey, mergeAsset, unknownAsset } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Kysely } from 'kysely'
import { limits } from '../limits.ts'
import type { AssetStore, NewAsset } from '../ports/asset-store.ts'
import type { WithoutList } from '../ports/list-query.ts'
import { openAlertsOfAsset, parseCountedAsset } from './lists/asset-list.ts'
import { compareAndSet } from './query/compare-and-set.ts'
import { inTransaction } from './query/database.ts'
import { splitIntoParts, upsertAll } from './query/upsert.ts'
import { parseAssetRow, toAssetRow } from './rows/asset-row.ts'
import type { AssetRow } from './rows/enrichment-tables.ts'
import type { Tables } from './rows/tables.ts'

/** Stores the assets of tenants. */
export function assetStore(db: Kysely<Tables>): WithoutList<AssetStore> {
  const rowsOf = (db: Kysely<Tables>, tenant: string) => db.selectFrom('assets').selectAll('assets').where('assets.tenantId', '=', tenant)
  const get = async (db: Kysely<Tables>, tenant: string, id: string) => {
    const row = await rowsOf(db, tenant).where('id', '=', id).executeTakeFirst()
    return row && parseAssetRow(row)
  }
  return {
    upsert: (tenant, stated, at) =>
      upsertAll<NewAsset, Asset>(db, stated, {
        keyOf,
        make: ({ id, facts }) => ({ id, ...unknownAsset, ...facts, version: 1, createdAt: at, updatedAt: at }),
        merge: mergeAsset,
        nextVersion: (next) => ({ ...next, version: next.version + 1, updatedAt: at }),
        async find(db, keys) {
          const found: AssetRow[] = []
          for (const part of splitIntoParts(keys, limits.enrichment.soughtAtOnceMax)) {
            found.push(...(await rowsOf(db, tenant).where('naturalKey', 'in', part).execute()))
          }
          return found.map((row) => [row.naturalKey, parseAssetRow(row)])
        },
        insert: (db, assets) => insertAssets(db, tenant, assets),
        replace: (db, asset) => replaceAsset(db, tenant, asset).then(() => undefined),
      }),
    async get(tenant, id) {
      const row = await rowsOf(db, tenant).select(openAlertsOfAsset.as('openAlertCount')).where('id', '=', id).executeTakeFirst()
      return row && parseCountedAsset(row)
    },
    async findByHostname(tenant, hostname) {
      const row = await rowsOf(db, tenant).where('hostname', '=', hostname).where('hostname', '<>', '').executeTakeFirst()
      return row && parseAssetRow(row)
    },
    async findByAddress(tenant, address) {
      const row = await rowsOf(db, tenant)
        .innerJoin('assetAddresses', (join) => join.onRef('assetAddresses.tenantId', '=', 'assets.tenantId').onRef('assetId', '=', 'id'))
        .where('address', '=', address)
        .orderBy('lastSeenAt', 'desc')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      return row && parseAssetRow(row)
    },
    update: (tenant, id, change, terms) =>
      inTransaction(db, async (db) => {
        const current = await get(db, tenant, id)
        const key = current && getAssetKey({ ...current, ...change })
        if (current !== undefined && key === undefined) return { outcome: 'keyless' }
        const holder = key === undefined ? undefined : await rowsOf(db, tenant).where('naturalKey', '=', key).executeTakeFirst()
        if (holder !== undefined && holder.id !== id) return { outcome: 'taken' }
        return await compareAndSet(terms, {
          read: () => get(db, tenant, id),
          next: (asset) => ({ ...asset, ...change, version: asset.version + 1, updatedAt: terms.at }),
          write: (next, { version }) => replaceAsset(db, tenant, next, version),
        })
      }),
    remove: (tenant, id) =>
      inTransaction(db, async (db) => {
        await db.deleteFrom('assetAddresses').where('tenantId', '=', tenant).where('assetId', '=', id).execute()
        const removing = db.deleteFrom('assets').where('tenantId', '=', tenant).where('id', '=', id)
        return (await removing.executeTakeFirst()).numDeletedRows === 1n
      }),
  }
}

function keyOf(facts: NewAsset): string {
  const key = getAssetKey(facts)
  if (key === undefined) throw new Error('an asset has neither a name nor an address')
  return key
}

async function insertAssets(db: Kysely<Tables>, tenant: string, assets: readonly Asset[]): Promise<void> {
  for (const part of splitIntoParts(assets, limits.enrichment.rowsAtOnceMax)) {
    await db.insertInto('assets').values(part.map((asset) => toAssetRow(tenant, keyOf(asset), asset))).execute()
  }
  await insertAddresses(db, tenant, assets)
}

async function insertAddresses(db: Kysely<Tables>, tenant: string, assets: readonly Asset[]): Promise<void> {
  const rows = assets.flatMap(({ id, ipAddresses }) =>
    [...new Set(ipAddresses)].map((address) => ({ tenantId: tenant, address, assetId: id })))
  for (const part of splitIntoParts(rows, limits.enrichment.soughtAtOnceMax)) await db.insertInto('assetAddresses').values(part).execute()
}

/** Returns whether it had the expected version, if one is given. */
async function replaceAsset(db: Kysely<Tables>, tenant: string, asset: Asset, expectedVersion?: number): Promise<boolean> {
  let writing = db.updateTable('assets').set(toAssetRow(tenant, keyOf(asset), asset))
    .where('tenantId', '=', tenant).where('id', '=', asset.id)
  if (expectedVersion !== undefined) writing = writing.where('version', '=', expectedVersion)
  if ((await writing.executeTakeFirst()).numUpdatedRows !== 1n) return false
  await db.deleteFrom('assetAddresses').where('tenantId', '=', tenant).where('assetId', '=', asset.id).execute()
  await insertAddresses(db, tenant, [asset])
  return true
}
