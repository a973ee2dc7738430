import { onlyTenant } from '@tripline/model/tenant'
import { createMemoryDefinitions } from '@tripline/sources/scanner/definitions'
import { runScanner } from '@tripline/sources/scanner/run-scanner'
import type { ScannerState } from '@tripline/sources/scanner/run-scanner'
import { collectedKinds } from '@tripline/sources/scanner/scanner-settings'
import type { ScannerSettings } from '@tripline/sources/scanner/scanner-settings'
import { toScannerEvents } from '@tripline/sources/scanner/to-events'
import { MockScanner } from '@tripline/sources/test/mock-scanner'
import { addresses } from '@tripline/sources/test/run-interrupted'
import { createRandom, ScannerWorld } from '@tripline/sources/test/scanner-world'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readInventory } from '../ingestion/read-inventory.ts'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([], { events: memoryEvents() })
})
afterEach(() => server.app.state.close())

async function enrol(): Promise<string> {
  const made = await server.call('POST', '/v1/collectors/enrolment-tokens', { body: {} })
  const body = { token: Reflect.get(Object(made.body), 'token') as unknown, hostname: 'fra-1', version: '1.0.0', os: 'Debian 13', os_family: 'linux' }
  const enrolled = await server.call('POST', '/v1/collectors/enrol', { token: null, body })
  return String(Reflect.get(Object(enrolled.body), 'credential'))
}

let batchNumber = 0

/** Runs a scanner as a collector does, and sends what it tells in bodies of a few events, each of them twice where that is asked for. */
async function runAndSend(
  settings: ScannerSettings, scanner: MockScanner, state: ScannerState, { credential, repeats = 1 }: { readonly credential: string; readonly repeats?: number },
): Promise<ScannerState> {
  const outside = {
    request: scanner.request.bind(scanner), now: () => server.io.nowMs, sleep: () => Promise.resolve(), definitions: createMemoryDefinitions(),
  }
  let last = state
  for await (const { records, state, runAt } of runScanner(settings, last, outside)) {
    last = state
    const texts = records.flatMap((record) => toScannerEvents(record, settings, { source: 'dc', at: server.io.nowMs, runAt })).map(({ text }) => text)
    for (let start = 0; start < texts.length; start += 70) {
      const headers = { 'x-batch-id': `spool:${batchNumber}` }
      batchNumber += 70
      for (let sent = 0; sent < repeats; sent++) {
        const body = texts.slice(start, start + 70).join('\n')
        expect((await server.call('POST', '/ingest/v1/events', { token: credential, headers, body })).status).toBe(202)
      }
    }
  }
  return last
}

test.for(['v3', 'v4', 'bulk'] as const)('what a collector tells of a scanner of dialect %s fills the inventory, and then changes it', async (dialect) => {
  const random = createRandom(11)
  const scanned = new ScannerWorld({ assetCount: 60, random, nowMs: server.io.nowMs })
  const scanner = new MockScanner({ world: scanned, random })
  const settings = { apiUrl: addresses[dialect], apiKey: dialect === 'v3' ? 'user:secret' : 'key', dialect, collect: collectedKinds }
  const credential = await enrol()
  const first = await runAndSend(settings, scanner, {}, { credential, repeats: 2 })
  expect(await readInventory(server.app.state, onlyTenant)).toEqual(scanned.describe())
  scanned.passDay()
  server.io.nowMs += 3_600_000
  await runAndSend(settings, scanner, first, { credential })
  expect(await readInventory(server.app.state, onlyTenant)).toEqual(scanned.describe())
})

test('others than collectors, and a plan without scanners, change no inventory', async () => {
  const asset = {
    id: '1', hostname: 'host-1.corp.example', ipAddresses: [], macAddresses: ['02:00:00:00:00:01'], os: '', osFamily: '', type: 'server', tags: [],
    riskScore: 9_000, vulnerabilities: undefined, lastScanAt: undefined,
  } as const
  const terms = { source: 'dc', at: server.io.nowMs, runAt: server.io.nowMs }
  const body = toScannerEvents({ kind: 'asset', asset }, { collect: collectedKinds }, terms).map(({ text }) => text).join('\n')
  const key = await server.call('POST', '/v1/connectors', { body: { name: 'Push', type: 'http_ndjson', config: {} } })
  const { ingest } = key.body as { readonly ingest: { readonly token: string } }
  const credential = await enrol()
  const send = async (token: string): Promise<number> => (await server.call('POST', '/ingest/v1/events', { token, body })).status
  const readScores = async (): Promise<readonly number[]> =>
    (await server.app.state.assets.list(onlyTenant, { limit: 10 })).entries.map(({ riskScore }) => riskScore)
  expect(await send(ingest.token)).toBe(202)
  expect(await readScores()).not.toContain(9_000)
  await server.call('PATCH', `/v1/tenants/${onlyTenant}`, { body: { plan: 'free' }, token: await server.tokenOf(['operator']) })
  expect(await send(credential)).toBe(202)
  expect(await readScores()).not.toContain(9_000)
  await server.call('PATCH', `/v1/tenants/${onlyTenant}`, { body: { plan: 'enterprise' }, token: await server.tokenOf(['operator']) })
  expect(await send(credential)).toBe(202)
  expect(await readScores()).toContain(9_000)
})
