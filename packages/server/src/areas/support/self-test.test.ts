import { selfTestTenant } from '@tripline/model/tenant'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { SelfTester } from './self-test.ts'
import type { SelfTestDeps } from './self-test.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
})
afterEach(() => server.app.state.close())

const path = '/v1/health/self-test'

test('an event comes through all stages, again and again', async () => {
  for (let run = 0; run < 2; run++) {
    const { status, body } = await server.call('POST', path)
    expect([status, body]).toMatchObject([200, { passed: true }])
    expect(Object(body).stages).toMatchObject(['ingest', 'detection', 'alerts', 'search'].map((stage) => ({ stage, status: 'passed', problem: null })))
  }
})

test('leaves nothing in what a tenant sees', async () => {
  await server.call('POST', path)
  expect((await server.call('GET', '/v1/alerts')).body).toMatchObject({ alerts: [] })
  expect((await server.call('GET', '/v1/incidents')).body).toMatchObject({ incidents: [] })
  expect((await server.call('GET', '/v1/search')).body).toMatchObject({ data: [], total: 0 })
  expect((await server.call('GET', '/v1/assets')).body).toMatchObject({ assets: [] })
  expect((await server.call('GET', '/v1/pipeline/metrics')).body).toMatchObject({ books: { accepted: 0 } })
  expect(await server.app.state.tenants.get(selfTestTenant)).toMatchObject({ isActive: false })
})

test('is on the audit trail with its figures', async () => {
  await server.call('POST', path)
  await server.app.trail.flush()
  const { entries: [entry] } = await server.app.state.audit.list('default', { limit: 1 })
  expect(entry).toMatchObject({ action: 'self_test.run', outcome: 'success', target: { type: 'server', id: 'pipeline' } })
  expect(Object.keys(entry!.diff ?? {})).toEqual(['ingest_ms', 'detection_ms', 'alerts_ms', 'search_ms', 'count'])
})

test('is for administrators', async () => {
  for (const role of ['viewer', 'analyst', 'engineer', 'auditor'] as const) {
    expect((await server.call('POST', path, { token: await server.tokenOf([role]) })).status, role).toBe(403)
  }
})

/** The stages of a self-test of the test server, some parts of which are others. */
async function runWith(changed: Partial<SelfTestDeps>): Promise<readonly string[]> {
  const { state, pipeline } = server.app
  const tester = new SelfTester({ state, pipeline, clock: server.io, countFound: () => Promise.resolve(1), ...changed }, async () => {
    await new Promise((resolve) => void setImmediate(resolve))
  })
  const { isPassed, stages } = await tester.run()
  expect(isPassed).toBe(false)
  return stages.map(({ stage, status, problem = '' }) => `${stage} ${status} ${problem}`.trim())
}

test.for<[title: string, change: (server: TestServer) => Partial<SelfTestDeps>, stages: readonly string[]]>([
  ['is not accepted', () => ({
    pipeline: { ingest: () => Promise.reject(new Error('the disk is full')), accounting: () => server.app.pipeline.accounting('-') },
  }), ['ingest failed the disk is full', 'detection skipped', 'alerts skipped', 'search skipped']],
  ['is never evaluated', () => ({
    pipeline: { ingest: () => Promise.resolve({ lastOffset: 0 }), accounting: () => server.app.pipeline.accounting('-') },
  }), ['ingest passed', 'detection failed it did not come through within 10 seconds', 'alerts skipped', 'search skipped']],
  ['is not found', () => ({ countFound: () => Promise.resolve(0) }), [
    'ingest passed', 'detection passed', 'alerts passed', 'search failed it did not come through within 10 seconds',
  ]],
])('an event that %s', async ([, change, stages]) => {
  expect(await runWith(change(server))).toEqual(stages)
})

test('one runs at a time', async () => {
  const { state, pipeline } = server.app
  const tester = new SelfTester({ state, pipeline, clock: server.io, countFound: () => Promise.resolve(1) })
  const first = tester.run()
  await expect(tester.run()).rejects.toThrow('a self-test is running')
  expect((await first).isPassed).toBe(true)
})
