import { isJsonObject, tryParseJson } from '@tripline/common/json'
import { readInstantField, readNumberField, readTextField, readTextList, toFields } from './read-fields.ts'
import type { ScannerFields } from './read-fields.ts'
import { toFindingSeverity } from './scan-record.ts'
import type { ScanRecord, ScannedAsset, ScannedFinding, VulnerabilityDefinition } from './scan-record.ts'

/** A machine as one event tells of it: what it does not tell is left out. */
export type ReportedAsset = Pick<ScannedAsset, 'id' | 'hostname'> & Partial<ScannedAsset>

/** What an event of a scanner tells; some of it only part of a record. */
export type ReportedRecord =
  | { readonly kind: 'asset'; readonly asset: ReportedAsset }
  | Extract<ScanRecord, { readonly kind: 'findings' | 'exploit' }>
  /** All that is open on an asset, by id; what is not named is gone. */
  | { readonly kind: 'open'; readonly assetId: string; readonly vulnerabilityIds: readonly string[] }
  | { readonly kind: 'run'; readonly isFull: boolean; readonly hasFindings: boolean }

/** An event that a collector made of what a scanner told: the source's name, the run, and what it tells. */
type ReportedScan = { readonly source: string; readonly runAt: number; readonly record: ReportedRecord }

/** How the beginning of such an event looks; a search for it is cheaper than to parse all. */
export const scannerEventMark = Buffer.from('"product":"vulnerability_scanner"')

/** Reads an event that `toScannerEvents` made with its run; undefined for any other. */
export function readScannerEvent(text: string, now: number): ReportedScan | undefined {
  const parsed = tryParseJson(text)
  const event = toFields('value' in parsed ? parsed.value : undefined)
  const { product, category } = toFields(event['_logsource'])
  const [source, runAt] = [readTextField(event, 'scanner'), readInstantField(event, now, 'run_at')]
  if (product !== 'vulnerability_scanner' || source === '' || runAt === undefined) return undefined
  const record = readRecord(String(category), event, now)
  return record && { source, runAt, record }
}

function readRecord(category: string, event: ScannerFields, now: number): ReportedRecord | undefined {
  const assetId = readTextField(event, 'asset_id')
  if (category === 'scan_run') return { kind: 'run', isFull: event['is_full'] === true, hasFindings: event['has_findings'] === true }
  if (category === 'exploit_availability') {
    const vulnerability = readVulnerability(event)
    return vulnerability && { kind: 'exploit', vulnerability, isNew: event['is_new'] === true }
  }
  if (assetId === '') return undefined
  switch (category) {
    case 'asset_inventory':
      return { kind: 'asset', asset: { ...readMachine(event, assetId), ...readInventory(event, now) } }
    case 'risk_score':
      return { kind: 'asset', asset: { ...readMachine(event, assetId), riskScore: readNumberField(event, 'risk_score') } }
    case 'vulnerability_finding':
    case 'remediation_project': {
      const finding = readFinding(event, { assetId, isOpen: category === 'vulnerability_finding', now })
      return finding && { kind: 'findings', assetId, hostname: finding.hostname, isComplete: false, findings: [finding] }
    }
    case 'asset_findings': {
      const ids = event['open_vulnerabilities']
      return Array.isArray(ids) ? { kind: 'open', assetId, vulnerabilityIds: ids.filter((id) => typeof id === 'string') } : undefined
    }
    default:
      return undefined
  }
}

function readMachine(event: ScannerFields, id: string): ReportedAsset {
  return { id, hostname: readTextField(event, 'hostname'), ipAddresses: readTextList(event, 'ip_addresses') }
}

function readInventory(event: ScannerFields, now: number): Partial<ScannedAsset> {
  const types = ['server', 'workstation', 'network_device', 'mobile'] as const
  const counts = event['vulnerabilities']
  const countOf = (name: string): number => readNumberField(toFields(counts), name)
  return {
    macAddresses: readTextList(event, 'mac_addresses'), os: readTextField(event, 'os'), osFamily: readTextField(event, 'os_family'),
    type: types.find((type) => type === event['asset_type']) ?? 'unknown', tags: readTextList(event, 'tags'),
    lastScanAt: readInstantField(event, now, 'last_scan_at'),
    ...(isJsonObject(counts) && {
      vulnerabilities: {
        low: countOf('low'), medium: countOf('medium'), high: countOf('high'), critical: countOf('critical'),
        exploitable: countOf('exploitable'),
      },
    }),
  }
}

type FindingTerms = { readonly assetId: string; readonly isOpen: boolean; readonly now: number }

function readFinding(event: ScannerFields, { assetId, isOpen, now }: FindingTerms): ScannedFinding | undefined {
  const vulnerability = readVulnerability(event)
  return vulnerability && {
    assetId, hostname: readTextField(event, 'hostname'), vulnerability, isOpen,
    firstFoundAt: readInstantField(event, now, 'first_found'), lastFoundAt: readInstantField(event, now, 'last_found'),
    ports: readTextList(event, 'ports'), proof: readTextField(event, 'proof'),
    solution: readTextField(event, 'solution'),
  }
}

function readVulnerability(event: ScannerFields): VulnerabilityDefinition | undefined {
  const id = readTextField(event, 'vulnerability_id')
  if (id === '') return undefined
  return {
    id, title: readTextField(event, 'title'), severity: toFindingSeverity(readTextField(event, 'severity')),
    cves: readTextList(event, 'cves'),
    cvss: typeof event['cvss'] === 'number' ? readNumberField(event, 'cvss') : undefined,
    exploitCount: Math.trunc(readNumberField(event, 'exploit_count')),
  }
}
