import { onlyTenant } from '@tripline/model/tenant'
import type { TenantId } from '@tripline/model/tenant'
import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'
import { PushWorld, TestWire } from './push-world.ts'

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
})
afterEach(() => server.app.state.close())

const world = new PushWorld()

/** A client that follows the jobs of a tenant. */
function follow(tenant: TenantId): TestWire {
  const { hub } = server.app.push
  const wire = new TestWire()
  const connection = hub.open({ ...world.identity('ann', tenant), expiresAt: server.io.nowMs + 600_000 }, wire)
  if (connection === undefined) throw new Error(`refused: ${wire.closing?.reason}`)
  hub.receive(connection, JSON.stringify({ action: 'subscribe', topics: ['jobs'] }))
  return wire
}

type Job = { readonly job: string; readonly id: string; readonly status: string; readonly progress: number }

/** What a client learned: the job, its status and its percent. */
const take = (wire: TestWire): readonly string[] =>
  wire.take().map(({ type, data }) => {
    const { job, id, status, progress } = data as Job
    return `${type} ${job} ${id} ${status} ${progress}`
  })

const begin = async (path: string, body: object): Promise<string> => {
  const { status, body: begun } = await server.call('POST', path, { body })
  expect(status).toBe(202)
  const { id, job_id: jobId } = Object(begun) as { readonly id?: string; readonly job_id?: string }
  return id ?? jobId ?? ''
}

test.for<[job: string, path: string, body: object, untilIdle: () => Promise<void>]>([
  ['backtest', '/v1/detection/backtests', { rule_ids: ['0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'] }, () => server.app.backtests.untilIdle()],
  ['report', '/v1/reports', { kind: 'executive' }, () => server.app.reports.maker.untilIdle()],
  ['evidence', '/v1/compliance/evidence/collect', { frameworks: ['ISO-27001', 'GDPR'] }, () => server.app.evidence.untilIdle()],
])('%s: clients of the tenant learn how far it is, others do not', async ([job, path, body, untilIdle]) => {
  expect((await server.call('POST', '/ingest/v1/events', { body: [encoded] })).status).toBe(202)
  const [ours, theirs] = [follow(onlyTenant), follow('other')]
  const id = await begin(path, body)
  await untilIdle()
  await expect.poll(() => ours.sent.length).toBeGreaterThan(1)
  const learned = take(ours)
  expect([learned[0], learned.at(-1)]).toEqual([`job_progress ${job} ${id} running 0`, `job_progress ${job} ${id} succeeded 100`])
  expect(new Set(learned).size).toBe(learned.length)
  expect(take(theirs)).toEqual([])
})

test('a backtest that is removed says so', async () => {
  const ours = follow(onlyTenant)
  const id = await begin('/v1/detection/backtests', { rule_ids: ['0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'] })
  expect((await server.call('DELETE', `/v1/detection/backtests/${id}`)).status).toBe(204)
  await server.app.backtests.untilIdle()
  expect(take(ours)).toContain(`job_progress backtest ${id} removed 0`)
})
