import { mergeAssets } from '@tripline/model/assets/merge-sighting'
import { nextEdit } from '@tripline/model/edited-version'
import { unknownAsset, getAssetKey } from '@tripline/model/enrichment/asset'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Kysely } from 'kysely'
import type { AssetPart, AssetStore } from '../../ports/assets/asset-store.ts'
import { parseAssetRow } from '../rows/asset-row.ts'
import type { Tables } from '../rows/tables.ts'
import { countMovedFindings, moveFindings } from '../findings/move-findings.ts'
import { addHistory, readHistory } from './asset-history.ts'
import { forgetIdentifiers, insertAssets, removeAssets, replaceAsset, requireAssetKey } from './asset-rows.ts'

/** Merges assets into one; undefined if one of them does not exist. */
export async function mergeStoredAssets(
  db: Kysely<Tables>, tenant: string,
  { id, otherIds, at }: { readonly id: string; readonly otherIds: readonly string[]; readonly at: number },
): Promise<Asset | undefined> {
  const target = await readAsset(db, tenant, id)
  if (target === undefined) return undefined
  let merged = target
  const histories = []
  for (const otherId of otherIds) {
    if (otherId === id) return undefined
    const other = await readAsset(db, tenant, otherId)
    if (other === undefined) return undefined
    merged = mergeAssets(merged, other, at)
    histories.push(await readHistory(db, tenant, otherId))
  }
  merged = { ...merged, ...nextEdit(target) }
  for (const from of otherIds) await moveFindings(db, tenant, { from, to: id })
  await removeAssets(db, tenant, otherIds)
  await replaceAsset(db, tenant, { asset: merged, key: await chooseKey(db, tenant, merged) })
  for (const history of histories) await addHistory(db, tenant, id, history)
  if (await countMovedFindings(db, tenant, [id])) merged = (await readAsset(db, tenant, id)) ?? merged
  return merged
}

/** Moves a name, addresses and interfaces of an asset to a new one. */
export async function splitAsset(
  db: Kysely<Tables>, tenant: string, { id, part, at }: { readonly id: string; readonly part: AssetPart; readonly at: number },
): ReturnType<AssetStore['split']> {
  const asset = await readAsset(db, tenant, id)
  if (asset === undefined) return { outcome: 'missing' }
  const left: Asset = {
    ...asset, hostname: asset.hostname === part.hostname ? '' : asset.hostname,
    ipAddresses: asset.ipAddresses.filter((address) => !part.ipAddresses.includes(address)),
    macAddresses: asset.macAddresses.filter((address) => !part.macAddresses.includes(address)),
    ...nextEdit(asset), updatedAt: at,
  }
  const { id: newId, hostname, ipAddresses, macAddresses } = part
  const created: Asset = {
    ...unknownAsset, id: newId, hostname, ipAddresses, macAddresses, firstSeenAt: asset.firstSeenAt, lastSeenAt: asset.lastSeenAt,
    sources: asset.sources, version: 1, editedVersion: 1, createdAt: at, updatedAt: at,
  }
  if (getAssetKey(left) === undefined || getAssetKey(created) === undefined) return { outcome: 'keyless' }
  const named = hostname === '' ? undefined : await db.selectFrom('assets').select('id').where('tenantId', '=', tenant)
    .where('hostname', '=', hostname).where('id', '<>', id).executeTakeFirst()
  if (named !== undefined) return { outcome: 'taken' }
  await forgetIdentifiers(db, tenant, id)
  await replaceAsset(db, tenant, { asset: left, key: await chooseKey(db, tenant, left) })
  await insertAssets(db, tenant, [{ asset: created, key: await chooseKey(db, tenant, created) }])
  return { outcome: 'split', value: created }
}

async function readAsset(db: Kysely<Tables>, tenant: string, id: string): Promise<Asset | undefined> {
  const row = await db.selectFrom('assets').selectAll().where('tenantId', '=', tenant).where('id', '=', id).executeTakeFirst()
  return row && parseAssetRow(row)
}

/** The natural key of an asset, or its id where another asset has that key. */
async function chooseKey(db: Kysely<Tables>, tenant: string, asset: Asset): Promise<string> {
  const key = requireAssetKey(asset)
  const holder = await db.selectFrom('assets').select('id').where('tenantId', '=', tenant).where('naturalKey', '=', key).executeTakeFirst()
  return holder === undefined || holder.id === asset.id ? key : asset.id
}
