import type { ReportBranding, StoredReport } from '@tripline/model/report'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { ReportStore } from '../../ports/report-store.ts'
import { inTransaction } from '../query/database.ts'
import { requireIntact } from '../query/row-checksums.ts'
import type { ReportBrandingRow, ReportRow } from '../rows/report-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores the history of reports, each with its file. */
export function reportStore(db: Kysely<Tables>): ReportStore {
  const reportsOf = (tenant: TenantId) => db.selectFrom('reports').selectAll().where('tenantId', '=', tenant)
  const newest = (tenant: TenantId) => reportsOf(tenant).orderBy('requestedAt', 'desc').orderBy('id', 'desc')
  return {
    async insert(tenantId, report) {
      await db.insertInto('reports').values({ tenantId, ...toRow(report) }).execute()
    },
    async get(tenant, id) {
      const row = requireIntact('reports', await reportsOf(tenant).where('id', '=', id).executeTakeFirst())
      return row && parseRow(row)
    },
    list: async (tenant, limit) => (await newest(tenant).limit(limit).execute()).map(parseRow),
    async listUnfinished(tenant) {
      const unfinished = reportsOf(tenant).where('isUnfinished', '=', 1).orderBy('requestedAt').orderBy('id')
      return (await unfinished.execute()).map(parseRow)
    },
    async save(tenant, report) {
      const { id: _id, ...row } = toRow(report)
      const saving = db.updateTable('reports').set(row).where('tenantId', '=', tenant).where('id', '=', report.id)
      return (await saving.executeTakeFirst()).numUpdatedRows === 1n
    },
    putContent: (tenantId, id, content) => inTransaction(db, async (db) => {
      const report = await reportStore(db).get(tenantId, id)
      if (report === undefined) return false
      await db.insertInto('reportContents').values({ tenantId, id, ...content })
        .onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet(content)).execute()
      return true
    }),
    async getContent(tenant, id) {
      const row = await db.selectFrom('reportContents').selectAll().where('tenantId', '=', tenant).where('id', '=', id).executeTakeFirst()
      const intact = requireIntact('reportContents', row)
      return intact && { definition: intact.definition, file: intact.file }
    },
    remove: async (tenant, id) => await removeReports(db, tenant, [id]) === 1,
    removeOld: (tenant, { before, keptMax, limit }) => inTransaction(db, async (db) => {
      const old = await db.selectFrom('reports').select('id').where('tenantId', '=', tenant).where('isUnfinished', '=', 0)
        .where('requestedAt', '<', before).orderBy('requestedAt').limit(limit).execute()
      const beyond = await db.selectFrom('reports').select('id').where('tenantId', '=', tenant).where('isUnfinished', '=', 0)
        .orderBy('requestedAt', 'desc').orderBy('id', 'desc').limit(limit).offset(keptMax).execute()
      const ids = [...new Set([...old, ...beyond].map(({ id }) => id))]
      return await removeReports(db, tenant, ids)
    }),
    async getBranding(tenant) {
      const row = await db.selectFrom('reportBranding').selectAll().where('tenantId', '=', tenant).executeTakeFirst()
      const intact = requireIntact('reportBranding', row)
      return intact === undefined ? { name: '', logo: undefined, version: 0 } : parseBranding(intact)
    },
    putBranding: (tenantId, { name, logo }, { expectedVersion, at: updatedAt }) => inTransaction(db, async (db) => {
      const { version } = await reportStore(db).getBranding(tenantId)
      if (expectedVersion !== undefined && expectedVersion !== version) return { outcome: 'stale', version }
      const next: ReportBranding = { name, logo, version: version + 1 }
      const image = { logo: logo?.png ?? null, width: logo?.width ?? 0, height: logo?.height ?? 0 }
      const row: ReportBrandingRow = { tenantId, name, ...image, version: next.version, updatedAt }
      await db.insertInto('reportBranding').values(row).onConflict((conflict) => conflict.column('tenantId').doUpdateSet(row)).execute()
      return { outcome: 'changed', value: next }
    }),
  }
}

async function removeReports(db: Kysely<Tables>, tenant: TenantId, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  await db.deleteFrom('reportContents').where('tenantId', '=', tenant).where('id', 'in', ids).execute()
  const removed = await db.deleteFrom('reports').where('tenantId', '=', tenant).where('id', 'in', ids).executeTakeFirst()
  return Number(removed.numDeletedRows)
}

function toRow({ from, to, finishedAt = 0, ...report }: StoredReport): Omit<ReportRow, 'tenantId'> {
  const isUnfinished = report.status === 'queued' || report.status === 'running' ? 1 : 0
  return { ...report, fromAt: from ?? null, toAt: to ?? null, finishedAt, isUnfinished }
}

function parseBranding({ name, logo, width, height, version }: ReportBrandingRow): ReportBranding {
  return { name, logo: logo === null ? undefined : { png: logo, width, height }, version }
}

function parseRow({ tenantId: _tenant, isUnfinished: _flag, fromAt, toAt, finishedAt, ...row }: ReportRow): StoredReport {
  return { ...row, from: fromAt ?? undefined, to: toAt ?? undefined, finishedAt: finishedAt === 0 ? undefined : finishedAt }
}
