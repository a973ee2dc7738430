import type { ActivityEntry } from '@tripline/model/assets/asset-history'
import { findingSeverities, getFindingDueAt } from '@tripline/model/assets/finding'
import type { SeenFinding } from '@tripline/model/assets/finding'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { FindingChanges, AssetFindings } from '../../ports/assets/finding-store.ts'
import { writeActivity } from '../assets/asset-history.ts'
import { splitIntoParts } from '../query/upsert.ts'
import { parseFindingRow, toVulnerabilityRow } from '../rows/finding-row.ts'
import type { FindingRow } from '../rows/finding-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** The tenant, the scanner that found it, the moment, and the run as the moment when it began. */
type Terms = { readonly tenant: string; readonly source: string; readonly at: number; readonly runAt: number }

/** Records what a scan found on assets, in one transaction. */
export async function recordFindings(db: Kysely<Tables>, found: readonly AssetFindings[], terms: Terms): Promise<FindingChanges> {
  const { tenant, source } = terms
  const opened: FindingRow[] = []
  const closed: FindingRow[] = []
  for (const part of splitIntoParts(found, limits.enrichment.rowsAtOnceMax)) {
    const assetIds = [...new Set(part.map(({ assetId }) => assetId))]
    const rows = await db.selectFrom('assetFindings').selectAll().where('tenantId', '=', tenant).where('source', '=', source)
      .where('assetId', 'in', assetIds).execute()
    const known = new Map(rows.map((row) => [keyOf(row), row]))
    const written = new Map<string, FindingRow>()
    for (const { assetId, isComplete, findings } of part) {
      const named = new Set<string>()
      for (const finding of findings) {
        const key = keyOf({ assetId, vulnerabilityId: finding.vulnerability.id })
        named.add(key)
        const before = written.get(key) ?? known.get(key)
        const next = mergeFinding(before, finding, { ...terms, assetId })
        if (next === undefined) continue
        written.set(key, next)
        if (next.status === 'open' && before?.status !== 'open') opened.push(next)
        if (next.status === 'closed' && before?.status === 'open') closed.push(next)
      }
      if (!isComplete) continue
      for (const row of rows) {
        if (row.assetId !== assetId || row.status !== 'open' || named.has(keyOf(row))) continue
        const next: FindingRow = { ...row, status: 'closed', closedAt: terms.at }
        written.set(keyOf(row), next)
        closed.push(next)
      }
    }
    await writeFindings(db, [...written.values()])
    await countFindings(db, tenant, assetIds)
  }
  await noteChanges(db, tenant, { opened, closed })
  return { opened: opened.map(parseFindingRow), closed: closed.map(parseFindingRow) }
}

/** Closes what a run did not confirm. Runs are compared for equality, not by time: the clock may have been set back between two. */
export async function sweepFindings(
  db: Kysely<Tables>, { tenant, source, at, runAt, limit }: Terms & { readonly limit: number },
): Promise<readonly FindingRow[]> {
  const rows = await db.selectFrom('assetFindings').selectAll().where('tenantId', '=', tenant).where('source', '=', source)
    .where('status', '=', 'open').where('confirmedAt', '<>', runAt).limit(limit).execute()
  const closed = rows.map((row): FindingRow => ({ ...row, status: 'closed', closedAt: at }))
  await writeFindings(db, closed)
  await countFindings(db, tenant, [...new Set(rows.map(({ assetId }) => assetId))])
  await noteChanges(db, tenant, { opened: [], closed })
  return closed
}

function keyOf({ assetId, vulnerabilityId }: Pick<FindingRow, 'assetId' | 'vulnerabilityId'>): string {
  return JSON.stringify([assetId, vulnerabilityId])
}

/** The row after a scan; undefined for what was never open. */
function mergeFinding(
  before: FindingRow | undefined, seen: SeenFinding, { tenant, source, at, runAt, assetId }: Terms & { readonly assetId: string },
): FindingRow | undefined {
  const { vulnerability, isOpen, ports, proof, solution } = seen
  if (!isOpen) {
    if (before === undefined) return undefined
    return before.status === 'closed' ? before : { ...before, status: 'closed', closedAt: seen.lastFoundAt ?? at }
  }
  // One that came back has its time again.
  const firstFoundAt = before?.status === 'open' ? before.firstFoundAt : (seen.firstFoundAt ?? at)
  const { id: vulnerabilityId, ...facts } = toVulnerabilityRow(vulnerability)
  const id = before?.id ?? createHash('sha256').update(JSON.stringify([assetId, source, vulnerabilityId])).digest('base64url').slice(0, 22)
  return {
    tenantId: tenant, id, assetId, source, vulnerabilityId, ...facts, status: 'open', firstFoundAt,
    lastFoundAt: Math.max(seen.lastFoundAt ?? at, before?.lastFoundAt ?? 0), confirmedAt: runAt, closedAt: 0,
    dueAt: getFindingDueAt(vulnerability.severity, firstFoundAt) ?? 0, ...getNews(before, facts.exploitCount, at),
    ports: JSON.stringify(ports),
    proof: proof === '' ? (before?.proof ?? '') : proof, solution: solution === '' ? (before?.solution ?? '') : solution,
  }
}

/** What rules were told stays so while a finding is open; an exploit that it did not have before is news. */
function getNews(
  before: FindingRow | undefined, exploitCount: number, at: number,
): Pick<FindingRow, 'overdueToldAt' | 'exploitNewsAt'> {
  if (before?.status !== 'open') return { overdueToldAt: 0, exploitNewsAt: 0 }
  return { overdueToldAt: before.overdueToldAt, exploitNewsAt: before.exploitCount === 0 && exploitCount > 0 ? at : before.exploitNewsAt }
}

async function writeFindings(db: Kysely<Tables>, rows: readonly FindingRow[]): Promise<void> {
  for (const part of splitIntoParts(rows, limits.enrichment.rowsAtOnceMax)) {
    const excluded = (name: string) => sql<never>`excluded.${sql.ref(name)}`
    await db.insertInto('assetFindings').values(part).onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet({
      title: excluded('title'), severity: excluded('severity'), cves: excluded('cves'), cvssTenths: excluded('cvss_tenths'),
      exploitCount: excluded('exploit_count'), status: excluded('status'), firstFoundAt: excluded('first_found_at'),
      lastFoundAt: excluded('last_found_at'), confirmedAt: excluded('confirmed_at'), closedAt: excluded('closed_at'),
      dueAt: excluded('due_at'), overdueToldAt: excluded('overdue_told_at'), exploitNewsAt: excluded('exploit_news_at'),
      ports: excluded('ports'), proof: excluded('proof'), solution: excluded('solution'),
    })).execute()
  }
}

/** Counts the open findings of assets anew. */
export async function countFindings(db: Kysely<Tables>, tenant: string, assetIds: readonly string[]): Promise<void> {
  for (const part of splitIntoParts(assetIds, limits.enrichment.soughtAtOnceMax)) {
    const count = (condition: ReturnType<typeof sql>) => sql<number>`(select count(*) from asset_findings as f
      where f.tenant_id = assets.tenant_id and f.asset_id = assets.id and f.status = 'open' and ${condition})`
    const [low, medium, high, critical] = findingSeverities.map((_, rank) => count(sql`f.severity = ${rank}`))
    await db.updateTable('assets').set({
      lowCount: low!, mediumCount: medium!, highCount: high!, criticalCount: critical!,
      exploitableCount: count(sql`f.exploit_count > 0`),
    }).where('tenantId', '=', tenant).where('id', 'in', part).execute()
  }
}

/** What was opened and closed is part of what happened to the asset. */
async function noteChanges(
  db: Kysely<Tables>, tenant: string,
  { opened, closed }: { readonly opened: readonly FindingRow[]; readonly closed: readonly FindingRow[] },
): Promise<void> {
  const describe = (kind: ActivityEntry['kind'], at: number, { assetId, title, severity, vulnerabilityId }: FindingRow): ActivityEntry =>
    ({ assetId, at, kind, title, severity: findingSeverities[severity] ?? 'low', ref: vulnerabilityId, count: 1 })
  const entries = [
    ...opened.map((row) => describe('finding_opened', row.firstFoundAt, row)),
    ...closed.map((row) => describe('finding_closed', row.closedAt, row)),
  ]
  const ids = [...new Set(entries.map(({ assetId }) => assetId))]
  const existing = new Set<string>()
  for (const part of splitIntoParts(ids, limits.enrichment.soughtAtOnceMax)) {
    const rows = await db.selectFrom('assets').select('id').where('tenantId', '=', tenant).where('id', 'in', part).execute()
    for (const { id } of rows) existing.add(id)
  }
  await writeActivity(db, tenant, entries.filter(({ assetId }) => existing.has(assetId)))
}
