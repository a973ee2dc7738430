import { findingSeverities } from '@tripline/model/assets/finding'
import type { AssetFinding, Vulnerability } from '@tripline/model/assets/finding'
import { parseStoredInstant } from './asset-row.ts'
import type { FindingRow, VulnerabilityRow } from './finding-tables.ts'
import { parseTextList } from './stored-list.ts'

/** Parses the row of a finding. */
export function parseFindingRow(row: FindingRow): AssetFinding {
  const { id, assetId, source, status, vulnerabilityId, firstFoundAt, lastFoundAt, closedAt, dueAt, ports, proof, solution } = row
  return {
    id, assetId, source, status, vulnerability: parseVulnerabilityRow({ ...row, id: vulnerabilityId }), firstFoundAt, lastFoundAt,
    closedAt: parseStoredInstant(closedAt), dueAt: parseStoredInstant(dueAt), ports: parseTextList(ports), proof, solution,
  }
}

type VulnerabilityColumns = Omit<VulnerabilityRow, 'tenantId' | 'checkedAt'>

export function parseVulnerabilityRow({ id, title, severity, cves, cvssTenths, exploitCount }: VulnerabilityColumns): Vulnerability {
  const cvss = cvssTenths === 0 ? undefined : cvssTenths / 10
  return { id, title, severity: findingSeverities[severity] ?? 'low', cves: parseTextList(cves), cvss, exploitCount }
}

export function toVulnerabilityRow({ id, title, severity, cves, cvss = 0, exploitCount }: Vulnerability): VulnerabilityColumns {
  return {
    id, title, severity: findingSeverities.indexOf(severity), cves: JSON.stringify(cves), cvssTenths: Math.round(cvss * 10), exploitCount,
  }
}
