import { blindSpotMs } from '@tripline/model/assets/exposure'
import type { BlindSpot } from '@tripline/model/assets/exposure'
import type { TenantId } from '@tripline/model/tenant'
import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import type { Exposure, ExposureStore } from '../../ports/assets/exposure-store.ts'
import { inTransaction } from '../query/database.ts'
import { parseFindingRow } from '../rows/finding-row.ts'
import type { FindingRow } from '../rows/finding-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Remembers what rules were told of the assets of tenants. */
export function exposureStore(db: Kysely<Tables>): ExposureStore {
  return {
    async listUntold(tenant, { at, overdueBefore, limit }) {
      const open = () => db.selectFrom('assetFindings').selectAll().where('tenantId', '=', tenant).where(sql<boolean>`status = 'open'`)
        .limit(limit)
      // Literals, not parameters: a partial index is used only if the condition is known.
      const news = await open().where(sql<boolean>`exploit_news_at > 0`).orderBy('exploitNewsAt').orderBy('id').execute()
      const overdue = await open().where(sql<boolean>`overdue_told_at = 0 and due_at > 0`).where('dueAt', '<=', overdueBefore)
        .orderBy('dueAt').orderBy('id').execute()
      const exposures: Exposure[] = [
        ...news.map((row) => ({ kind: 'exploit_available', ...ofFinding(row), newsAt: row.exploitNewsAt }) as const),
        ...overdue.map((row) => ({ kind: 'overdue_vulnerability', ...ofFinding(row) }) as const),
      ]
      for (const blindSpot of ['no_logs', 'no_scan'] as const) {
        const { rows } = await sql<{ readonly id: string }>`select id from assets
          where tenant_id = ${tenant} and ${isBlind(blindSpot, tenant, at)}
          and not exists (select 1 from asset_blind_spots as told
            where told.tenant_id = assets.tenant_id and told.asset_id = assets.id and told.kind = ${blindSpot})
          order by created_at, id limit ${limit}`.execute(db)
        exposures.push(...rows.map(({ id: assetId }) => ({ kind: 'blind_spot', assetId, blindSpot }) as const))
      }
      return exposures
    },
    markTold: (tenant, exposures, at) => inTransaction(db, async (db) => {
      for (const exposure of exposures) await markTold(db, tenant, exposure, at)
    }),
    async forgetEnded(tenant, at) {
      let count = 0
      for (const blindSpot of ['no_logs', 'no_scan'] as const) {
        const { numAffectedRows = 0n } = await sql`delete from asset_blind_spots where tenant_id = ${tenant} and kind = ${blindSpot}
          and not exists (select 1 from assets where assets.tenant_id = asset_blind_spots.tenant_id
            and assets.id = asset_blind_spots.asset_id and ${isBlind(blindSpot, tenant, at)})`.execute(db)
        count += Number(numAffectedRows)
      }
      return count
    },
  }
}

function ofFinding(row: FindingRow): Pick<Extract<Exposure, { readonly kind: 'overdue_vulnerability' }>, 'assetId' | 'finding'> {
  return { assetId: row.assetId, finding: parseFindingRow(row) }
}

/**
 * Whether an asset is a blind spot. One that never logged counts if something other than events knows it; one that was never
 * scanned counts if it logs, and the tenant scans at all. Both have as long from when they came to be known.
 */
function isBlind(blindSpot: BlindSpot, tenant: TenantId, at: number): RawBuilder<boolean> {
  const before = at - blindSpotMs[blindSpot]
  if (blindSpot === 'no_logs') {
    return sql`assets.last_log_at < ${before} and (assets.last_log_at > 0 or (assets.is_inferred = 0 and assets.created_at < ${before}))`
  }
  const scans = sql`exists (select 1 from assets as scanned where scanned.tenant_id = ${tenant} and scanned.last_scan_at > 0)`
  const logs = sql`assets.last_log_at >= ${at - blindSpotMs.no_logs}`
  return sql`assets.last_scan_at < ${before} and (assets.last_scan_at > 0 or (${logs} and assets.created_at < ${before} and ${scans}))`
}

async function markTold(db: Kysely<Tables>, tenantId: TenantId, exposure: Exposure, at: number): Promise<void> {
  if (exposure.kind === 'blind_spot') {
    const { assetId, blindSpot: kind } = exposure
    const row = { tenantId, assetId, kind, toldAt: at }
    await db.insertInto('assetBlindSpots').values(row).onConflict((conflict) => conflict.doNothing()).execute()
    return
  }
  const change = exposure.kind === 'exploit_available' ? { exploitNewsAt: 0 } : { overdueToldAt: at }
  await db.updateTable('assetFindings').set(change).where('tenantId', '=', tenantId).where('id', '=', exposure.finding.id).execute()
}
