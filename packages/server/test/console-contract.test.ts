import { encoded, encodedPowerShell } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { statedAsset, statedIndicator, statedPerson } from '@tripline/state/test/state-samples'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import * as documents from './console-contract.ts'
import type { MessageType } from './console-contract.ts'
import { TestWire } from './delivery/push-world.ts'
import { openTestServer } from './open-test-server.ts'
import type { Call, TestServer } from './open-test-server.ts'

const ruleId = '0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001'
const rulePath = `/v1/detection/rules/${ruleId}`

let server: TestServer
/** The name of the one that there is, in the places of paths that name one. */
const ids = { ':connector': '', ':alert': '' }
/** What was pushed of all this. */
let pushed: readonly string[]

// A world in which nothing is empty: a connector that was checked and sent an event, of which everything is known.
beforeAll(async () => {
  server = await openTestServer([encodedPowerShell], { events: memoryEvents() })
  const { state, push } = server.app
  await state.assets.upsert(onlyTenant, [statedAsset({ criticality: 'critical', os: 'Windows 11' })], 1)
  await state.directoryUsers.upsert(onlyTenant, [statedPerson({ isPrivileged: true })], 1)
  await state.indicators.upsert(onlyTenant, [statedIndicator({ confidence: 90 })], 1)
  const expiresAt = server.io.nowMs + 900_000
  const identity = { tenant: onlyTenant, subject: 'ann', roles: ['viewer'] as const, expiresAt, session: undefined }
  const wire = new TestWire()
  const connection = push.hub.open(identity, wire)!
  const topics = ['metrics', 'connector_health', 'alerts', 'alert_updates', 'foo']
  push.hub.receive(connection, JSON.stringify({ action: 'subscribe', topics, id: '1' }))
  const created = await server.call('POST', '/v1/connectors', { body: { name: 'Push', type: 'http_ndjson', config: {} } })
  const { id, ingest: { token } } = created.body as { readonly id: string; readonly ingest: { readonly token: string } }
  ids[':connector'] = id
  await server.call('POST', '/ingest/v1/events', { token, body: JSON.stringify({ ...encoded, SourceIp: '192.0.2.7' }) })
  const health = {
    status: 'unhealthy', message: 'no event', consecutiveFailures: 1, checkedAt: server.io.nowMs,
    checks: [
      { type: 'connectivity', status: 'pass', message: 'reached', latencyMs: 3 },
      { type: 'authentication', status: 'warn', message: 'let in' },
      { type: 'data_flow', status: 'fail', message: 'no event', eventsInLastMinute: 0 },
    ],
  } as const
  await state.connectors.setHealth(onlyTenant, id, health, server.io.nowMs)
  const { body } = await server.call('GET', '/v1/alerts')
  ids[':alert'] = (body as { readonly alerts: readonly [{ readonly id: string }] }).alerts[0].id
  const assignee = (await state.users.list(onlyTenant))[0]?.email
  const change = { status: 'investigating', verdict: 'true_positive', assignee, notes: 'seen' }
  await server.call('PUT', `/v1/alerts/${ids[':alert']}`, { body: change })
  pushed = [...wire.sent]
})

const inPlaces = (path: string): string => path.replace(/:(connector|alert)/, (place) => ids[place as keyof typeof ids])
const newConnector = { type: 'http_poll', config: { url: 'https://10.0.0.1/' } }

describe('the contract of the console API', () => {
  test.for<[method: string, path: string, pick: string, document: z.ZodType, call?: Call]>([
    ['GET', '/v1/connectors', 'connectors.0', documents.connector],
    ['GET', '/v1/connectors/:connector', '', documents.connector],
    ['PUT', '/v1/connectors/:connector', '', documents.connector, { body: { config: { quiet_after: '60s' } } }],
    ['GET', '/v1/connectors/:connector/health', '', documents.connectorHealth],
    ['GET', '/v1/connectors/:connector/metrics', '', documents.connectorMetrics],
    ['POST', '/v1/connectors/new/test', '', documents.connectorTest, { body: newConnector }],
    ['GET', '/v1/pipeline/metrics', '', documents.pipelineMetrics],
    ['GET', '/v1/pipeline/metrics/timeseries', '', documents.pipelineSeries],
    ['GET', '/v1/detection/rules', '', documents.ruleList],
    ['GET', rulePath, '', documents.ruleDetail],
    ['PUT', rulePath, '', documents.changedRule, { body: { enabled: true } }],
    ['GET', `${rulePath}/matches`, '', documents.ruleMatches],
    ['POST', `${rulePath}/test`, '', documents.ruleTest, { body: { events: [encoded, {}] } }],
    ['GET', '/v1/detection/metrics', '', documents.detectionMetrics],
    ['GET', '/v1/health', '', documents.systemHealth],
    ['GET', '/v1/alerts', '', documents.alertList],
    ['GET', '/v1/alerts/:alert', '', documents.alertDetail],
    ['PUT', '/v1/alerts/:alert', '', documents.alertDetail, { body: { notes: 'again' } }],
  ])('%s %s %s', async ([method, path, pick, document, call = {}]) => {
    const { status, headers, body } = await server.call(method, inPlaces(path), call)
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'x-request-id': expect.stringMatching(/^req_[0-9a-f-]{36}$/),
        'content-type': expect.stringContaining('application/json'),
        'x-ratelimit-limit': '600',
        'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
        'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      },
    })
    const picked = pick.split('.').filter(Boolean).reduce((value: unknown, key) => Reflect.get(Object(value), key), body)
    expect(document.safeParse(picked).error?.issues ?? []).toEqual([])
  })

  test.for<[path: string, change: object]>([
    ['/v1/connectors/:connector', {}],
    [rulePath, { enabled: true }],
    ['/v1/alerts/:alert', { notes: 'x' }],
  ])('%s has a version: it is sent once, and changed under it', async ([template, body]) => {
    const path = inPlaces(template)
    const { headers: { etag = '' } } = await server.call('GET', path)
    expect(await server.call('GET', path, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, body: undefined })
    expect(await server.call('PUT', path, { headers: { 'if-match': '"0"' }, body })).toMatchObject({
      status: 412, body: { error: { code: 'PRECONDITION_FAILED', details: { version: Number(etag.slice(1, -1)) } } },
    })
    expect(await server.call('PUT', path, { headers: { 'if-match': etag }, body })).toMatchObject({ status: 200 })
  })
})

test.for<[type: MessageType]>([
  ['metrics_update'], ['connector_status_change'], ['new_alert'], ['alert_updated'], ['subscribed'], ['error'],
])('the message %s', ([type]) => {
  const received = pushed.map((text) => documents.envelope.parse(JSON.parse(text))).filter((message) => message.type === type)
  expect(received).toHaveLength(1)
  expect(documents.messages[type].safeParse(received[0]?.data).error?.issues ?? []).toEqual([])
})

test.for<[status: number, code: string, method: string, path: string, call: Call]>([
  [400, 'INVALID_QUERY_FIELD', 'GET', '/v1/alerts?sort=foo:desc', {}],
  [400, 'INVALID_QUERY_FIELD', 'GET', '/v1/detection/rules?filters={"field":"foo","op":"eq","value":1}', {}],
  [400, 'INVALID_PARAMETER', 'GET', '/v1/alerts?severity=hihg', {}],
  [400, 'INVALID_CURSOR', 'GET', '/v1/alerts?cursor=x', {}],
  [400, 'INVALID_QUERY', 'POST', '/v1/search', { body: { query: 'a:(' } }],
  [400, 'INVALID_BODY', 'PUT', '/v1/alerts/:alert', { body: { state: 'open' } }],
  [400, 'INVALID_RULE', 'PUT', rulePath, { body: { definition: 'title: x' } }],
  [401, 'UNAUTHORIZED', 'GET', '/v1/alerts', { token: null }],
  [404, 'NOT_FOUND', 'GET', '/v1/alerts/0198f1c0-7a10-7c3e-9b1e-2f6a3a1f0009', {}],
  [405, 'METHOD_NOT_ALLOWED', 'DELETE', '/v1/alerts/:alert', {}],
  [409, 'CONFLICT', 'POST', '/v1/connectors', { body: { name: 'Push', type: 'http_ndjson', config: {} } }],
  [413, 'PAYLOAD_TOO_LARGE', 'PUT', '/v1/alerts/:alert', { body: { notes: 'x'.repeat(1_048_576) } }],
  [415, 'UNSUPPORTED_MEDIA_TYPE', 'PUT', '/v1/alerts/:alert', { body: '{}' }],
])('the error %i %s of %s %s', async ([status, code, method, path, call]) => {
  const answer = await server.call(method, inPlaces(path), { headers: { 'x-request-id': 'given-by-client' }, ...call })
  expect(documents.errorBody.safeParse(answer.body).error?.issues ?? []).toEqual([])
  expect(answer).toMatchObject({
    status, headers: { 'x-request-id': 'given-by-client' }, body: { error: { code, request_id: 'given-by-client' } },
  })
  if (status === 401) expect(answer.headers['www-authenticate']).toBe('Bearer')
  if (status === 405) expect(answer.headers['allow']).toBe('GET, HEAD, PUT')
})
