import { parseEvent } from '@tripline/engine'
import { normalizeEvent } from '@tripline/engine/evaluate'
import { expect, test } from 'vitest'
import type { ScanRecord, ScannedAsset, ScannedFinding } from './scan-record.ts'
import { collectedKinds } from './scanner-settings.ts'
import { readScannerEvent } from './from-events.ts'
import { toScannerEvents } from './to-events.ts'

const vulnerability = { id: 'v1', title: 'Old TLS', severity: 'high', cves: ['CVE-1'], cvss: 7.5, exploitCount: 1 } as const
const asset: ScannedAsset = {
  id: '7', hostname: 'web-1', ipAddresses: ['10.0.0.1'], macAddresses: [], os: 'Debian', osFamily: 'Linux', type: 'server', tags: [], riskScore: 5_000,
  vulnerabilities: undefined, lastScanAt: 1_000,
}
const finding: ScannedFinding = {
  assetId: '7', hostname: 'web-1', vulnerability, isOpen: true, firstFoundAt: 1_000, lastFoundAt: undefined, ports: [], proof: '', solution: '',
}
const found = (findings: readonly ScannedFinding[]): ScanRecord => ({ kind: 'findings', assetId: '7', hostname: 'web-1', isComplete: true, findings })

test.for<[title: string, record: ScanRecord, collect: readonly ('assets' | 'vulnerabilities' | 'risk_scores')[], categories: string[]]>([
  ['an asset', { kind: 'asset', asset }, collectedKinds, ['asset_inventory', 'risk_score']],
  ['an asset without scores', { kind: 'asset', asset }, ['assets'], ['asset_inventory']],
  ['a score', { kind: 'asset', asset }, ['risk_scores'], ['risk_score']],
  ['findings', found([finding, { ...finding, isOpen: false }]), collectedKinds, ['vulnerability_finding', 'remediation_project']],
  ['an exploit', { kind: 'exploit', vulnerability, isNew: true }, collectedKinds, ['exploit_availability']],
  ['a scan', { kind: 'scan', scan: { id: '1', name: 'x', status: 'finished', startedAt: 1, endedAt: 2, assetCount: 3 } }, collectedKinds, ['scan_result']],
  ['the end of a run', { kind: 'run', startedAt: 1, isFull: true }, collectedKinds, []],
])('%s has the log source of its type', ([, record, collect, categories]) => {
  const events = toScannerEvents(record, { collect }, { source: 'c1', at: 5_000 })
  const seen = events.map(({ text }) => {
    const parsed = parseEvent(text)
    if (!('event' in parsed)) throw new Error('an event cannot be parsed')
    return normalizeEvent(parsed.event, 'auto').logsources
  })
  expect(seen).toEqual(categories.map((category) => [{ product: 'vulnerability_scanner', category }]))
})

test('with its run, a record is read again from its events', () => {
  const open = { ...asset, vulnerabilities: { low: 1, medium: 2, high: 3, critical: 4, exploitable: 5 } }
  const records: readonly ScanRecord[] = [
    { kind: 'asset', asset: open }, found([finding, { ...finding, isOpen: false }]), { kind: 'exploit', vulnerability, isNew: true },
    { kind: 'run', startedAt: 1, isFull: true },
  ]
  const events = records.flatMap((record) => toScannerEvents(record, { collect: collectedKinds }, { source: 's1', at: 5_000, runAt: 4_000 }))
  const read = events.map(({ text }) => readScannerEvent(text, 9_000))
  const { riskScore, ...inventory } = open
  const { id, hostname, ipAddresses } = open
  const part = (isOpen: boolean) => ({ kind: 'findings', assetId: '7', hostname: 'web-1', isComplete: false, findings: [{ ...finding, isOpen }] })
  expect(read.map((scan) => scan?.record)).toEqual([
    { kind: 'asset', asset: inventory }, { kind: 'asset', asset: { id, hostname, ipAddresses, riskScore } }, part(true), part(false),
    { kind: 'open', assetId: '7', vulnerabilityIds: ['v1'] }, { kind: 'exploit', vulnerability, isNew: true },
    { kind: 'run', isFull: true, hasFindings: true },
  ])
  expect(read.every((scan) => scan?.source === 's1' && scan.runAt === 4_000)).toBe(true)
})

test('other events, and those without their run, tell nothing of an inventory', () => {
  const [without] = toScannerEvents({ kind: 'asset', asset }, { collect: collectedKinds }, { source: 's1', at: 1 })
  for (const text of ['', '[]', '{"a":1}', without?.text ?? '', '{"_logsource":{"product":"vulnerability_scanner","category":"risk_score"}}']) {
    expect(readScannerEvent(text, 9_000)).toBeUndefined()
  }
})

test('the same content has the same id at another time', () => {
  const read = (at: number, riskScore = 5_000) => toScannerEvents({ kind: 'asset', asset: { ...asset, riskScore } }, { collect: collectedKinds }, { source: 'c1', at })
  expect(read(1).map(({ id }) => id)).toEqual(read(2).map(({ id }) => id))
  expect(read(1)[1]?.id).not.toBe(read(1, 6_000)[1]?.id)
  expect(JSON.parse(read(1)[1]!.text)).toMatchObject({ risk_score: 5_000, risk_level: 'high', risk_action: 'within_7_days' })
})
