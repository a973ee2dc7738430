import { alertContextSchema } from '@tripline/contract'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import { onlyTenant } from '@tripline/model/tenant'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { newAlertWith, statedAsset, statedPerson } from '@tripline/state/test/state-samples'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestServer } from '../../../test/open-test-server.ts'
import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
let server: TestServer
let alertId: string

beforeEach(async () => {
  server = await openTestServer([encodedPowerShell], { events: memoryEvents() })
  await server.call('POST', '/ingest/v1/events', { body: [encoded] })
  alertId = (await server.app.state.alerts.list(onlyTenant, { limit: 1 })).entries[0]!.id
})

async function read(include = '', id = alertId): Promise<AlertContextBody> {
  const { status, body } = await server.call('GET', `/v1/alerts/${id}/context?${include === '' ? '' : `include=${include}`}`)
  expect(status).toBe(200)
  return alertContextSchema.parse(body)
}

/** Changes the text of the rule, so that it has a new version and does not match any more. */
async function changeRule(): Promise<void> {
  const definition = encodedPowerShell.replace(/condition: .*/, 'condition: selection_img and selection_cli and filter')
  expect(definition).not.toBe(encodedPowerShell)
  expect(await server.call('PUT', `/v1/detection/rules/${ruleId}`, { body: { definition } })).toMatchObject({ status: 200 })
}

describe('an alert is explained', () => {
  test('by its rule, with the tree', async () => {
    const { explain, rule } = await read('explain,rule')
    expect(explain).toMatchObject({ rule_as_it_was: true, problem: null, result: { matched: true, explain: { result: true } } })
    expect(explain?.event_id).toEqual(expect.any(String))
    expect(rule).toMatchObject({ id: ruleId, version: 1, current_version: 1, definition: encodedPowerShell, alerts_last_24h: 1 })
  })

  test('by the rule as it was, after the rule has changed', async () => {
    await changeRule()
    const { explain, rule } = await read('explain,rule')
    expect(rule).toMatchObject({ version: 1, current_version: 2, definition: encodedPowerShell })
    expect(explain).toMatchObject({ rule_as_it_was: true, result: { matched: true } })
  })

  test('by a saved text of the rule, after that has changed', async () => {
    await changeRule()
    const { definition } = (await server.app.state.rules.get(onlyTenant, ruleId))!
    await server.call('PUT', `/v1/detection/rules/${ruleId}`, { body: { definition: encodedPowerShell } })
    await server.app.state.alerts.insert(onlyTenant, [newAlertWith({ id: 'second', ruleId, ruleVersion: 2, evidence: JSON.stringify(encoded) })])
    const { explain, rule } = await read('explain,rule', 'second')
    expect(rule).toMatchObject({ version: 2, current_version: 3, definition })
    expect(explain).toMatchObject({ rule_as_it_was: true, result: { matched: false } })
  })

  test.for<[title: string, facts: Parameters<typeof newAlertWith>[0], problem: RegExp]>([
    ['a correlation', { enrichment: { correlation: { condition: 'c' } } }, /a correlation raised/],
    ['a rule that is gone', { ruleId: 'gone' }, /the rule was removed/],
    ['an event that is no object', { evidence: '[]' }, /not stored any more/],
  ])('but not for %s', async ([, facts, problem]) => {
    await server.app.state.alerts.insert(onlyTenant, [newAlertWith({ id: 'other', ruleId, ...facts })])
    const { explain } = await read('explain', 'other')
    expect(explain?.result).toBeNull()
    expect(explain?.problem).toMatch(problem)
  })
})

test('entities are looked up, with open alerts and earlier verdicts of the rule', async () => {
  const { alerts, assets, directoryUsers } = server.app.state
  await assets.upsert(onlyTenant, [statedAsset({ hostname: 'web-9', owner: 'ops' }, 'as9')], 1)
  await directoryUsers.upsert(onlyTenant, [statedPerson({ name: 'dora', aliases: [] }, 'p9')], 1)
  const event = { processName: '', commandLine: '', user: 'DORA', host: 'WEB-9', statedTime: '' }
  for (const id of ['x1', 'x2', 'x3']) await alerts.insert(onlyTenant, [newAlertWith({ id, ruleId, event, dedupKey: id })])
  await alerts.update(onlyTenant, 'x1', { status: 'false_positive' }, { expectedVersion: undefined, at: 5 })
  const { entities, similar } = await read('entities,similar', 'x3')
  const verdicts = { true_positive: 0, false_positive: 1, benign: 0, unreviewed: 1 }
  expect(entities?.host).toMatchObject({ name: 'WEB-9', asset_id: 'as9', criticality: 'high', owner: 'ops', open_alerts: 2, verdicts })
  expect(entities?.user).toMatchObject({ name: 'DORA', identity_id: 'p9', department: 'finance', open_alerts: 2, verdicts })
  expect(similar?.map(({ id }) => id).sort()).toEqual([alertId, 'x1', 'x2'].sort())
})

test('its history has changes of it alone, of many at once, and what took these back, and nothing of other alerts', async () => {
  const { body: me } = await server.call('GET', '/v1/auth/me')
  const { email } = me as { readonly email: string }
  await server.app.state.alerts.insert(onlyTenant, [newAlertWith({ id: 'other', ruleId })])
  const bulk = (body: object) => server.call('POST', '/v1/alerts/bulk', { body })
  await bulk({ ids: ['other'], set: { status: 'investigating' } })
  await server.call('PUT', `/v1/alerts/${alertId}`, { body: { status: 'investigating', notes: 'looks odd' } })
  const { body } = await bulk({ ids: [alertId, 'other'], set: { status: 'false_positive' } })
  await server.call('POST', `/v1/alerts/bulk/${(body as { undo: { id: string } }).undo.id}/undo`)
  const { history } = await read('history')
  expect(history?.map(({ actor, action, changes }) => ({ actor, action, changes }))).toEqual([
    {
      actor: email, action: 'changed',
      changes: [{ name: 'status', from: 'open', to: 'investigating' }, { name: 'comment', from: null, to: 'looks odd' }],
    },
    { actor: email, action: 'changed', changes: [{ name: 'status', from: null, to: 'false_positive' }] },
    { actor: email, action: 'restored', changes: [] },
  ])
  const others = (await read('history', 'other')).history
  expect(others).toMatchObject([
    { changes: [{ name: 'status', from: null, to: 'investigating' }] }, { action: 'changed' }, { action: 'restored' },
  ])
})

test('parts are those that are asked for; around is found by a search that is recorded', async () => {
  expect(Object.keys(await read())).toEqual(['alert_id', 'rule', 'explain', 'entities', 'similar'])
  const { around, ...rest } = await read('around')
  expect(rest).toEqual({ alert_id: alertId })
  expect(around?.data).toHaveLength(1)
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 5 })
  expect(entries.map(({ action }) => action)).toContain('search.run')
})

test('is not found for another tenant, and refused for an unknown part', async () => {
  const token = await server.tokenOf(['admin'], 'other')
  expect((await server.call('GET', `/v1/alerts/${alertId}/context`, { token })).status).toBe(404)
  expect((await server.call('GET', `/v1/alerts/${alertId}/context?include=color`)).status).toBe(400)
})
