import { createHash } from 'node:crypto'
import type { ScanRecord, ScannedAsset, ScannedFinding, VulnerabilityDefinition } from './scan-record.ts'
import type { ScannerSettings } from './scanner-settings.ts'

/** An event of a record, with an id that is the same for the same content. */
type ScannerEvent = { readonly id: string; readonly text: string }

/** Log types of a scanner, as the category of its events. */
type Category =
  | 'asset_inventory' | 'vulnerability_finding' | 'risk_score' | 'scan_result' | 'remediation_project' | 'exploit_availability'
  | ProgressCategory
/** What a collector tells beside, so that the server's inventory can follow: all that is open on an asset, and the end of a run. */
type ProgressCategory = 'asset_findings' | 'scan_run'

type EventTerms = {
  readonly source: string
  readonly at: number
  /** The run, as the moment when it began; only where the events are all that the server gets of it. */
  readonly runAt?: number
}

/**
 * The events of a record: what a scan tells is searchable, and rules can use it. The same content has the same id, so that a
 * run that is repeated gives no new events for a day.
 */
export function toScannerEvents(
  record: ScanRecord, { collect }: Pick<ScannerSettings, 'collect'>, { source, at, runAt }: EventTerms,
): readonly ScannerEvent[] {
  const event = (category: Category, content: object): ScannerEvent => {
    const origin = { scanner: source, ...(runAt !== undefined && { run_at: printInstant(runAt) }) }
    const facts = { _logsource: { product: 'vulnerability_scanner', category }, ...origin, ...content }
    const id = createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 32)
    return { id, text: JSON.stringify({ '@timestamp': printInstant(at), ...facts }) }
  }
  switch (record.kind) {
    case 'asset':
      return [
        ...(collect.includes('assets') ? [event('asset_inventory', describeAsset(record.asset))] : []),
        ...(collect.includes('risk_scores') ? [event('risk_score', describeRisk(record.asset))] : []),
      ]
    case 'findings':
      return [
        ...record.findings.map((finding) => {
          return event(finding.isOpen ? 'vulnerability_finding' : 'remediation_project', describeFinding(finding))
        }),
        ...(runAt !== undefined && record.isComplete ? [event('asset_findings', describeOpen(record))] : []),
      ]
    case 'exploit':
      return [event('exploit_availability', { ...describeVulnerability(record.vulnerability), is_new: record.isNew })]
    case 'scan': {
      const { id, name, status, startedAt, endedAt, assetCount } = record.scan
      const times = { started_at: printInstant(startedAt), ended_at: printInstant(endedAt) }
      return [event('scan_result', { scan_id: id, scan_name: name, status, ...times, asset_count: assetCount })]
    }
    case 'run':
      return runAt === undefined ? [] : [event('scan_run', { is_full: record.isFull, has_findings: collect.includes('vulnerabilities') })]
  }
}

function describeAsset(asset: ScannedAsset): object {
  const { id, hostname, ipAddresses, macAddresses, os, osFamily, type, tags, lastScanAt, vulnerabilities } = asset
  return {
    asset_id: id, hostname, ip_addresses: ipAddresses, mac_addresses: macAddresses, os, os_family: osFamily, asset_type: type, tags,
    last_scan_at: printInstant(lastScanAt), vulnerabilities,
  }
}

/** The bands of a score: what they begin at, their word, and what to do. */
const bands = [[10_000, 'critical', 'immediate'], [5_000, 'high', 'within_7_days'], [1_000, 'medium', 'within_30_days']] as const

function describeRisk({ id, hostname, ipAddresses, riskScore }: ScannedAsset): object {
  const [, level, action] = bands.find(([min]) => riskScore >= min) ?? [0, 'low', 'next_cycle']
  return { asset_id: id, hostname, ip_addresses: ipAddresses, risk_score: riskScore, risk_level: level, risk_action: action }
}

function describeOpen({ assetId, hostname, findings }: Extract<ScanRecord, { readonly kind: 'findings' }>): object {
  const open = findings.filter(({ isOpen }) => isOpen).map(({ vulnerability }) => vulnerability.id)
  return { asset_id: assetId, hostname, open_vulnerabilities: [...new Set(open)] }
}

function describeFinding(finding: ScannedFinding): object {
  const { assetId, hostname, vulnerability, isOpen, firstFoundAt, lastFoundAt, ports, proof, solution } = finding
  return {
    asset_id: assetId, hostname, ...describeVulnerability(vulnerability), status: isOpen ? 'open' : 'remediated',
    first_found: printInstant(firstFoundAt), last_found: printInstant(lastFoundAt), ports, proof, solution,
  }
}

function describeVulnerability({ id, title, severity, cves, cvss, exploitCount }: VulnerabilityDefinition): object {
  return { vulnerability_id: id, title, severity, cves, cvss, exploit_count: exploitCount, exploitable: exploitCount > 0 }
}

function printInstant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}
