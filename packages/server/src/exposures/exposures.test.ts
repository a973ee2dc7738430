import { listExposureRules } from '@tripline/detection/rules/exposure-rules'
import { compileRules } from '@tripline/engine'
import { MockScanner } from '@tripline/sources/test/mock-scanner'
import { createRandom, ScannerWorld } from '@tripline/sources/test/scanner-world'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { serveScanner } from '../../test/ingestion/far-scanner.ts'
import type { FarServer } from '../../test/ingestion/far-server.ts'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestServer } from '../../test/open-test-server.ts'

const ownRules = ['one', 'two'].map((word, i) => `
title: Word ${word}
id: 0198f1c0-7a10-4c3e-9b1e-2f6a3a1f010${i}
status: test
logsource: {product: windows}
detection: {keywords: ['word ${word}'], condition: keywords}
level: low
`)
const [hourMs, dayMs] = [3_600_000, 86_400_000]

let server: TestServer
let scanned: ScannerWorld
let far: FarServer
const findId = (wanted: string): string => [...scanned.vulnerabilities.values()].find(({ severity }) => severity === wanted)!.id
const severe = (): string => findId('Critical')
const moderate = (): string => findId('Moderate')
beforeEach(async () => {
  server = await openTestServer([...listExposureRules([]).map(({ text }) => text), ...ownRules])
  const random = createRandom(3)
  scanned = new ScannerWorld({ assetCount: 3, random, nowMs: server.io.nowMs })
  for (const vulnerability of scanned.vulnerabilities.values()) vulnerability.exploitCount = 0
  const scanner = new MockScanner({ world: scanned, random, faults: {} })
  far = await serveScanner(scanner)
  const [first, second, third] = scanned.assets
  Object.assign(third!, { ip: '203.0.113.9' })
  for (const asset of scanned.assets) {
    asset.open.clear()
    asset.scannedAt = server.io.nowMs - hourMs
  }
  const recent = { id: severe(), firstFoundAt: server.io.nowMs - hourMs, port: 443 }
  first!.open.set(recent.id, recent)
  third!.open.set(recent.id, recent)
  second!.open.set(moderate(), { id: moderate(), firstFoundAt: server.io.nowMs - 60 * dayMs, port: 0 })
  const config = { api_url: far.url, api_key: 'key', dialect: 'v4', poll_interval: 300 }
  await server.call('POST', '/v1/connectors', { body: { name: 'Scanner', type: 'vulnerability_scanner', config } })
  await server.app.connectors.runner.start()
  await scan()
})
afterEach(async () => {
  await server.app.connectors.runner.stop()
  await far.close()
  await server.app.state.close()
})


/** Runs the scanner once. */
async function scan(): Promise<void> {
  const { state } = server.app
  const id = (await state.connectors.list('default'))[0]!.id
  server.io.nowMs += 301_000
  // Enabled anew, a connector looks at once whether a run is due.
  const token = await server.tokenOf(['admin'])
  for (const enabled of [false, true]) await server.call('PUT', `/v1/connectors/${id}`, { body: { enabled }, token })
  await expect.poll(async () => {
    const { endedAt = 0 } = JSON.parse(await state.connectors.cursor('default', id) ?? '{}') as { readonly endedAt?: number }
    return endedAt
  }).toBe(server.io.nowMs)
  await settle()
}

async function settle(): Promise<void> {
  await server.app.pipeline.untilIdle()
  await server.app.outbox.untilIdle()
  await server.app.pipeline.untilIdle()
  await server.app.outbox.untilIdle()
}

/** Looks for exposures, as the server does every five minutes, twice: the second look must find nothing new. */
async function look(): Promise<void> {
  await server.app.exposureWatch.check()
  await settle()
  const { accepted } = server.app.pipeline.accounting('default')
  await server.app.exposureWatch.check()
  await settle()
  expect(server.app.pipeline.accounting('default').accepted).toBe(accepted)
}

async function send(event: object): Promise<void> {
  // Time passes, and tokens expire.
  const token = await server.tokenOf(['admin'])
  const sent = { body: `${JSON.stringify(event)}\n`, headers: { 'content-type': 'application/x-ndjson' }, token }
  const { status } = await server.call('POST', '/ingest/v1/events', sent)
  expect(status).toBe(202)
  await settle()
}

type Shown = { readonly host: string; readonly title: string; readonly level: string; readonly matches: number }
async function readAlerts(prefix = ''): Promise<readonly string[]> {
  const { entries } = await server.app.state.alerts.list('default', { limit: 500 })
  const shown = entries.map(({ event, ruleTitle: title, level, eventCount: matches }): Shown => ({ host: event.host, title, level, matches }))
  return shown.map(({ host, title, level, matches }) => `${host.split('.')[0]} ${title}, ${level}, ${matches}`)
    .filter((text) => text.includes(prefix)).sort()
}

const windowsEvent = (word: string, host = 'host-1.corp.example') =>
  ({ _logsource: { product: 'windows' }, '@timestamp': new Date(server.io.nowMs).toISOString(), Computer: host, message: `word ${word}` })

test('a vulnerability that is overdue raises one alert with its evidence, and none again while it is open', async () => {
  await look()
  expect(await readAlerts()).toEqual(['host-2 Vulnerability is overdue, low, 1'])
  const { entries: [alert] } = await server.app.state.alerts.list('default', { limit: 1 })
  const [evidence] = await server.app.state.alerts.evidence('default', alert!.id)
  expect(JSON.parse(evidence!.event)).toMatchObject({
    hostname: 'host-2.corp.example', vulnerability_id: moderate(), severity: 'medium', overdue_days: 30, _logsource: { product: 'tripline', category: 'overdue_vulnerability' },
  })
  server.io.nowMs += 2 * dayMs
  await look()
  expect(await readAlerts('overdue')).toEqual([
    'host-1 Severe vulnerability is overdue, medium, 1', 'host-2 Vulnerability is overdue, low, 1', 'host-3 Severe vulnerability is overdue, medium, 1',
  ])
})

test('one that was remediated and comes back raises another alert, if the first was resolved', async () => {
  await look()
  const { state } = server.app
  const resolve = async (): Promise<void> => {
    const { entries: [alert] } = await state.alerts.list('default', { limit: 1 })
    await state.alerts.update('default', alert!.id, { status: 'resolved' }, { expectedVersion: undefined, at: server.io.nowMs })
  }
  await resolve()
  await look()
  expect(await readAlerts()).toHaveLength(1)
  const { entries } = await state.findings.list('default', { limit: 10 })
  const finding = entries.find(({ vulnerability: { id } }) => id === moderate())!
  const record = async (isOpen: boolean): Promise<void> => {
    const seen = { ...finding, isOpen, firstFoundAt: finding.firstFoundAt + 1, lastFoundAt: server.io.nowMs }
    const terms = { source: finding.source, at: server.io.nowMs, runAt: server.io.nowMs }
    await state.findings.record('default', [{ assetId: finding.assetId, isComplete: false, findings: [seen] }], terms)
  }
  await record(false)
  await record(true)
  await look()
  expect(await readAlerts()).toEqual(['host-2 Vulnerability is overdue, low, 1', 'host-2 Vulnerability is overdue, low, 1'])
})

test('an exploit that becomes known raises an alert on each exposed asset, critical where the internet reaches it', async () => {
  await look()
  scanned.vulnerabilities.get(severe())!.exploitCount = 1
  scanned.nowMs = server.io.nowMs
  await scan()
  await look()
  expect(await readAlerts('exploit')).toEqual([
    'host-1 New exploit for a vulnerability of an asset, high, 1', 'host-3 New exploit for a vulnerability of an asset on the internet, critical, 1',
  ])
})

test('an asset that falls silent or is not scanned is a blind spot, once until it is seen again', async () => {
  await send(windowsEvent('none'))
  await server.app.sightings.flush()
  await look()
  expect(await readAlerts('Asset')).toEqual([])
  server.io.nowMs += 25 * hourMs
  await look()
  expect(await readAlerts('Asset')).toEqual([
    'host-1 Asset stopped sending logs, medium, 1', 'host-2 Asset has never sent logs, low, 1', 'host-3 Asset has never sent logs, low, 1',
  ])
  await send(windowsEvent('none'))
  await server.app.sightings.flush()
  await look()
  server.io.nowMs += 7 * dayMs
  await look()
  expect(await readAlerts('host-1 Asset')).toEqual(['host-1 Asset stopped sending logs, medium, 2', 'host-1 Asset without a recent scan, medium, 1'])
})

test('an alert on an asset with a critical vulnerability is an incident of severity high, and so is the next', async () => {
  await send(windowsEvent('one'))
  const { state } = server.app
  const incidents = async () => (await state.incidents.list('default', { limit: 10 })).entries
    .map(({ level, alertCount, status }) => `${level} ${alertCount} ${status}`)
  expect(await readAlerts()).toEqual(['host-1 Alert on an asset with a critical vulnerability, high, 1', 'host-1 Word one, low, 1'])
  expect(await incidents()).toEqual(['high 2 open'])
  await send(windowsEvent('two'))
  expect(await readAlerts('critical vulnerability')).toEqual(['host-1 Alert on an asset with a critical vulnerability, high, 2'])
  expect(await incidents()).toEqual(['high 3 open'])
  // No such vulnerability, no incident.
  await send(windowsEvent('one', 'host-2.corp.example'))
  expect(await incidents()).toEqual(['high 3 open'])
})

test('a tenant switches a use off, or changes its level, like any other rule', async () => {
  const id = '5b0c2f3e-6d51-4a2b-9a39-0d1f6c7e0001'
  const { status } = await server.call('PUT', `/v1/detection/rules/${id}`, { body: { enabled: false } })
  expect(status).toBe(200)
  await send(windowsEvent('one'))
  expect(await readAlerts()).toEqual(['host-1 Word one, low, 1'])
  expect((await server.app.state.incidents.list('default', { limit: 10 })).entries).toEqual([])
})

test('each rule compiles without a remark, and one of the operator with its id takes its place', () => {
  const all = listExposureRules([])
  const { reports } = compileRules(all)
  expect(reports.map(({ verdict, diagnostics }) => [verdict, diagnostics])).toEqual(Array.from({ length: 9 }, () => ['compiled', []]))
  expect(listExposureRules([{ path: 'mine.yml', text: all[0]!.text.replace('level: high', 'level: medium') }])).toHaveLength(8)
})
