import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { limits } from '../../limits.ts'
import type { FindingStore } from '../../ports/assets/finding-store.ts'
import type { WithoutList } from '../../ports/list-query.ts'
import { inTransaction } from '../query/database.ts'
import { splitIntoParts } from '../query/upsert.ts'
import { parseFindingRow, parseVulnerabilityRow, toVulnerabilityRow } from '../rows/finding-row.ts'
import type { VulnerabilityRow } from '../rows/finding-tables.ts'
import type { Tables } from '../rows/tables.ts'
import { countFindings, recordFindings, sweepFindings } from './record-findings.ts'

/** Stores vulnerabilities of the assets of tenants. */
export function findingStore(db: Kysely<Tables>): WithoutList<FindingStore> {
  return {
    record: (tenant, found, terms) => inTransaction(db, (db) => recordFindings(db, found, { tenant, ...terms })),
    sweep: (tenant, terms) => inTransaction(db, async (db) => (await sweepFindings(db, { tenant, ...terms })).map(parseFindingRow)),
    async getVulnerabilities(tenant, ids) {
      const rows: VulnerabilityRow[] = []
      for (const part of splitIntoParts([...new Set(ids)], limits.enrichment.soughtAtOnceMax)) {
        rows.push(...await db.selectFrom('vulnerabilities').selectAll().where('tenantId', '=', tenant).where('id', 'in', part).execute())
      }
      return new Map(rows.map((row) => [row.id, parseVulnerabilityRow(row)]))
    },
    putVulnerabilities: (tenant, vulnerabilities, at) => inTransaction(db, async (db) => {
      const rows = vulnerabilities.map((vulnerability): VulnerabilityRow => {
        return { ...toVulnerabilityRow(vulnerability), tenantId: tenant, checkedAt: at }
      })
      for (const part of splitIntoParts(rows, limits.enrichment.rowsAtOnceMax)) {
        await db.insertInto('vulnerabilities').values(part).onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet({
          title: sql`excluded.title`, severity: sql`excluded.severity`, cves: sql`excluded.cves`, cvssTenths: sql`excluded.cvss_tenths`,
          exploitCount: sql`excluded.exploit_count`, checkedAt: sql`excluded.checked_at`,
        })).execute()
      }
      for (const { id, exploitCount } of rows) {
        const changed = await db.updateTable('assetFindings').set({
          exploitCount,
          // What had none before and has one now is news; those that are closed have none.
          exploitNewsAt: sql`case when exploit_count = 0 and status = 'open' then ${at} else exploit_news_at end`,
        }).where('tenantId', '=', tenant)
          .where('vulnerabilityId', '=', id).where('exploitCount', '<>', exploitCount).returning('assetId').execute()
        if (changed.length > 0) await countFindings(db, tenant, [...new Set(changed.map(({ assetId }) => assetId))])
      }
    }),
    async listWithoutExploit(tenant, countMax) {
      const rows = await db.selectFrom('vulnerabilities').select('id').where('tenantId', '=', tenant).where('exploitCount', '=', 0)
        .where((eb) => eb.exists(eb.selectFrom('assetFindings').select('assetFindings.id')
          .whereRef('assetFindings.tenantId', '=', 'vulnerabilities.tenantId')
          .whereRef('assetFindings.vulnerabilityId', '=', 'vulnerabilities.id').where('assetFindings.status', '=', 'open')))
        .orderBy('checkedAt').orderBy('id').limit(countMax).execute()
      return rows.map(({ id }) => id)
    },
  }
}
