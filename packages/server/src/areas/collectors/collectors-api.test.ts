import { collectorDetailSchema, collectorListSchema } from '@tripline/contract/console/collectors/collector'
import { connectorListSchema } from '@tripline/contract/console/sources/connector'
import { anySshLogin } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { limits } from '../../limits.ts'

const path = '/v1/collectors'
const { offlineMs, checkMs, heartbeatMs, tokenMs } = limits.collectors

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([anySshLogin], { events: memoryEvents() })
})
afterEach(() => server.app.state.close())

async function createToken(name?: string): Promise<string> {
  const { status, body } = await server.call('POST', `${path}/enrolment-tokens`, { body: name === undefined ? {} : { name } })
  expect(status).toBe(201)
  return String(Reflect.get(Object(body), 'token'))
}

const enrol = (token: string, hostname = 'fra-1') => server.call('POST', `${path}/enrol`, {
  token: null, body: { token, hostname, version: '1.0.0', os: 'Debian 13', os_family: 'linux' },
})

type Enrolled = { readonly collector_id: string; readonly name: string; readonly credential: string }

async function openCollector(name?: string): Promise<Enrolled> {
  const { status, body } = await enrol(await createToken(name))
  expect(status).toBe(201)
  return body as Enrolled
}

const source = (change: object = {}) =>
  ({ name: 'firewall', type: 'syslog', status: 'healthy', events_per_second: 2.5, last_event_at: null, last_error: null, ...change })
const heartbeat = (change: object = {}) => ({
  version: '1.0.1', hostname: 'fra-1', os: 'Debian 13', os_family: 'linux', uptime_seconds: 5_400, sources: [source()],
  buffer: { events: 0, bytes: 0, capacity_bytes: 1_000, oldest_event_at: null, dropped_total: 0 }, ...change,
})

/** Lets time pass on both clocks. */
function advance(durationMs: number): void {
  server.io.nowMs += durationMs
  server.io.elapsedNowMs += durationMs
}

/** Sends a heartbeat as late as a collector does. */
async function beat({ collector_id: id, credential }: Enrolled, change: object = {}): Promise<TestResponse> {
  advance(heartbeatMs)
  return await server.call('POST', `${path}/${id}/heartbeat`, { token: credential, body: heartbeat(change) })
}

/** With a fresh token: tests move the clock. */
const read = async (id: string) =>
  collectorDetailSchema.parse((await server.call('GET', `${path}/${id}`, { token: await server.tokenOf(['admin']) })).body)
const trail = async () => (await server.app.state.audit.list(onlyTenant, { limit: 20 })).entries

/** Lets time pass, as the server does it in small steps. */
async function pass(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += checkMs) {
    advance(checkMs)
    await server.app.connectors.collectorWatch.check()
  }
}

describe('enrolment', () => {
  test('a token enrols one collector, and its credential is shown once', async () => {
    const token = await createToken('Frankfurt')
    const first = await enrol(token)
    expect(first).toMatchObject({ status: 201, body: { name: 'Frankfurt', credential: expect.stringMatching(/^tl_/), heartbeat_interval_seconds: 30 } })
    const { collector_id: id, credential } = first.body as Enrolled
    expect(await read(id)).toMatchObject({ id, name: 'Frankfurt', hostname: 'fra-1', status: 'pending', version: '1.0.0', last_seen: null, sources: [] })
    expect(await enrol(token)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    const entries = await trail()
    expect(entries.filter(({ action }) => action.startsWith('collector.')).map(({ action, actor }) => [action, actor.type]))
      .toEqual([['collector.enrol', 'collector'], ['collector.create_token', 'user']])
    for (const secret of [token, credential]) expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('without a name of its own it has that of its host', async () => {
    expect(await openCollector()).toMatchObject({ name: 'fra-1' })
  })

  test('a token ends after a day', async () => {
    const token = await createToken()
    advance(tokenMs)
    expect((await enrol(token)).status).toBe(401)
  })

  test('tokens that wait are limited', async () => {
    for (let i = 0; i < limits.collectors.tokensMax; i++) await createToken()
    expect((await server.call('POST', `${path}/enrolment-tokens`, { body: {} })).status).toBe(409)
  })

  test.for(['', 'te_made-up', 'tl_made-up'])('%j enrols nothing', async (token) => {
    expect((await enrol(token)).status).toBe(401)
  })
})

describe('a heartbeat', () => {
  test('shows the collector with its sources and its buffer', async () => {
    const collector = await openCollector()
    const sentAt = new Date(server.io.nowMs + heartbeatMs + 250).toISOString()
    expect(await beat(collector, { sent_at: sentAt })).toMatchObject({ status: 200, body: { status: 'online', refused_sources: [] } })
    expect(await read(collector.collector_id)).toMatchObject({
      status: 'online', version: '1.0.1', uptime_hours: 1.5, last_seen: new Date(server.io.nowMs).toISOString(),
      health: { clock_skew_ms: 250 }, sources: [source()], buffer: { capacity_bytes: 1_000 },
    })
  })

  test.for<[title: string, change: object, status: string]>([
    ['an unhealthy source', { sources: [source({ status: 'unhealthy' })] }, 'degraded'],
    ['a full buffer', { buffer: { ...heartbeat().buffer, bytes: 900 } }, 'degraded'],
    ['fields that this server does not know', { mood: 'good' }, 'online'],
  ])('with %s makes it %s', async ([, change, status]) => {
    const collector = await openCollector()
    expect((await beat(collector, change)).status).toBe(200)
    expect((await read(collector.collector_id)).status).toBe(status)
  })

  test('of another collector, or under a credential that does not exist, is refused', async () => {
    const [one, other] = [await openCollector(), await openCollector()]
    expect((await beat({ ...one, credential: other.credential })).status).toBe(404)
    for (const credential of ['tl_made-up', await server.tokenOf(['admin'])]) expect((await beat({ ...one, credential })).status).toBe(401)
  })

  test('that follows another at once is refused', async () => {
    const collector = await openCollector()
    await beat(collector)
    const { collector_id: id, credential } = collector
    expect((await server.call('POST', `${path}/${id}/heartbeat`, { token: credential, body: heartbeat() })).status).toBe(429)
  })

  test('names the sources that the plan does not have', async () => {
    const collector = await openCollector()
    await server.call('PATCH', `/v1/tenants/${onlyTenant}`, { body: { plan: 'free' }, token: await server.tokenOf(['operator']) })
    const { body } = await beat(collector, { sources: [source(), source({ name: 'scanner', type: 'vulnerability_scanner' })] })
    expect(body).toMatchObject({ refused_sources: [{ name: 'scanner', reason: 'plan' }] })
  })
})

describe('silence', () => {
  const changes = async () => (await server.published('collector.changed')).flatMap(({ type, data }) =>
    type === 'collector.changed' && data.change === 'status' ? [`${data.oldStatus} > ${data.newStatus}`] : [])

  test('takes a collector offline once, and its next heartbeat brings it back', async () => {
    const collector = await openCollector()
    await beat(collector)
    await pass(offlineMs - checkMs)
    expect((await read(collector.collector_id)).status).toBe('online')
    await pass(offlineMs)
    expect((await read(collector.collector_id)).status).toBe('offline')
    await beat(collector)
    expect(await changes()).toEqual(['pending > online', 'online > offline', 'offline > online'])
  })

  test('of this server takes none offline', async () => {
    const collector = await openCollector()
    await beat(collector)
    advance(3_600_000)
    await server.app.connectors.collectorWatch.check()
    expect((await read(collector.collector_id)).status).toBe('online')
    await pass(offlineMs)
    expect((await read(collector.collector_id)).status).toBe('offline')
  })

  test('is no matter of a clock that is set', async () => {
    const collector = await openCollector()
    await beat(collector)
    for (const jumpMs of [86_400_000, -172_800_000]) {
      server.io.nowMs += jumpMs
      await server.app.connectors.collectorWatch.check()
      expect(await changes()).toEqual(['pending > online'])
    }
  })

  test('does not concern one that was never heard, or is retired', async () => {
    const [pending, retired] = [await openCollector(), await openCollector()]
    await beat(retired)
    expect((await server.call('DELETE', `${path}/${retired.collector_id}`)).status).toBe(204)
    await pass(2 * offlineMs)
    expect([(await read(pending.collector_id)).status, (await read(retired.collector_id)).status]).toEqual(['pending', 'retired'])
  })
})

test('a collector sends events, which count once', async () => {
  const collector = await openCollector()
  const event = { id: 'e-1', host: 'web-1', user: 'alice' }
  const send = (events: readonly object[], token: string) => server.call('POST', '/ingest/v1/events', { token, body: events })
  expect(await send([event, { host: 'web-2' }], collector.credential)).toMatchObject({ status: 202, body: { accepted: 2 } })
  await send([event], collector.credential)
  await server.app.detection.pipeline.untilIdle()
  expect(await read(collector.collector_id)).toMatchObject({ events_ingested: 2, events_per_second: 0.033 })
  const { name } = await read(collector.collector_id)
  expect((await server.call('GET', '/v1/pipeline/sources')).body).toMatchObject({
    sources: expect.arrayContaining([expect.objectContaining({ id: collector.collector_id, name, type: 'collector', events: 2 })]) as unknown,
  })
  await server.app.connectors.collectorWatch.save()
  server.io.nowMs += 60_000
  expect(await read(collector.collector_id)).toMatchObject({ events_ingested: 2, events_per_second: 0 })
  const { body } = await server.call('GET', '/v1/search')
  const [{ id }] = Reflect.get(Object(body), 'data') as [{ id: string }]
  expect((await server.call('GET', `/v1/events/${id}`)).status).toBe(200)
})

test('a retired collector is refused at once', async () => {
  const collector = await openCollector()
  expect((await server.call('DELETE', `${path}/${collector.collector_id}`)).status).toBe(204)
  expect((await beat(collector)).status).toBe(401)
  expect((await server.call('POST', '/ingest/v1/events', { token: collector.credential, body: [{}] })).status).toBe(401)
  expect((await server.call('DELETE', `${path}/${collector.collector_id}`)).status).toBe(404)
})

test('the list is filtered and sorted, and names are changed', async () => {
  const [one] = [await openCollector('b'), await openCollector('a')]
  await beat(one)
  const list = async (query: string) => collectorListSchema.parse((await server.call('GET', `${path}${query}`)).body).collectors.map(({ name }) => name)
  expect(await list('?sort=name:asc')).toEqual(['a', 'b'])
  expect(await list('?status=online')).toEqual(['b'])
  const renamed = await server.call('PATCH', `${path}/${one.collector_id}`, { body: { name: 'c' }, headers: { 'if-match': '"1"' } })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'c' }, headers: { etag: '"2"' } })
  expect((await server.call('PATCH', `${path}/${one.collector_id}`, { body: { name: 'd' }, headers: { 'if-match': '"1"' } })).status).toBe(412)
})

describe('sources as connectors', () => {
  const connectors = async () =>
    connectorListSchema.parse((await server.call('GET', '/v1/connectors', { token: await server.tokenOf(['admin']) })).body).connectors

  test('show what the collector reports, and cannot be changed here', async () => {
    const collector = await openCollector()
    const counts = { events: 8, bytes: 800, dropped: 2 }
    await beat(collector, { sources: [source({ counts }), source({ name: 'later', type: 'of-a-newer-release' })] })
    const [shown, ...others] = await connectors()
    expect(others).toEqual([])
    expect(shown).toMatchObject({
      name: 'firewall', type: 'syslog', status: 'healthy', enabled: true, config: {}, managed_by: 'collector',
      collector_id: collector.collector_id,
      stats: { events_received_total: 10, events_failed_total: 2, bytes_received_total: 800, events_per_second: 2.5 },
    })
    const one = `/v1/connectors/${shown?.id}`
    await beat(collector, { sources: [source({ counts: { events: 1, bytes: 9, dropped: 0 }, status: 'unhealthy', last_error: 'port in use' })] })
    const token = await server.tokenOf(['admin'])
    expect(await server.call('GET', one, { token })).toMatchObject({
      status: 200, body: { id: shown?.id, health: { message: 'port in use' }, stats: { events_received_total: 11, bytes_received_total: 809 } },
    })
    expect(await server.call('GET', `${one}/health`, { token }))
      .toMatchObject({ status: 200, body: { status: 'unhealthy', checks: [{ type: 'data_flow', status: 'fail', message: 'port in use' }] } })
    for (const [method, path, body] of [['PUT', one, { enabled: false }], ['DELETE', one], ['POST', `${one}/test`, {}]] as const) {
      expect(await server.call(method, path, { token, body })).toMatchObject({
        status: 409, body: { error: { code: 'CONFLICT', details: { collector_id: collector.collector_id } } },
      })
    }
    expect(await server.call('POST', '/v1/connectors', { token, body: { name: 'logs', type: 'file', config: {} } }))
      .toMatchObject({ status: 400, body: { error: { message: expect.stringContaining("'file' do not run on this server") } } })
  })

  test('are unhealthy while their collector is offline, and gone once it is retired', async () => {
    const collector = await openCollector()
    await beat(collector, { sources: [source(), source({ name: 'off', status: 'disabled' })] })
    await pass(2 * offlineMs)
    expect((await connectors()).map(({ name, status, health, stats }) => [name, status, health.message, stats.events_per_second])).toEqual([
      ['firewall', 'unhealthy', "the collector 'fra-1' is offline", 0], ['off', 'disabled', 'disabled, as its collector reports', 0],
    ])
    await server.call('DELETE', `${path}/${collector.collector_id}`, { token: await server.tokenOf(['admin']) })
    expect(await connectors()).toEqual([])
  })
})
