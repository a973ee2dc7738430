import { getErrorMessage } from '@tripline/common/error-message'
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import type { FileMetaData } from 'hyparquet'
import { limits } from '../../limits.ts'
import { readInstantField, readObjectList, readNumberField, readTextField, readTextList, stripHtml, toFields } from '../read-fields.ts'
import type { ScannerFields } from '../read-fields.ts'
import { ScannerError } from '../scanner-client.ts'
import { toFindingSeverity } from '../scan-record.ts'
import type { ScanRecord, ScannedAsset, ScannedFinding, VulnerabilityDefinition } from '../scan-record.ts'
import { joinInstances, readAssetType } from './dialect.ts'
import type { DialectReader, DialectRun } from './dialect.ts'

const { exportPollMs, exportWaitMaxMs, exportRowsMax, remediationDaysMax, remediationDaysFirst } = limits.scanner
const dayMs = 86_400_000

/** The exports of a run, in order: the inventory with its findings, then remediations by chunks of days. */
type Chunk = { readonly create: string; readonly isRemediation: boolean }

/**
 * The cloud's bulk export: files of Parquet, which a job makes. The position is the export and the file in it, so that a run
 * goes on at a file. One export runs at a time: one that runs already is waited for.
 */
export const readExport: DialectReader = async function* (run, position) {
  const chunks = listChunks(run, readNumberField(position, 'now') || run.now)
  const now = readNumberField(position, 'now') || run.now
  let exportId = readTextField(position, 'exportId')
  let fileIndex = readNumberField(position, 'file')
  for (let chunk = readNumberField(position, 'chunk'); chunk < chunks.length; chunk++) {
    const { create, isRemediation } = chunks[chunk]!
    if (exportId === '') {
      exportId = await createExport(run, create)
      yield { records: [], position: { now, chunk, exportId, file: 0 } }
    }
    const { files, madeAt } = await waitForExport(run, exportId)
    for (; fileIndex < files.length; fileIndex++) {
      for await (const rows of readRows(await run.client.download(files[fileIndex]!.url))) {
        // Until the file ends, a run that is interrupted reads it again from its start.
        yield {
          records: toRecords(run, rows, { madeAt, isRemediation, hasAssets: files[fileIndex]!.prefix === 'asset' }),
          position: { now, chunk, exportId, file: fileIndex },
        }
      }
      yield { records: [], position: { now, chunk, exportId, file: fileIndex + 1 } }
    }
    exportId = ''
    fileIndex = 0
    yield { records: [], position: { now, chunk: chunk + 1 } }
  }
  return undefined
}

function listChunks({ lastStartedAt, hasFindings }: DialectRun, now: number): readonly Chunk[] {
  const inventory: Chunk = { create: 'mutation { createVulnerabilityExport(input: {}) { id } }', isRemediation: false }
  if (!hasFindings) return [inventory]
  const chunks = [inventory]
  let from = lastStartedAt ?? now - remediationDaysFirst * dayMs
  while (from < now) {
    // Days include their ends.
    const to = Math.min(from + (remediationDaysMax - 1) * dayMs, now)
    const [startDate, endDate] = [from, to].map((at) => new Date(at).toISOString().slice(0, 10))
    const input = `{ startDate: "${startDate}", endDate: "${endDate}" }`
    chunks.push({ create: `mutation { createVulnerabilityRemediationExport(input: ${input}) { id } }`, isRemediation: true })
    from = to + dayMs
  }
  return chunks
}

/** Asks for an export; one that runs already, of ours or of another client, is waited for. */
async function createExport({ client, baseUrl }: DialectRun, query: string): Promise<string> {
  for (let waited = 0; ; waited += exportPollMs) {
    const answer = await client.postJson(baseUrl, { query })
    const [created] = Object.values(toFields(answer['data']))
    const id = readTextField(toFields(created), 'id')
    if (id !== '') return id
    const message = readObjectList(answer, 'errors').map((error) => readTextField(error, 'message')).join('; ')
    if (!/in progress|running|already/i.test(message)) throw new ScannerError('refused', `the scanner makes no export: ${message}`)
    if (waited >= exportWaitMaxMs) throw new ScannerError('unavailable', `another export does not end: ${message}`)
    await client.sleep(exportPollMs)
  }
}

type ExportFile = { readonly prefix: string; readonly url: string }

async function waitForExport(
  { client, baseUrl, now }: DialectRun, id: string,
): Promise<{ readonly files: readonly ExportFile[]; readonly madeAt: number }> {
  const query = `query { export(id: ${JSON.stringify(id)}) { id status dataset timestamp result { prefix urls } } }`
  for (let waited = 0; waited < exportWaitMaxMs; waited += exportPollMs) {
    const answer = await client.postJson(baseUrl, { query })
    const fields = toFields(toFields(answer['data'])['export'])
    const status = readTextField(fields, 'status').toUpperCase()
    if (status === 'COMPLETE' || status === 'SUCCEEDED') {
      const parts = readObjectList(fields, 'result').map((part) => ({ prefix: readTextField(part, 'prefix'), urls: readAddresses(part) }))
      // Assets come before what was found on them.
      const files = parts.flatMap(({ prefix, urls }) => urls.map((url) => ({ prefix, url })))
      const isAsset = ({ prefix }: ExportFile): boolean => prefix === 'asset'
      const ordered = [...files.filter(isAsset), ...files.filter((file) => !isAsset(file))]
      return { files: ordered, madeAt: readInstantField(fields, now, 'timestamp') ?? now }
    }
    if (status === 'FAILED') throw new ScannerError('expired', 'the export of the scanner has failed')
    // An export is kept for a while only.
    if (status === '' && readObjectList(answer, 'errors').length > 0) throw new ScannerError('expired', 'the export of the scanner is gone')
    await client.sleep(exportPollMs)
  }
  throw new ScannerError('unavailable', 'the export of the scanner does not end')
}

function readAddresses(part: ScannerFields): readonly string[] {
  const urls = part['urls']
  return Array.isArray(urls) ? urls.filter((url): url is string => typeof url === 'string') : []
}

/** Reads the rows of a Parquet file, in chunks. @throws ScannerError for bytes that are no such file. */
async function* readRows(bytes: Uint8Array): AsyncGenerator<readonly ScannerFields[]> {
  const copy = new Uint8Array(bytes).buffer
  const file = { byteLength: copy.byteLength, slice: (start: number, end?: number) => copy.slice(start, end) }
  const metadata = await readParquet(() => parquetMetadataAsync(file))
  await readParquet(() => checkMetadata(metadata, file.byteLength))
  const rowCount = Number(metadata.num_rows)
  for (let rowStart = 0; rowStart < rowCount; rowStart += exportRowsMax) {
    const rowEnd = Math.min(rowStart + exportRowsMax, rowCount)
    const rows = await readParquet(() => parquetReadObjects({ file, metadata, rowStart, rowEnd }))
    // Its own count may be wrong, and larger than would ever end.
    if (rows.length < rowEnd - rowStart) throw new ScannerError('unavailable', 'a file of the export has fewer rows than it says')
    yield rows.map(toFields)
  }
}

/**
 * Throws where the metadata of a file contradict themselves. `hyparquet` notices that when it has begun to read columns, which it
 * then leaves behind: one that fails as well is a rejection without a handler, which ends the process. So it is first made to
 * read a file whose bytes never come.
 */
async function checkMetadata(metadata: FileMetaData, byteLength: number): Promise<void> {
  const file = { byteLength, slice: () => new Promise<ArrayBuffer>(() => {}) }
  await Promise.race([parquetReadObjects({ file, metadata }), new Promise((resolve) => setImmediate(resolve))])
}

/** Reads of a file, which may be damaged where nothing has looked yet. */
async function readParquet<Read>(read: () => Promise<Read>): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    throw new ScannerError('unavailable', `a file of the export is no Parquet file: ${getErrorMessage(error)}`)
  }
}

type RowTerms = { readonly madeAt: number; readonly isRemediation: boolean; readonly hasAssets: boolean }

function toRecords(
  { now, hasFindings }: DialectRun, rows: readonly ScannerFields[], { madeAt, isRemediation, hasAssets }: RowTerms,
): readonly ScanRecord[] {
  const known = rows.filter((row) => readTextField(row, 'assetId') !== '')
  if (hasAssets) return known.map((row) => ({ kind: 'asset', asset: toAsset(row, now, madeAt) }))
  if (!hasFindings) return []
  const byAsset = new Map<string, ScannedFinding[]>()
  for (const row of known) {
    if (readTextField(row, 'vulnId') === '') continue
    const finding = toFinding(row, now, !isRemediation)
    const before = byAsset.get(finding.assetId)
    if (before === undefined) byAsset.set(finding.assetId, [finding])
    else before.push(finding)
  }
  return [...byAsset].map(([assetId, findings]) => {
    return { kind: 'findings', assetId, hostname: findings[0]?.hostname ?? '', isComplete: false, findings: joinInstances(findings) }
  })
}

function toAsset(row: ScannerFields, now: number, madeAt: number): ScannedAsset {
  return {
    id: readTextField(row, 'assetId'), hostname: readTextField(row, 'hostName'),
    ipAddresses: readTextList(row, 'ip'), macAddresses: readTextList(row, 'mac'),
    os: readTextField(row, 'osDescription')
      || ['osVendor', 'osProduct', 'osVersion'].map((name) => readTextField(row, name)).join(' ').trim(),
    osFamily: readTextField(row, 'osFamily'), type: readAssetType(`${readTextField(row, 'osType')} ${readTextField(row, 'type')}`),
    tags: readTextList(row, 'tags'),
    riskScore: Math.round(readNumberField(row, 'riskScore', 'riskScoreV2_0')), vulnerabilities: undefined,
    lastScanAt: readInstantField(row, now, 'lastScanTimestamp', 'lastAssessedTimestamp') ?? madeAt,
  }
}

function toFinding(row: ScannerFields, now: number, isOpen: boolean): ScannedFinding {
  const id = readTextField(row, 'vulnId')
  const cvss = readNumberField(row, 'cvssV3Score', 'cvssScore')
  const port = readNumberField(row, 'port')
  const vulnerability: VulnerabilityDefinition = {
    id, title: readTextField(row, 'title') || id, severity: toFindingSeverity(readTextField(row, 'severity', 'cvssV3Severity'), cvss),
    cves: readTextList(row, 'cves'), cvss: cvss === 0 ? undefined : cvss, exploitCount: row['hasExploits'] === true ? 1 : 0,
  }
  return {
    assetId: readTextField(row, 'assetId'), hostname: readTextField(row, 'hostName'), vulnerability, isOpen,
    firstFoundAt: readInstantField(row, now, 'reintroducedTimestamp', 'firstFoundTimestamp'),
    lastFoundAt: readInstantField(row, now, 'lastDetected', 'lastFoundTimestamp'),
    ports: port === 0 ? [] : [`${port}/${readTextField(row, 'protocol').toLowerCase()}`], proof: stripHtml(readTextField(row, 'proof')),
    solution: stripHtml(readTextField(row, 'bestSolutionSummary', 'solution')),
  }
}
