import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ticketSchema } from '@tripline/contract/push/push'
import { createEventIds } from '@tripline/formats/event/event-id'
import type { Message } from '@tripline/storage/bus/bus'
import { pushRoutes } from '../../src/areas/push/push-routes.ts'
import { createAlertPushStage, pushLiveTailEvents } from '../../src/delivery/alert-push-stage.ts'
import { createMissedAlertsFinder } from '../../src/delivery/missed-alerts.ts'
import { pushTransition } from '../../src/delivery/open-push.ts'
import { startPush } from '../../src/delivery/push/start-push.ts'
import type { Push } from '../../src/delivery/push/start-push.ts'
import { createWebSocketAuth } from '../../src/delivery/websocket-auth.ts'
import { mount } from '../../src/http/http.ts'
import { accessLog } from '../../src/http/middleware/access-log.ts'
import { errorHandler } from '../../src/http/middleware/errors.ts'
import { requestScope } from '../../src/http/middleware/request-scope.ts'
import type { Env } from '../../src/http/route.ts'
import { onlyTenant } from '../../src/model/tenant.ts'
import { createLog } from '../../src/runtime/log.ts'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'
import { newAlertWith } from '../state/state-samples.ts'
import { PushClient } from './push-world.ts'

/** Wired as in the server: real tokens, state and listener; only the clock is manual. */
let server: TestServer
let push: Push
let listener: ReturnType<typeof createAdaptorServer>
let url: string

beforeEach(async () => {
  server = await openTestServer([])
  const { app, io } = server
  const log = createLog(io)
  const access = createWebSocketAuth(app.http.authentication)
  push = startPush({
    io, log, isSessionValid: access.isStillValid, readAlertsSince: createMissedAlertsFinder(app.state.alerts),
    readMetrics: () => ({ ingestion_rate: 1, normalization_latency_p99: 2, alerts_last_minute: 3, queue_consumer_lag_total: 4 }),
  })
  const http = new Hono<Env>()
  http.use(requestScope(io))
  http.use(accessLog(log, io))
  http.onError(errorHandler({ log, clock: io }))
  mount(http, app.http, pushRoutes({ hub: push.hub, access: { ...access, tickets: push.tickets }, allowedOrigins: [], log }))
  listener = createAdaptorServer({ fetch: http.fetch, websocket: push.websocket })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
})
afterEach(async () => {
  push.stop()
  listener.close()
  await once(listener, 'close')
})

/** The announcement of an alert by the stage before. */
function message(change: { readonly [field: string]: unknown }): Message {
  const alert = {
    alert_id: 'a-1', match_id: 'm-1', outcome: 'created', severity: 'high', rule_id: 'r-1', rule_title: 'Whoami', host: 'web-1',
    created_at: '2026-11-20T10:00:00.000Z', ...change,
  }
  return { offset: 7, tenant: onlyTenant, bytes: Buffer.from(JSON.stringify(alert)) }
}

const open = (token: string): Promise<PushClient> => PushClient.open({ url, close: async () => {} }, `?token=${token}`)

async function storeAlert(id: string, matchedAt: number): Promise<void> {
  const match = newAlertWith({ id, matchedAt, dedupKey: id, ruleTitle: 'x'.repeat(600) })
  await server.app.state.alerts.insert(onlyTenant, [match])
}

test('a user of the console sees an alert, and after a restart the ones that were missed', async () => {
  await storeAlert('a-1', 1_000)
  await storeAlert('a-2', 1_000)
  await storeAlert('a-3', 2_000)
  const client = await open(await server.tokenOf(['viewer']))
  client.send({ action: 'subscribe', topics: ['alerts', 'metrics'], since: 'a-1' })
  const seen = [await client.next(), await client.next(), await client.next()]
  expect(seen).toMatchObject([
    { type: 'metrics_update', data: { queue_consumer_lag_total: 4 } },
    { type: 'new_alert', timestamp: '1970-01-01T00:00:01.000Z', data: { alert_id: 'a-2', severity: 'high', host: 'web-1' } },
    { type: 'new_alert', data: { alert_id: 'a-3', rule_title: 'x'.repeat(512) } },
  ])
  await storeAlert('a-4', 3_000)
  await createAlertPushStage(push.hub)([message({ alert_id: 'a-4' })])
  expect(await client.next()).toMatchObject({ data: { alert_id: 'a-4' } })
})

test.for<[title: string, since: string, ids: readonly string[]]>([
  ['from an instant on', '1970-01-01T00:00:02Z', ['a-3']],
  ['from before all of them', '1970-01-01T00:00:00Z', ['a-1', 'a-2', 'a-3']],
  ['after the last', 'a-3', []],
])('alerts are replayed %s', async ([, since, ids]) => {
  await storeAlert('a-1', 1_000)
  await storeAlert('a-2', 1_000)
  await storeAlert('a-3', 2_000)
  const client = await open(await server.tokenOf(['viewer']))
  client.send({ action: 'subscribe', topics: ['alerts'], since })
  for (const alert_id of ids) expect(await client.next()).toMatchObject({ data: { alert_id } })
  expect(await client.settle()).toEqual([])
})

test('a connector\'s status change is announced to subscribers of its tenant', async () => {
  const [client, other] = [await open(await server.tokenOf(['viewer'])), await open(await server.tokenOf(['viewer'], 'other'))]
  for (const each of [client, other]) each.send({ action: 'subscribe', topics: ['connector_health'], id: 'x' })
  expect(await Promise.all([client.next(), other.next()])).toMatchObject([{ type: 'subscribed' }, { type: 'subscribed' }])
  pushTransition({ hub: push.hub, log: createLog(server.io) }, {
    tenant: onlyTenant, connectorId: 'c-1', oldStatus: 'healthy', newStatus: 'unhealthy', message: 'no answer', at: 1_000,
  })
  expect(await client.next()).toMatchObject({
    type: 'connector_status_change',
    data: { connector_id: 'c-1', old_status: 'healthy', new_status: 'unhealthy', message: 'no answer' },
  })
  expect(await other.settle()).toEqual([])
})

test('a ticket for a token opens one connection', async () => {
  const ask = async (authorization: string): Promise<Response> =>
    fetch(`${url}/v1/ws/ticket`, { method: 'POST', headers: { authorization } })
  const answer = await ask(`Bearer ${await server.tokenOf(['auditor'])}`)
  expect([answer.status, answer.headers.get('x-ratelimit-remaining')]).toEqual([201, '599'])
  const { ticket } = ticketSchema.parse(await answer.json())
  expect(await (await open(ticket)).settle()).toEqual([])
  expect(await new PushClient({ url, close: async () => {} }, `?token=${ticket}`).closed).toBe(4401)
  expect((await ask(`Bearer ${await server.tokenOf(['operator'])}`)).status).toBe(403)
  expect((await ask('Bearer nonsense')).status).toBe(401)
  const log = server.io.logLines.join('\n')
  expect(log).toContain('/v1/ws/ticket')
  expect(log).not.toMatch(/wt_|eyJ/)
})

test('a token beside the protocol bearer opens a connection, and is not echoed', async () => {
  const client = new PushClient({ url, close: async () => {} }, '', { protocols: ['bearer', await server.tokenOf(['viewer'])] })
  await once(client.socket, 'open')
  expect(client.socket.protocol).toBe('bearer')
})

test('a connection ends with its token, and within five seconds of a revocation', async () => {
  const [ending, revoked] = [await open(await server.tokenOf(['viewer'])), await open(await server.tokenOf(['viewer'], 'other'))]
  const { users } = server.app.state
  const [user] = await users.list('other')
  if (user === undefined) throw new Error('there is no user')
  await users.update('other', user.id, { isActive: false }, { expectedVersion: undefined, at: server.io.nowMs })
  await push.hub.checkSessions()
  expect(await revoked.closed).toBe(4401)
  expect(ending.socket.readyState).toBe(WebSocket.OPEN)
  server.io.nowMs += 900_000
  expect(await ending.closed).toBe(4401)
})

test('matches that join an alert are not announced, and an invalid notice becomes a dead letter', async () => {
  const client = await open(await server.tokenOf(['viewer']))
  client.subscribe('alerts')
  await client.settle()
  const { rejected } = await createAlertPushStage(push.hub)([
    message({ outcome: 'grouped' }), message({ created_at: 'yesterday' }), message({ host: 1 }),
    { ...message({}), bytes: Buffer.from('nonsense') }, message({ alert_id: 'a-2' }),
  ])
  expect(rejected).toHaveLength(3)
  expect((await client.settle()).map(({ data }) => data)).toEqual([{ alert_id: 'a-2', severity: 'high', rule_title: 'Whoami', host: 'web-1' }])
})

test('events reach the tails of their tenant, as they arrived', async () => {
  const client = await open(await server.tokenOf(['viewer']))
  client.send({ action: 'subscribe', topics: ['search'], id: 't', params: { query: 'user:alice' } })
  await client.settle()
  const lines = ['{"user":"alice","n":12345678901234567890}', '{"user":"bob"}', 'nonsense', ' {"user":"alice","deep":{"er":[1]}} ']
  const accepted = (line: string, offset: number) => ({ bytes: Buffer.from(line), occurredAt: 1, arrival: { offset, receivedAt: 2 } })
  const deps = { hub: push.hub, keys: server.app.keys }
  pushLiveTailEvents(deps, onlyTenant, lines.map(accepted))
  pushLiveTailEvents(deps, 'other', [accepted('{"user":"alice","n":"other"}', 9)])
  push.hub.tick()
  const ids = createEventIds(server.app.keys.cursor, onlyTenant)
  expect(await client.next()).toMatchObject({ type: 'tail_events', data: {
    id: 't', dropped: 0, events: [{ user: 'alice' }, { deep: { er: [1] } }],
    event_ids: [0, 3].map((number) => ids.print({ occurredAt: 1, by: 'offset', number })),
  } })
})
