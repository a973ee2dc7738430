import { nextEdit } from '@tripline/model/edited-version'
import { getAssetKey, mergeAsset, unknownAsset } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { AssetStore, NewAsset } from '../../ports/assets/asset-store.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import { findingsDueAtOfAsset, openAlertsOfAsset, parseCountedAsset } from '../lists/asset-list.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import { splitIntoParts, upsertAll } from '../query/upsert.ts'
import { parseAssetRow } from '../rows/asset-row.ts'
import type { AssetRow } from '../rows/enrichment-tables.ts'
import type { Tables } from '../rows/tables.ts'
import { readActivity, readBindings, readRisks, writeActivity } from './asset-history.ts'
import { forgetIdentifiers, insertAssets, removeAssets, replaceAsset, requireAssetKey } from './asset-rows.ts'
import { findByIdentity } from './find-by-identity.ts'
import { mergeStoredAssets, splitAsset } from './merge-assets.ts'
import { observeAssets } from './observe-assets.ts'
import { removeOldAssets } from './remove-old-assets.ts'

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
        keyOf: requireAssetKey,
        make: ({ id, facts }) => ({ id, ...unknownAsset, ...facts, version: 1, editedVersion: 1, createdAt: at, updatedAt: at }),
        merge: mergeAsset,
        nextVersion: (next) => ({ ...next, ...nextEdit(next), updatedAt: at }),
        async find(db, keys) {
          const found: AssetRow[] = []
          for (const part of splitIntoParts(keys, limits.enrichment.soughtAtOnceMax)) {
            found.push(...(await rowsOf(db, tenant).where('naturalKey', 'in', part).execute()))
          }
          const byKey = found.map((row) => [row.naturalKey, parseAssetRow(row)] as const)
          const known = new Set(byKey.map(([key]) => key))
          return [...byKey, ...await findByIdentity(db, tenant, keys.filter((key) => !known.has(key)), new Set(found.map(({ id }) => id)))]
        },
        insert: (db, assets) => insertAssets(db, tenant, assets.map((asset) => ({ asset, key: requireAssetKey(asset) }))),
        replace: (db, asset) => replaceAsset(db, tenant, { asset, key: requireAssetKey(asset) }).then(() => undefined),
      }),
    observe: (tenant, sightings, terms) => inTransaction(db, (db) => observeAssets(db, tenant, sightings, terms)),
    async get(tenant, id) {
      const row = await rowsOf(db, tenant).select([openAlertsOfAsset.as('openAlertCount'), findingsDueAtOfAsset.as('findingsDueAt')])
        .where('id', '=', id).executeTakeFirst()
      return row && parseCountedAsset(row)
    },
    async findScanned(tenant, source, ids) {
      const found = new Map<string, string>()
      const prefix = `${source}:`
      for (const part of splitIntoParts([...new Set(ids)], limits.enrichment.soughtAtOnceMax)) {
        const rows = await db.selectFrom('assetIdentifiers').select(['value', 'assetId']).where('tenantId', '=', tenant)
          .where('kind', '=', 'scanner').where('value', 'in', part.map((id) => `${prefix}${id}`)).execute()
        for (const { value, assetId } of rows) found.set(value.slice(prefix.length), assetId)
      }
      return found
    },
    async findByHostname(tenant, hostname) {
      if (hostname === '') return undefined
      const row = await rowsOf(db, tenant).where('hostname', '=', hostname).executeTakeFirst() ?? await rowsOf(db, tenant)
        .where('id', 'in', (query) => query.selectFrom('assetIdentifiers').select('assetId').where('tenantId', '=', tenant)
          .where('kind', '=', 'name').where('value', '=', hostname)).orderBy('lastSeenAt', 'desc').limit(1).executeTakeFirst()
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
          next: (asset) => ({ ...asset, ...change, ...nextEdit(asset), updatedAt: terms.at }),
          write: async (next, { version }) => {
            await forgetIdentifiers(db, tenant, id)
            return await replaceAsset(db, tenant, { asset: next, key: requireAssetKey(next) }, version)
          },
        })
      }),
    merge: (tenant, id, otherIds, terms) => inTransaction(db, (db) => mergeStoredAssets(db, tenant, { id, otherIds, at: terms.at })),
    split: (tenant, id, part, terms) => inTransaction(db, (db) => splitAsset(db, tenant, { id, part, at: terms.at })),
    getBindings: (tenant, id) => readBindings(db, tenant, id),
    getActivity: (tenant, id, interval) => readActivity(db, tenant, id, interval),
    getRisks: (tenant, id, interval) => readRisks(db, tenant, id, interval),
    addActivity: (tenant, entries) => inTransaction(db, (db) => writeActivity(db, tenant, entries)),
    removeOld: (tenant, before) => inTransaction(db, (db) => removeOldAssets(db, tenant, before)),
    remove: (tenant, id) => inTransaction(db, async (db) => (await removeAssets(db, tenant, [id])) === 1),
  }
}
