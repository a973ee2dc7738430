import { getFirstLabel, isSameName } from '@tripline/model/assets/sighting'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import { splitIntoParts } from '../query/upsert.ts'
import { parseAssetRow } from '../rows/asset-row.ts'
import type { Tables } from '../rows/tables.ts'

/**
 * The assets that events or scans have under names that may be those of imported rows, each for one row. Rows of an import
 * are distinguished by their names as written, so what was imported before is not among them.
 */
export async function findByIdentity(
  db: Kysely<Tables>, tenant: string, keys: readonly string[], taken: ReadonlySet<string>,
): Promise<readonly (readonly [key: string, asset: Asset])[]> {
  const found: (readonly [key: string, asset: Asset])[] = []
  const used = new Set(taken)
  for (const part of splitIntoParts(keys, limits.enrichment.soughtAtOnceMax)) {
    const labels = [...new Set(part.flatMap((key) => [key, getFirstLabel(key)]))]
    const rows = await db.selectFrom('assetIdentifiers')
      .innerJoin('assets', (join) => join.onRef('assets.tenantId', '=', 'assetIdentifiers.tenantId').onRef('assets.id', '=', 'assetId'))
      .selectAll('assets').where('assetIdentifiers.tenantId', '=', tenant).where('kind', 'in', ['name', 'label'])
      .where('value', 'in', labels).where('sources', 'not like', '%"import"%').limit(limits.assets.candidatesMax).execute()
    const byLabel = Map.groupBy(rows.map((row) => parseAssetRow(row)), ({ hostname }) => getFirstLabel(hostname))
    for (const key of part) {
      const fitting = new Map((byLabel.get(getFirstLabel(key)) ?? []).filter(({ hostname }) => isSameName(hostname, key))
        .map((asset) => [asset.id, asset]))
      const [asset] = fitting.values()
      if (asset === undefined || fitting.size > 1 || used.has(asset.id)) continue
      used.add(asset.id)
      found.push([key, asset])
    }
  }
  return found
}
