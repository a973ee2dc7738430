import { createAdaptorServer } from '@hono/node-server'
import { ticketSchema } from '@tripline/contract/push/push'
import { sleep } from '@tripline/common/sleep'
import { createEventIds } from '@tripline/formats/event/event-id'
import { newConnectorHealth } from '@tripline/model/connector'
import { printEventPosition } from '@tripline/model/delivery/domain-event'
import { onlyTenant } from '@tripline/model/tenant'
import { connectorWith, newAlertWith, ruleWith, turnGroupingOff } from '@tripline/state/test/state-samples'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { pushRoutes } from '../../src/areas/push/push-routes.ts'
import { createMissedAlertsFinder, createMissedEventsFinder } from '../../src/delivery/missed-messages.ts'
import { OutboxReader } from '../../src/delivery/outbox/outbox-reader.ts'
import { createPushConsumer } from '../../src/delivery/push-consumer.ts'
import { pushLiveTailEvents, pushLiveTailMatches } from '../../src/delivery/push-live-tails.ts'
import { startPush } from '../../src/delivery/push/start-push.ts'
import type { Push } from '../../src/delivery/push/start-push.ts'
import { createWebSocketAuth } from '../../src/delivery/websocket-auth.ts'
import { mount } from '../../src/http/http.ts'
import { accessLog } from '../../src/http/middleware/access-log.ts'
import { errorHandler } from '../../src/http/middleware/errors.ts'
import { requestScope } from '../../src/http/middleware/request-scope.ts'
import type { Env } from '../../src/http/route.ts'
import { limits } from '../../src/limits.ts'
import { createLog } from '../../src/runtime/log.ts'
import { openTestServer } from '../open-test-server.ts'
import type { TestServer } from '../open-test-server.ts'
import { PushClient } from './push-world.ts'
import type { Received } from './push-world.ts'

/** Wired as in the server: real tokens, state and listener; only the clock is manual. */
let server: TestServer
let push: Push
let outbox: OutboxReader
let listener: ReturnType<typeof createAdaptorServer>
let url: string

beforeEach(async () => {
  server = await openTestServer([])
  const { app, io } = server
  const log = createLog(io)
  const access = createWebSocketAuth(app.http.authentication)
  push = startPush({
    io, log, isSessionValid: access.isStillValid, readAlertsSince: createMissedAlertsFinder(app.state.alerts),
    readEventsSince: createMissedEventsFinder(app.state.domainEvents),
    getLastEventId: (tenant) => printEventPosition(outbox.getPosition('push', tenant)),
    readMetrics: () => ({ ingestion_rate: 1, normalization_latency_p99: 2, alerts_last_minute: 3, queue_consumer_lag_total: 4 }),
  })
  await startOutbox()
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
  await outbox.close()
  push.stop()
  listener.close()
  await once(listener, 'close')
})

/** Pushes what is published from now on; `app` has a reader of its own for its own push. */
async function startOutbox(): Promise<void> {
  const { app, io } = server
  const pushed = new Map(await app.state.domainEvents.heads())
  const consumers = [createPushConsumer(push.hub, pushed)]
  outbox = await OutboxReader.open({ state: app.state, consumers, sleep, log: createLog(io) })
}

const open = (token: string): Promise<PushClient> => PushClient.open({ url, close: async () => {} }, `?token=${token}`)

async function storeAlert(id: string, matchedAt: number): Promise<void> {
  const match = newAlertWith({ id, matchedAt, dedupKey: id, ruleTitle: 'x'.repeat(600) })
  await server.app.state.alerts.insert(onlyTenant, [match])
}

test('a user of the console sees an alert, and after a restart the ones that were missed', async () => {
  await outbox.close()
  await storeAlert('a-1', 1_000)
  await storeAlert('a-2', 1_000)
  await storeAlert('a-3', 2_000)
  await startOutbox()
  const client = await open(await server.tokenOf(['viewer']))
  client.send({ action: 'subscribe', topics: ['alerts', 'metrics'], since: 'a-1' })
  const seen = [await client.next(), await client.next(), await client.next()]
  expect(seen).toMatchObject([
    { type: 'metrics_update', data: { queue_consumer_lag_total: 4 } },
    { type: 'new_alert', timestamp: '1970-01-01T00:00:01.000Z', data: { alert_id: 'a-2', severity: 'high', host: 'web-1' } },
    { type: 'new_alert', data: { alert_id: 'a-3', rule_title: 'x'.repeat(512) } },
  ])
  await storeAlert('a-4', 3_000)
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
  const { connectors } = server.app.state
  await connectors.insert(onlyTenant, connectorWith({ id: 'c-1' }), undefined)
  await connectors.setHealth(onlyTenant, 'c-1', { ...newConnectorHealth, status: 'unhealthy', message: 'no answer' }, 1_000)
  expect(await client.next()).toMatchObject({
    type: 'connector_status_change',
    timestamp: '1970-01-01T00:00:01.000Z', data: { connector_id: 'c-1', old_status: 'pending', new_status: 'unhealthy', message: 'no answer' },
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

test('incidents are announced when they are opened, and when they change', async () => {
  const client = await open(await server.tokenOf(['viewer']))
  client.subscribe('incidents')
  await client.settle()
  await storeAlert('grouped', 1_000)
  await outbox.untilIdle()
  const [incident] = (await server.app.state.incidents.list(onlyTenant, { limit: 1 })).entries
  const id = incident?.id ?? ''
  await server.app.state.incidents.update(onlyTenant, id, { status: 'eradicated', level: 'low' }, { expectedVersion: undefined, at: 2_000, by: 'ann' })
  await outbox.untilIdle()
  expect((await client.settle()).map(({ type, data }) => [type, data])).toEqual([
    ['incident_updated', { incident_id: id, severity: 'high', status: 'open' }],
    ['incident_updated', { incident_id: id, severity: 'low', status: 'eradicated' }],
  ])
})

test('matches that join an alert, new connectors and rules are not announced', async () => {
  const client = await open(await server.tokenOf(['viewer']))
  client.subscribe('alerts', 'alert_updates', 'connector_health', 'incidents')
  await client.settle()
  const { alerts, connectors, rules } = server.app.state
  await turnGroupingOff(server.app.state)
  await storeAlert('a-1', 1_000)
  await alerts.insert(onlyTenant, [newAlertWith({ id: 'a-2', dedupKey: 'a-1' })])
  await connectors.insert(onlyTenant, connectorWith({}), undefined)
  await rules.put(onlyTenant, [ruleWith({})])
  await outbox.untilIdle()
  expect((await client.settle()).map(({ type, data }) => [type, data])).toEqual([
    ['new_alert', {
      alert_id: 'a-1', severity: 'high', rule_title: 'x'.repeat(512), host: 'web-1', rule_id: 'rule1', user: 'alice', source: 'sysmon',
      tactics: ['discovery'], status: 'open', event_count: 1, created_at: '1970-01-01T00:00:01.000Z',
    }],
  ])
})

describe('a client that connects again with the id of the last message', () => {
  const topics = ['alerts', 'alert_updates', 'connector_health']
  const change = { expectedVersion: undefined, at: 5_000 }

  /** An alert, its change and a connector's, as a client gets them live. */
  async function readLive(): Promise<readonly Received[]> {
    const client = await open(await server.tokenOf(['viewer']))
    client.send({ action: 'subscribe', topics, id: 's' })
    await client.next()
    const { alerts, connectors } = server.app.state
    await storeAlert('a-1', 1_000)
    await alerts.update(onlyTenant, 'a-1', { status: 'resolved', by: 'ann@example.org' }, change)
    await connectors.insert(onlyTenant, connectorWith({}), undefined)
    await connectors.setHealth(onlyTenant, 'p1', { ...newConnectorHealth, status: 'healthy', message: 'ok' }, 6_000)
    await alerts.update(onlyTenant, 'a-1', { status: 'open' }, change)
    const messages = [await client.next(), await client.next(), await client.next(), await client.next()]
    client.socket.close()
    await client.closed
    return messages
  }

  /** The first message of a client that begins there. */
  async function askSince(since: string | undefined, tenant = onlyTenant): Promise<Received> {
    const client = await open(await server.tokenOf(['viewer'], tenant))
    client.send({ action: 'subscribe', topics, since })
    return await client.next()
  }

  async function replay(since: string | undefined, some: readonly string[] = topics): Promise<readonly Received[]> {
    const client = await open(await server.tokenOf(['viewer']))
    client.send({ action: 'subscribe', topics: some, since })
    await storeAlert('a-9', 9_000)
    const messages: Received[] = []
    for (;;) {
      const message = await client.next()
      if (JSON.stringify(message.data).includes('a-9')) return messages
      messages.push(message)
    }
  }

  test('gets all that it missed, in order and under the same ids', async () => {
    const live = await readLive()
    expect(live.map(({ type }) => type)).toEqual(['new_alert', 'alert_updated', 'connector_status_change', 'alert_updated'])
    expect(new Set(live.map(({ id }) => id)).size).toBe(4)
    expect(live[1]?.data).toEqual({
      alert_id: 'a-1', status: 'resolved', verdict: 'true_positive', assignee: null, updated_by: 'ann@example.org', event_count: 1,
    })
    expect(await replay(live[1]?.id)).toEqual(live.slice(2))
  })

  test('gets nothing where it missed nothing', async () => {
    const live = await readLive()
    expect(await replay(live.at(-1)?.id)).toEqual([])
  })

  test('gets what is of its topics', async () => {
    const [first, ...others] = await readLive()
    const updates = others.filter(({ type }) => type === 'alert_updated')
    expect((await replay(first?.id, ['alerts', 'alert_updates'])).map(({ type }) => type)).toEqual(updates.map(({ type }) => type))
  })

  test('begins at the event that a subscription named', async () => {
    const client = await open(await server.tokenOf(['viewer']))
    client.send({ action: 'subscribe', topics, id: 's' })
    const { data } = await client.next()
    expect(data).toMatchObject({ last_event_id: 'evt_0' })
    client.socket.terminate()
    const live = await readLive()
    expect(await replay('evt_0')).toEqual(live)
  })

  test.for<[title: string, since: (id: string) => string]>([
    ['of another content', (id) => `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`],
    ['from the future', () => 'evt_99'],
  ])('learns that it must read the lists, for an id %s', async ([, toSince]) => {
    const live = await readLive()
    expect(await askSince(toSince(live[1]?.id ?? ''))).toMatchObject({ type: 'error', data: { code: 'GAP_TOO_LARGE' } })
  })

  test('learns so, too, for more than a thousand changes', async () => {
    const [first] = await readLive()
    await server.app.state.rules.put(onlyTenant, Array.from({ length: limits.push.replayAlertsMax }, (_, i) => ruleWith({ id: `r${i}` })))
    await outbox.untilIdle()
    expect(await askSince(first?.id)).toMatchObject({ type: 'error', data: { code: 'GAP_TOO_LARGE' } })
  })

  test('learns nothing with an id of another tenant', async () => {
    const live = await readLive()
    expect(await askSince(live[0]?.id, 'other')).toMatchObject({ type: 'error', data: { code: 'GAP_TOO_LARGE' } })
  })
})

test('events reach the tails of their tenant, as they arrived', async () => {
  const client = await open(await server.tokenOf(['viewer']))
  client.send({ action: 'subscribe', topics: ['search'], id: 't', params: { query: 'user:alice' } })
  await client.settle()
  const lines = ['{"user":"alice","n":12345678901234567890}', '{"user":"bob"}', 'nonsense', ' {"user":"alice","deep":{"er":[1]},"_logsource":{"product":"windows"}} ']
  const accepted = (line: string, offset: number) => ({ bytes: Buffer.from(line), occurredAt: 1, arrival: { offset, receivedAt: 2 } })
  const deps = { hub: push.hub, keys: server.app.keys }
  pushLiveTailEvents(deps, onlyTenant, lines.map(accepted))
  pushLiveTailEvents(deps, 'other', [accepted('{"user":"alice","n":"other"}', 9)])
  const rule = { id: 'r1', title: 'Rule 1' }
  const matchOf = (number: number) => ({ rule, eventRef: { occurredAt: 1, by: 'offset', number } as const })
  pushLiveTailMatches(deps, onlyTenant, [matchOf(1), matchOf(3), { rule, eventRef: undefined }])
  pushLiveTailMatches(deps, 'other', [matchOf(0)])
  push.hub.tick()
  const ids = createEventIds(server.app.keys.cursor, onlyTenant)
  expect(await client.next()).toMatchObject({ type: 'tail_events', data: {
    id: 't', dropped: 0, sources: ['', 'windows'], events: [{ user: 'alice' }, { deep: { er: [1] } }],
    event_ids: [0, 3].map((number) => ids.print({ occurredAt: 1, by: 'offset', number })),
    matches: [{ event_id: ids.print(matchOf(3).eventRef), rule_id: rule.id, rule_title: rule.title }],
  } })
})
