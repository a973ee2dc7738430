import { limits } from '../../limits.ts'
import { findNewExploits, loadDefinitions, nameOnly } from '../definitions.ts'
import { readInstantField, readObjectList, readNumberField, readTextField, readTextList, stripHtml, toFields } from '../read-fields.ts'
import type { ScannerFields } from '../read-fields.ts'
import { ScannerError } from '../scanner-client.ts'
import { toFindingSeverity } from '../scan-record.ts'
import type { ScanRecord, ScannedAsset, ScannedFinding, VulnerabilityDefinition } from '../scan-record.ts'
import { joinInstances, mapAtOnce, readAssetType } from './dialect.ts'
import type { DialectReader, DialectRun } from './dialect.ts'

const { pageSize, parallelPages, parallelAssets, findingPagesMax } = limits.scanner

/**
 * A console on premises: numbered pages in the order of ids, four at once, and the findings of each asset by themselves. It
 * has no export that we could verify. A delta run searches for assets scanned since.
 */
export const readConsole: DialectReader = async function* (run, position) {
  let page = readNumberField(position, 'page')
  let total = position['isAssetsDone'] === true ? 0 : page + 1
  while (page < total) {
    const numbers = Array.from({ length: page === 0 ? 1 : Math.min(parallelPages, total - page) }, (_, index) => page + index)
    const pages = await mapAtOnce(numbers, parallelPages, (number) => readAssetPage(run, number))
    for (const fields of pages) {
      total = readNumberField(toFields(fields['page']), 'totalPages')
      const records = await readPage(run, readObjectList(fields, 'resources'))
      page++
      yield { records, position: page < total ? { page } : { isAssetsDone: true } }
    }
    // After a resumed run the first answer tells how many pages there are.
  }
  const done = { isAssetsDone: true }
  yield { records: await readScans(run), position: done }
  if (run.hasFindings) {
    for await (const records of findNewExploits(run.definitions, (ids) => fetchDefinitions(run, ids))) yield { records, position: done }
  }
  return undefined
}

async function readAssetPage({ client, baseUrl, since }: DialectRun, page: number): Promise<ScannerFields> {
  const parameters = `page=${page}&size=${pageSize}&sort=id,asc`
  if (since === undefined) return await client.getJson(`${baseUrl}/assets?${parameters}`)
  // The console compares days.
  const filter = { field: 'last-scan-date', operator: 'is-on-or-after', value: new Date(since).toISOString().slice(0, 10) }
  return await client.postJson(`${baseUrl}/assets/search?${parameters}`, { filters: [filter], match: 'all' })
}

async function readPage(run: DialectRun, entries: readonly ScannerFields[]): Promise<readonly ScanRecord[]> {
  const assets = entries.filter((entry) => readTextField(entry, 'id') !== '').map((entry) => toAsset(entry, run.now))
  // The search knows days only.
  const scanned = assets.filter(({ lastScanAt }) => run.since === undefined || lastScanAt === undefined || lastScanAt >= run.since)
  if (!run.hasFindings) return scanned.map((asset) => ({ kind: 'asset', asset }))
  const instances = await mapAtOnce(scanned, parallelAssets, (asset) => readFindings(run, asset))
  const ids = instances.flat().map((instance) => readTextField(instance, 'id'))
  const { found, records } = await loadDefinitions(run.definitions, (ids) => fetchDefinitions(run, ids), ids)
  return [...records, ...scanned.flatMap((asset, index): ScanRecord[] => {
    const findings = (instances[index] ?? []).map((instance) => toFinding(asset, instance, found, run.now))
    return [
      { kind: 'asset', asset },
      { kind: 'findings', assetId: asset.id, hostname: asset.hostname, isComplete: true, findings: joinInstances(findings) },
    ]
  })]
}

async function readFindings({ client, baseUrl }: DialectRun, { id }: ScannedAsset): Promise<readonly ScannerFields[]> {
  const found: ScannerFields[] = []
  for (let page = 0, total = 1; page < total && page < findingPagesMax; page++) {
    const fields = await client.getJson(`${baseUrl}/assets/${encodeURIComponent(id)}/vulnerabilities?page=${page}&size=${pageSize}`)
    found.push(...readObjectList(fields, 'resources').filter((entry) => readTextField(entry, 'id') !== ''))
    total = readNumberField(toFields(fields['page']), 'totalPages')
  }
  return found
}

/** The scans of the console, newest first: one page, which a run an hour does not outgrow. */
async function readScans({ client, baseUrl, since, now }: DialectRun): Promise<readonly ScanRecord[]> {
  const fields = await client.getJson(`${baseUrl}/scans?page=0&size=${pageSize}&sort=id,desc`)
  return readObjectList(fields, 'resources').filter((entry) => readTextField(entry, 'id') !== '').flatMap((entry): ScanRecord[] => {
    const endedAt = readInstantField(entry, now, 'endTime')
    if (since !== undefined && endedAt !== undefined && endedAt < since) return []
    return [{
      kind: 'scan',
      scan: {
        id: readTextField(entry, 'id'), name: readTextField(entry, 'scanName', 'siteName'), status: readTextField(entry, 'status'),
        startedAt: readInstantField(entry, now, 'startTime'), endedAt, assetCount: readNumberField(entry, 'assets'),
      },
    }]
  })
}

function toAsset(entry: ScannerFields, now: number): ScannedAsset {
  const addresses = readObjectList(entry, 'addresses')
  const history = readObjectList(entry, 'history').filter((event) => /scan/i.test(readTextField(event, 'type')))
  const scans = history.map((event) => readInstantField(event, now, 'date')).filter((at) => at !== undefined)
  const fingerprint = toFields(entry['osFingerprint'])
  const counts = toFields(entry['vulnerabilities'])
  const collect = (name: string): readonly string[] => {
    const texts = [readTextField(entry, name), ...addresses.map((address) => readTextField(address, name))]
    return [...new Set(texts.filter((text) => text !== ''))].slice(0, 64)
  }
  return {
    id: readTextField(entry, 'id'), hostname: readTextField(entry, 'hostName'), ipAddresses: collect('ip'), macAddresses: collect('mac'),
    os: readTextField(entry, 'os'), osFamily: readTextField(fingerprint, 'family'),
    type: readAssetType(`${readTextField(fingerprint, 'type')} ${readTextField(entry, 'type')}`), tags: [],
    riskScore: Math.round(readNumberField(entry, 'riskScore', 'rawRiskScore')),
    vulnerabilities: {
      critical: readNumberField(counts, 'critical'), high: readNumberField(counts, 'severe'),
      medium: readNumberField(counts, 'moderate'), low: 0, exploitable: readNumberField(counts, 'exploits'),
    },
    lastScanAt: scans.length === 0 ? undefined : Math.max(...scans),
  }
}

function toFinding(
  { id, hostname }: ScannedAsset, instance: ScannerFields, found: ReadonlyMap<string, VulnerabilityDefinition>, now: number,
): ScannedFinding {
  const vulnerabilityId = readTextField(instance, 'id')
  const results = readObjectList(instance, 'results')
  const ports = results.filter((result) => readNumberField(result, 'port') > 0)
    .map((result) => `${readTextField(result, 'port')}/${readTextField(result, 'protocol').toLowerCase()}`)
  return {
    assetId: id, hostname, vulnerability: found.get(vulnerabilityId) ?? nameOnly(vulnerabilityId),
    isOpen: !/^(?:remediated|not-vulnerable|invulnerable)/i.test(readTextField(instance, 'status')),
    firstFoundAt: readInstantField(instance, now, 'since'), lastFoundAt: undefined, ports: [...new Set(ports)].slice(0, 64),
    proof: stripHtml(results.map((result) => readTextField(result, 'proof')).find((proof) => proof !== '') ?? ''), solution: '',
  }
}

async function fetchDefinitions({ client, baseUrl }: DialectRun, ids: readonly string[]): Promise<readonly VulnerabilityDefinition[]> {
  const read = await mapAtOnce(ids, parallelAssets, async (id): Promise<VulnerabilityDefinition | undefined> => {
    let entry: ScannerFields
    try {
      entry = await client.getJson(`${baseUrl}/vulnerabilities/${encodeURIComponent(id)}`)
    } catch (error) {
      // One that was withdrawn since it was found.
      if (error instanceof ScannerError && error.kind === 'refused') return undefined
      throw error
    }
    const score = readNumberField(entry, 'severityScore')
    const cvss = toFields(entry['cvss'])
    const cvssScore = readNumberField(toFields(cvss['v3']), 'score') || readNumberField(toFields(cvss['v2']), 'score')
    return {
      id, title: readTextField(entry, 'title') || id, severity: toFindingSeverity(readTextField(entry, 'severity'), score),
      cves: readTextList(entry, 'cves'),
      cvss: cvssScore === 0 ? undefined : cvssScore,
      exploitCount: readNumberField(entry, 'exploits') + readNumberField(entry, 'malwareKits'),
    }
  })
  return read.filter((definition) => definition !== undefined)
}
