import { limits } from '../../limits.ts'
import { findNewExploits, loadDefinitions, nameOnly } from '../definitions.ts'
import { readInstantField, readObjectList, readNumberField, readTextField, readTextList, stripHtml, toFields } from '../read-fields.ts'
import type { ScannerFields } from '../read-fields.ts'
import { toFindingSeverity } from '../scan-record.ts'
import type { ScanRecord, ScannedAsset, ScannedFinding, VulnerabilityDefinition } from '../scan-record.ts'
import { joinInstances, readAssetType } from './dialect.ts'
import type { DialectReader, DialectRun } from './dialect.ts'

const { pageSize, exportFrom } = limits.scanner

/**
 * The cloud's integration API: pages of assets with their findings, by a cursor. Of a large inventory an export is read in
 * place of pages; a delta run has pages, because it asks for what changed alone.
 */
export const readCloud: DialectReader = async function* (run, position) {
  let cursor = readTextField(position, 'cursor')
  let isAssetsDone = position['isAssetsDone'] === true
  while (!isAssetsDone) {
    const page = await run.client.postJson(buildPageUrl(run, cursor), buildFilter(run))
    const metadata = toFields(page['metadata'])
    if (cursor === '' && run.since === undefined && readNumberField(metadata, 'totalResources') >= exportFrom) return 'bulk'
    const records = await readPage(run, readObjectList(page, 'data'))
    const next = readTextField(metadata, 'cursor')
    // A page without a new cursor is the last; a cursor that does not move would never end.
    isAssetsDone = next === '' || next === cursor
    cursor = next
    yield { records, position: isAssetsDone ? { isAssetsDone } : { cursor } }
  }
  if (run.hasFindings) {
    for await (const records of findNewExploits(run.definitions, (ids) => fetchDefinitions(run, ids))) {
      yield { records, position: { isAssetsDone } }
    }
  }
  return undefined
}

function buildPageUrl({ baseUrl, since }: DialectRun, cursor: string): string {
  const parameters = new URLSearchParams({ size: `${pageSize}`, includeSame: 'true', includeUniqueIdentifiers: 'true' })
  if (since !== undefined) parameters.set('comparisonTime', new Date(since).toISOString())
  if (cursor !== '') parameters.set('cursor', cursor)
  return `${baseUrl}/integration/assets?${parameters.toString()}`
}

function buildFilter({ since }: DialectRun): object {
  return since === undefined ? {} : { asset: `last_scan_end > ${new Date(since).toISOString()}` }
}

async function readPage(run: DialectRun, entries: readonly ScannerFields[]): Promise<readonly ScanRecord[]> {
  const known = entries.filter((entry) => readTextField(entry, 'id') !== '')
  const instances = run.hasFindings ? known.map((entry) => listInstances(entry)) : []
  const ids = instances.flat().map(({ instance }) => readTextField(instance, 'vulnerability_id')).filter((id) => id !== '')
  const { found, records } = await loadDefinitions(run.definitions, (ids) => fetchDefinitions(run, ids), ids)
  return [...records, ...known.flatMap((entry, index): ScanRecord[] => {
    const asset = toAsset(entry, run.now)
    const findings = (instances[index] ?? []).map(({ instance, isOpen }) => toFinding(asset, instance, { isOpen, found, now: run.now }))
    return [
      { kind: 'asset', asset },
      ...(run.hasFindings
        ? [{ kind: 'findings', assetId: asset.id, hostname: asset.hostname, isComplete: true, findings: joinInstances(findings) } as const]
        : []),
    ]
  })]
}

/** The instances of findings of an asset: new and same ones are open, remediated ones are not. */
function listInstances(entry: ScannerFields): readonly { readonly instance: ScannerFields; readonly isOpen: boolean }[] {
  return ['new', 'same', 'remediated'].flatMap((name) => {
    return readObjectList(entry, name).filter((instance) => readTextField(instance, 'vulnerability_id') !== '')
      .map((instance) => ({ instance, isOpen: name !== 'remediated' }))
  })
}

function toAsset(entry: ScannerFields, now: number): ScannedAsset {
  const ids = readObjectList(entry, 'unique_identifiers')
  const os = readTextField(entry, 'os_description')
    || ['os_vendor', 'os_name', 'os_version'].map((name) => readTextField(entry, name)).join(' ').trim()
  const tags = readObjectList(entry, 'tags').map((tag) => readTextField(tag, 'name')).filter((name) => name !== '')
  return {
    id: readTextField(entry, 'id'),
    hostname: readTextField(entry, 'host_name') || ids.map((id) => readTextField(id, 'hostname')).find((name) => name !== '') || '',
    ipAddresses: readTextList(entry, 'ip'), macAddresses: readTextList(entry, 'mac'), os, osFamily: readTextField(entry, 'os_family'),
    type: readAssetType(`${readTextField(entry, 'type')} ${readTextField(entry, 'os_type')}`), tags: [...new Set(tags)].slice(0, 64),
    riskScore: Math.round(readNumberField(entry, 'risk_score')),
    vulnerabilities: {
      critical: readNumberField(entry, 'critical_vulnerabilities'), high: readNumberField(entry, 'severe_vulnerabilities'),
      medium: readNumberField(entry, 'moderate_vulnerabilities'), low: 0, exploitable: readNumberField(entry, 'exploits'),
    },
    lastScanAt: readInstantField(entry, now, 'last_scan_end', 'last_assessed_for_vulnerabilities', 'last_scan_start'),
  }
}

type FindingTerms = { readonly isOpen: boolean; readonly found: ReadonlyMap<string, VulnerabilityDefinition>; readonly now: number }

function toFinding({ id, hostname }: ScannedAsset, instance: ScannerFields, { isOpen, found, now }: FindingTerms): ScannedFinding {
  const vulnerabilityId = readTextField(instance, 'vulnerability_id')
  const port = readTextField(instance, 'port')
  return {
    assetId: id, hostname, vulnerability: found.get(vulnerabilityId) ?? nameOnly(vulnerabilityId), isOpen,
    firstFoundAt: readInstantField(instance, now, 'reintroduced', 'first_found'),
    lastFoundAt: readInstantField(instance, now, 'last_found'),
    ports: port === '' ? [] : [`${port}/${readTextField(instance, 'protocol').toLowerCase()}`],
    proof: stripHtml(readTextField(instance, 'proof')), solution: stripHtml(readTextField(instance, 'solution_summary', 'solution_fix')),
  }
}

/** Asks for the definitions of vulnerabilities; ids are letters, digits, dots and dashes, and others are left out. */
async function fetchDefinitions(
  { baseUrl, client }: DialectRun, ids: readonly string[],
): Promise<readonly VulnerabilityDefinition[]> {
  const names = ids.filter((id) => /^[\w.:-]{1,200}$/.test(id)).map((id) => `'${id}'`)
  if (names.length === 0) return []
  const filter = { vulnerability: `id IN [${names.join(',')}]` }
  const page = await client.postJson(`${baseUrl}/integration/vulnerabilities?size=${pageSize}`, filter)
  return readObjectList(page, 'data').filter((entry) => readTextField(entry, 'id') !== '').map((entry) => {
    const cvss = readNumberField(entry, 'cvss_v3_score', 'cvss_v2_score')
    return {
      id: readTextField(entry, 'id'), title: readTextField(entry, 'title') || readTextField(entry, 'id'),
      severity: toFindingSeverity(readTextField(entry, 'severity'), cvss),
      cves: readTextList(entry, 'cves'), cvss: cvss === 0 ? undefined : cvss,
      exploitCount: readObjectList(entry, 'exploits').length + readObjectList(entry, 'malware_kits').length,
    }
  })
}
