import { overviewSchema } from '@tripline/contract'
import type { OverviewBody } from '@tripline/contract/console/overview'
import { encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { newAlertWith, turnGroupingOff } from '@tripline/state/test/state-samples'
import { beforeEach, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'

const dayMs = 86_400_000
let server: TestServer
beforeEach(async () => {
  server = await openTestServer([encodedPowerShell])
  await turnGroupingOff(server.app.state)
})

async function read(query = '', token?: string): Promise<OverviewBody> {
  const { status, body } = await server.call('GET', `/v1/overview?${query}`, token === undefined ? {} : { token })
  expect(status).toBe(200)
  return overviewSchema.parse(body)
}

/** Alerts by how many days ago they came. */
async function insertAlerts(days: readonly number[], level: 'critical' | 'high' | 'low' = 'high', tenant = onlyTenant): Promise<void> {
  const now = server.io.nowMs
  const alerts = days.map((ago, index) => {
    return newAlertWith({ id: `${level}-${index}`, dedupKey: `${level} ${index}`, level, matchedAt: now - ago * dayMs - 60_000 })
  })
  await server.app.state.alerts.insert(tenant, alerts)
}

test('alerts are counted by local day and severity, and compared with the period before', async () => {
  await insertAlerts([0, 0, 1, 6, 8])
  await insertAlerts([2, 13], 'low')
  const { alert_volume: volume, waiting_for_you: waiting } = await read()
  expect(volume).toMatchObject({ total: 5, previous: 2, by_severity: { critical: 0, high: 4, medium: 0, low: 1 } })
  expect(volume.days).toHaveLength(8)
  expect(volume.days.reduce((sum, { high, low }) => sum + high + low, 0)).toBe(5)
  expect(waiting).toMatchObject({ alerts: 5, overdue_findings: 0 })
  expect(waiting.worst).toHaveLength(5)
})

test('what waits for an answer is named worst first, the newest of a severity before the others', async () => {
  await insertAlerts([0, 0, 0, 0, 0])
  await insertAlerts([6, 2], 'critical')
  const { waiting_for_you: waiting } = await read()
  expect(waiting.alerts).toBe(7)
  expect(waiting.worst.map(({ severity, id }) => `${severity} ${id}`).slice(0, 2)).toEqual(['critical critical-1', 'critical critical-0'])
  expect(waiting.worst.map(({ severity }) => severity)).toEqual(['critical', 'critical', 'high', 'high', 'high'])
})

test('days begin at midnight of the tenant', async () => {
  await server.call('PATCH', '/v1/settings', { body: { timezone: 'Asia/Seoul' } })
  const { timezone, alert_volume: volume } = await read('from=2026-11-17T00:00:00Z&to=2026-11-19T00:00:00Z')
  expect(timezone).toBe('Asia/Seoul')
  expect(volume.days.map(({ time }) => time)).toEqual(['2026-11-17T00:00:00.000Z', '2026-11-17T15:00:00.000Z', '2026-11-18T15:00:00.000Z'])
})

test('times to acknowledge and to resolve are means over the alerts that were answered in the period', async () => {
  await insertAlerts([0, 0, 1])
  expect(await read()).toMatchObject({ mtta: { seconds: null, count: 0 }, mttr: { seconds: null, previous_seconds: null, count: 0 } })
  server.io.nowMs += 60_000
  await server.call('PUT', '/v1/alerts/high-0', { body: { status: 'investigating' } })
  server.io.nowMs += 120_000
  await server.call('PUT', '/v1/alerts/high-0', { body: { status: 'resolved' } })
  await server.call('PUT', '/v1/alerts/high-1', { body: { status: 'false_positive' } })
  const { mtta, mttr, provider_actions: actions, waiting_for_you: waiting } = await read()
  // The first took two minutes and four, the second four and four.
  expect(mtta).toEqual({ seconds: 180, previous_seconds: null, count: 2 })
  expect(mttr).toEqual({ seconds: 240, previous_seconds: null, count: 2 })
  expect(actions).toMatchObject({ alerts_closed: { total: 2, previous: 0 }, alerts_acknowledged: { total: 2 } })
  expect(waiting.alerts).toBe(1)
})

test('incidents that are active count, with those opened and closed, and changes of rules', async () => {
  await insertAlerts([0, 0])
  for (const id of ['high-0', 'high-1']) await server.call('POST', '/v1/incidents', { body: { title: id, alert_ids: [id] } })
  const { body } = await server.call('GET', '/v1/incidents?sort=created_at:asc')
  const [{ id }] = (body as { incidents: [{ id: string }] }).incidents
  await server.call('PATCH', `/v1/incidents/${id}`, { body: { status: 'closed' } })
  await server.call('PUT', '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001', { body: { enabled: false } })
  server.io.nowMs += 1
  const { active_incidents: active, provider_actions: actions } = await read()
  expect(active).toEqual({ total: 1, previous: 0, by_severity: { critical: 0, high: 1, medium: 0, low: 0 } })
  expect(actions).toMatchObject({ incidents_opened: { total: 2, previous: 0 }, incidents_closed: { total: 1 }, rules_changed: { total: 1 } })
})

test('events of the last hour are a rate, and enabled connectors without an event for a day are silent', async () => {
  const { body } = await server.call('POST', '/v1/connectors', { body: { name: 'Okta', type: 'http_ndjson', config: {} } })
  expect((await read()).ingestion_health).toMatchObject({ silent: [], connectors: { pending: 1 }, events: { total: 0 } })
  server.io.nowMs += 2 * dayMs
  const { silent } = (await read('', await server.tokenOf(['admin']))).ingestion_health
  expect(silent).toEqual([{ id: (body as { id: string }).id, name: 'Okta', last_event_at: null }])
})

test('every role of the tenant reads its own alone, and an operator none', async () => {
  await insertAlerts([0])
  for (const role of ['viewer', 'auditor'] as const) {
    expect((await read('', await server.tokenOf([role]))).alert_volume.total).toBe(1)
  }
  expect((await read('', await server.tokenOf(['admin'], 'other'))).alert_volume.total).toBe(0)
  expect((await server.call('GET', '/v1/overview', { token: await server.tokenOf(['operator']) })).status).toBe(403)
})

test.for<[title: string, query: string]>([
  ['a range that ends before it begins', 'from=2026-11-20&to=2026-11-19'],
  ['a range of more than 92 days', 'from=2026-01-01&to=2026-11-19'],
  ['no time', 'from=yesterday'],
])('%s is refused', async ([, query]) => {
  expect(await server.call('GET', `/v1/overview?${query}`)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_PARAMETER' } } })
})
