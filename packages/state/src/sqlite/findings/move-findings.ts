import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { countFindings } from './record-findings.ts'
import type { Tables } from '../rows/tables.ts'

/** Findings of an asset that turns out to be another; of two of the same vulnerability by one scanner the other's stays. */
export async function moveFindings(
  db: Kysely<Tables>, tenant: string, { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await sql`update or ignore asset_findings set asset_id = ${to} where tenant_id = ${tenant} and asset_id = ${from}`.execute(db)
}

/** The counts of assets that took over findings follow; those without any keep what their sources say. Returns whether one had. */
export async function countMovedFindings(db: Kysely<Tables>, tenant: string, assetIds: readonly string[]): Promise<boolean> {
  if (assetIds.length === 0) return false
  const rows = await db.selectFrom('assetFindings').select('assetId').distinct().where('tenantId', '=', tenant)
    .where('assetId', 'in', [...new Set(assetIds)]).execute()
  await countFindings(db, tenant, rows.map(({ assetId }) => assetId))
  return rows.length > 0
}
