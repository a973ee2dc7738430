import { alertListSchema } from '@tripline/contract/console/alert'
import {
  connectorHealthSchema, connectorListSchema, connectorSchema, connectorTestSchema, newConnectorSchema,
} from '@tripline/contract/console/sources/connector'
import type { ConnectorBody, NewConnectorBody } from '@tripline/contract/console/sources/connector'
import { anySshLogin, encoded, encodedPowerShell, sshLogin } from '@tripline/detection/test/rules'
import type { ConnectorType } from '@tripline/model/connector'
import { onlyTenant } from '@tripline/model/tenant'
import { MockScanner } from '@tripline/sources/test/mock-scanner'
import { createRandom, ScannerWorld } from '@tripline/sources/test/scanner-world'
import { connectorWith } from '@tripline/state/test/state-samples'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serveScanner } from '../../../test/ingestion/far-scanner.ts'
import { answerJson, openFarServer, textOf } from '../../../test/ingestion/far-server.ts'
import type { FarServer } from '../../../test/ingestion/far-server.ts'
import { serveTaxii, stixIndicator, taxiiUser } from '../../../test/ingestion/far-taxii.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'

const secret = 'hush-1a2b3c4d'
/** The types that this server runs. */
const running = 'http_ndjson, elastic_bulk, splunk_hec, otlp_http, http_poll, syslog, vulnerability_scanner, kafka, nats, taxii, csv_feed'

let server: TestServer
let far: FarServer
beforeEach(async () => {
  far = await openFarServer(answerJson([]))
  server = await openTestServer([encodedPowerShell, anySshLogin])
})
afterEach(async () => {
  await server.app.connectors.runner.stop()
  await server.app.state.close()
  await far.close()
})

const path = '/v1/connectors'
const source = 'https://a.example'
const okta = () => ({
  name: 'Okta', type: 'http_poll', enabled: false,
  config: { base_url: far.url, client_id: '0oa1', client_secret: secret, polling_interval: '60s' },
})

async function create(body: object = okta()): Promise<NewConnectorBody> {
  const { status, body: created } = await server.call('POST', path, { body })
  expect(created).toMatchObject({ id: expect.any(String) })
  expect(status).toBe(201)
  return newConnectorSchema.parse(created)
}

/** The code and message of an error. */
function refusalOf({ status, body }: TestResponse): string {
  const { error } = body as { readonly error: { readonly code: string; readonly message: string } }
  return `${status} ${error.code}: ${error.message}`
}

describe('a new connector', () => {
  test('is returned as sent, without its secret, with its location', async () => {
    const { status, headers, body } = await server.call('POST', path, { body: { ...okta(), enabled: true } })
    const { id } = body as ConnectorBody
    const { location, etag } = headers
    expect({ status, location, etag }).toEqual({ status: 201, location: `${path}/${id}`, etag: '"1"' })
    expect(body).toEqual({
      id,
      name: 'Okta',
      type: 'http_poll',
      status: 'pending',
      enabled: true,
      health: { last_check: null, message: 'not checked yet', consecutive_failures: 0 },
      stats: {
        events_received_total: 0, events_failed_total: 0, bytes_received_total: 0, events_per_second: 0, last_event_at: null,
        events_per_second_15m: Array<number>(30).fill(0), error_rate_15m: 0, lag_seconds: null, delay_seconds: null,
      },
      config: { base_url: far.url, client_id: '0oa1', client_secret: '********', polling_interval: '60s', quiet_after: '900s' },
      created_at: '2026-11-20T10:00:00.000Z',
      updated_at: '2026-11-20T10:00:00.000Z',
    })
  })

  test('is in the list and on its own, with the same fields', async () => {
    const created = await create()
    const { body: list } = await server.call('GET', path)
    expect(connectorListSchema.parse(list)).toEqual({ connectors: [created] })
    const { body, headers } = await server.call('GET', `${path}/${created.id.toUpperCase()}`)
    expect(connectorSchema.parse(body)).toEqual(created)
    expect(headers['etag']).toBe('"1"')
  })

  test('that is changed to what it is has the same version, and no entry on the trail', async () => {
    const { id, name, config, enabled } = await create()
    const listEntries = async () => (await server.app.state.audit.list('default', { limit: 100 })).entries.map(({ action }) => action)
    const before = await listEntries()
    for (const body of [{}, { name }, { config }, { name, config, enabled }]) {
      const answered = await server.call('PUT', `${path}/${id}`, { body })
      expect([body, answered.status, answered.headers['etag']]).toEqual([body, 200, '"1"'])
    }
    expect(await listEntries()).toEqual(before)
  })

  test('of a push type returns its address and token once', async () => {
    const { id, ingest } = await create({ name: 'Push', type: 'http_ndjson', config: {} })
    expect(ingest).toEqual({ url: 'http://127.0.0.1/ingest/v1/events', token: expect.stringMatching(/^tc_[0-9a-z]{8}_[\w-]{43}$/) })
    for (const [method, place, body] of [['GET', path], ['GET', `${path}/${id}`], ['PUT', `${path}/${id}`, {}]] as const) {
      expect(JSON.stringify(await server.call(method, place, { body }))).not.toContain(ingest?.token)
    }
  })

  test('with a used name is rejected', async () => {
    await create()
    const again = await server.call('POST', path, { body: okta() })
    expect(refusalOf(again)).toBe("409 CONFLICT: a connector named 'Okta' already exists")
    await create({ ...okta(), name: 'Other' })
  })

  test.for<[change: object, sentence: string]>([
    [{ name: '' }, 'name: must not be empty'],
    [{ name: '  ' }, 'name: must not be empty'],
    [{ name: 'x'.repeat(101) }, 'name: must have at most 100 characters'],
    [{ type: 'ftp' }, `type: must be one of ${running}`],
    [{ enabled: 'yes' }, 'enabled: must be true or false'],
    [{ config: undefined }, 'config: must be an object'],
    [{ colour: 'red' }, "the body: unknown field 'colour'"],
    [{ config: { url: source, pollinginterval: '5s' } }, "config.pollinginterval: is not a setting of a connector of type 'http_poll'"],
    [{ config: {} }, "config.url: or 'base_url' is required, not both"],
    [{ config: { url: source, base_url: 'https://a.example' } }, "config.url: or 'base_url' is required, not both"],
    [{ config: { url: 'gopher://a.example' } }, 'config.url: the URL must be like https://host/path'],
    [{ config: { url: 'https://me:pw@a.example' } }, 'config.url: the URL must not contain a user or password'],
    [{ config: { url: source, polling_interval: '4s' } }, 'config.polling_interval: must be seconds such as'],
    [{ config: { url: source, polling_interval: '86401s' } }, 'config.polling_interval: must be seconds such as'],
    [{ config: { url: source, polling_interval: '1m' } }, 'config.polling_interval: must be seconds such as'],
    [{ config: { url: source, polling_interval: 60 } }, 'config.polling_interval: must be seconds such as'],
    [{ config: { url: source, client_id: 'x' } }, "config.client_secret: and 'client_id' must be set together"],
    [{ config: { url: source, token_url: 'https://b.example' } }, "config.token_url: needs 'client_id' and 'client_secret'"],
    [
      { config: { url: source, client_id: 'x', client_secret: '********' } },
      "config.client_secret: '********' stands for a stored secret, but there is none; send it",
    ],
    [{ config: { url: source, items_path: 'a..b' } }, 'config.items_path: must be names joined by dots, such as meta.next'],
    [{ type: 'http_ndjson', config: { allowed_cidrs: ['10.0.0.0'] } }, 'config.allowed_cidrs.0: must be a CIDR range'],
    [{ type: 'vulnerability_scanner', config: { api_url: source, api_key: 'x' } }, 'config.dialect: must be one of v3, v4, bulk'],
    [{ type: 'vulnerability_scanner', config: { api_url: source, api_key: 'x', dialect: 'v5' } }, 'config.dialect: must be one of v3, v4, bulk'],
    [{ type: 'vulnerability_scanner', config: { api_url: source, api_key: 'x', poll_interval: 60 } }, 'config.poll_interval: must be 300 or more'],
    [{ type: 'vulnerability_scanner', config: { api_url: source, api_key: 'x', collect: ['tags'] } }, 'config.collect.0: must be one of assets'],
    [{ type: 'kafka', config: { brokers: ['k'], topic: 't' } }, 'config.brokers.0: must be like kafka-1.example.com:9092'],
    [{ type: 'kafka', config: { brokers: ['k:9092'], topic: 'a b' } }, 'config.topic: must have letters, digits, dots, - and _ only'],
    [{ type: 'nats', config: { servers: ['http://n:1'], subject: 's' } }, 'config.servers.0: must be like tls://nats.example.com:4222'],
    [{ type: 'nats', config: { servers: ['n'], subject: 'a b' } }, 'config.subject: must be a subject such as logs.linux or logs.>'],
    [{ type: 'nats', config: { servers: ['n'], subject: 's', group: 'a.b' } }, 'config.group: must have letters, digits, - and _ only, at most 128'],
    [{ type: 'nats', config: { servers: ['n'], subject: 's', username: 'u' } }, "config.password: and 'username' must be set together"],
    [{ type: 'taxii', config: { api_root: source } }, 'config.collection: is missing'],
    [{ type: 'taxii', config: { api_root: source, collection: 'c', username: 'u' } }, "config.password: is required with 'username'"],
    [{ type: 'csv_feed', config: { api_root: 'ftp://a.example/x' } }, 'config.api_root: the URL must be like https://host/path'],
    [{ type: 'csv_feed', config: { api_root: source, polling_interval: '30s' } }, 'config.polling_interval: must be seconds such as'],
    [{ type: 'csv_feed', config: { api_root: source, auth_header: 'Host', password: 'k' } }, 'config.auth_header: must be the name of a header for keys'],
    [{ type: 'csv_feed', config: { api_root: source, auth_header: 'X-Key' } }, "config.password: is required with 'auth_header'"],
    [{ type: 'csv_feed', config: { api_root: source, auth_header: 'X-Key', username: 'u', password: 'k' } }, "config.auth_header: or 'username' can be set"],
    [{ type: 'csv_feed', config: { api_root: source, password: 'a b' } }, 'config.password: must have printable ASCII characters only'],
    [{ type: 'http_ndjson', config: { token: 'mine' } }, "config.token: is not a setting of a connector of type 'http_ndjson'"],
    [{ type: 'http_ndjson', config: { constructor: 'x' } }, "config.constructor: is not a setting of a connector of type 'http_ndjson'"],
  ])('%j is rejected: %s', async ([change, sentence]) => {
    const refused = await server.call('POST', path, { body: { ...okta(), ...change } })
    expect(refusalOf(refused)).toContain(`400 INVALID_BODY: ${sentence}`)
  })

  // A connector that receives nothing is no connector, whatever the published samples say.
  test.for<[type: ConnectorType, config: object]>([
    ['file', { paths: ['/var/log/syslog'] }],
  ])('of type %s is rejected with the types that run, and so is its test', async ([type, config]) => {
    const sentence = `400 INVALID_BODY: type: connectors of type '${type}' do not run on this server; use one of ${running}`
    expect(refusalOf(await server.call('POST', path, { body: { name: 'New', type, config } }))).toBe(sentence)
    expect(refusalOf(await server.call('POST', `${path}/new/test`, { body: { type, config } }))).toBe(sentence)
    expect((await server.call('GET', path)).body).toEqual({ connectors: [] })
  })

  test('of a scanner is refused on the plan free', async () => {
    await server.call('PATCH', `/v1/tenants/${onlyTenant}`, { body: { plan: 'free' }, token: await server.tokenOf(['operator']) })
    const body = { name: 'Scanner', type: 'vulnerability_scanner', enabled: false, config: { api_url: 'https://scan.example:3780', api_key: 'u:p' } }
    expect(refusalOf(await server.call('POST', path, { body }))).toContain("403 FORBIDDEN: the plan 'free' has no connectors of type")
  })

  test('is one too many after the last', async () => {
    const { connectors } = server.app.state
    for (let i = 0; i < 200; i++) await connectors.insert('default', connectorWith({ id: `c${i}`, name: `c${i}` }), undefined)
    const oneMore = await server.call('POST', path, { body: okta() })
    expect(refusalOf(oneMore)).toBe('409 CONFLICT: the tenant has reached its limit of 200 connectors; remove one first')
  })
})

describe('a change', () => {
  test('merges settings key by key, and null takes one away', async () => {
    const { id } = await create({ ...okta(), config: { ...okta().config, items_path: 'data' } })
    server.io.nowMs += 1_000
    const change = { name: 'Okta 2', config: { polling_interval: '5s', items_path: null, cursor_path: 'next' } }
    const { status, headers, body } = await server.call('PUT', `${path}/${id}`, { body: change })
    expect(status).toBe(200)
    expect(headers['etag']).toBe('"2"')
    expect(body).toMatchObject({
      name: 'Okta 2', type: 'http_poll', updated_at: '2026-11-20T10:00:01.000Z',
      config: {
        base_url: far.url, client_id: '0oa1', client_secret: '********', polling_interval: '5s', quiet_after: '900s', cursor_path: 'next',
      },
    })
    expect((body as ConnectorBody).config).not.toHaveProperty('items_path')
  })

  test('does not enable a stored connector of a type that does not run, but renames it', async () => {
    const config = { paths: ['/var/log/a'] }
    const file = connectorWith({ id: 'old', name: 'Old', type: 'file', isEnabled: false, config, sealedSecrets: {} })
    await server.app.state.connectors.insert('default', file, undefined)
    const refused = await server.call('PUT', `${path}/old`, { body: { name: 'New', enabled: true } })
    const sentence = "enabled: connectors of type 'file' do not run on this server; use one of " + running
    expect(refusalOf(refused)).toBe(`400 INVALID_BODY: ${sentence}`)
    const { body } = await server.call('PUT', `${path}/old`, { body: { name: 'New', enabled: false } })
    expect(body).toMatchObject({ name: 'New', enabled: false, type: 'file' })
  })

  test.for<[title: string, change: object, sent: string]>([
    ['nothing of it', { config: { polling_interval: '5s' } }, secret],
    ['its mask', { config: { client_secret: '********', polling_interval: '5s' } }, secret],
    ['all that was shown', { config: { client_id: '0oa1', client_secret: '********', polling_interval: '60s' } }, secret],
    ['another one', { config: { client_secret: 'hush-new' } }, 'hush-new'],
  ])('accepts the secret %s, which is used then', async ([, change, sent]) => {
    let authorization: string | undefined
    far.answer = (request, response) => {
      authorization = request.headers.authorization
      return answerJson([])(request, response)
    }
    const { id } = await create()
    expect((await server.call('PUT', `${path}/${id}`, { body: change })).status).toBe(200)
    await server.call('POST', `${path}/${id}/test`)
    expect(authorization).toBe(`Basic ${Buffer.from(`0oa1:${sent}`).toString('base64')}`)
  })

  const elsewhere = 'https://elsewhere.example'
  test.for<[config: object]>([[{ base_url: elsewhere }], [{ token_url: elsewhere }], [{ base_url: null, url: elsewhere }]])(
    '%j to another host takes no stored secret there, saved or not',
    async ([config]) => {
      const { id } = await create()
      const sentence = /^400 INVALID_BODY: config\.client_secret: must be sent again, because '\w+' now points to another host/
      expect(refusalOf(await server.call('PUT', `${path}/${id}`, { body: { config } }))).toMatch(sentence)
      expect(refusalOf(await server.call('POST', `${path}/${id}/test`, { body: { config } }))).toMatch(sentence)
      const sentAgain = { config: { ...config, client_secret: 'hush-new' } }
      expect((await server.call('PUT', `${path}/${id}`, { body: sentAgain })).status).toBe(200)
    },
  )

  test.for<[header: string, status: number]>([['"1"', 200], ['*', 200], ['"2"', 412], ['W/"1"', 412], ['1', 412], ['"x"', 412]])(
    'with If-Match %s is %i',
    async ([header, status]) => {
      const { id } = await create()
      const changed = await server.call('PUT', `${path}/${id}`, { body: { name: 'Other' }, headers: { 'if-match': header } })
      expect(changed.status).toBe(status)
      if (status === 412) expect(changed.body).toMatchObject({ error: { code: 'PRECONDITION_FAILED', details: { version: 1 } } })
    },
  )

  test.for<[body: object, refusal: string]>([
    [{ type: 'syslog' }, "400 INVALID_BODY: the body: unknown field 'type'"],
    [{ id: 'x' }, "400 INVALID_BODY: the body: unknown field 'id'"],
    [{ config: { base_url: null } }, "400 INVALID_BODY: config.url: or 'base_url' is required, not both"],
    [{ config: { client_id: null } }, "400 INVALID_BODY: config.client_secret: and 'client_id' must be set together"],
    [{ config: { colour: null } }, "400 INVALID_BODY: config.colour: is not a setting of a connector of type 'http_poll'"],
    [{ name: 'Taken' }, "409 CONFLICT: a connector named 'Taken' already exists"],
  ])('%j is refused: %s', async ([body, refusal]) => {
    await create({ ...okta(), name: 'Taken' })
    const { id } = await create()
    expect(refusalOf(await server.call('PUT', `${path}/${id}`, { body }))).toBe(refusal)
    expect((await server.call('GET', `${path}/${id}`)).headers['etag']).toBe('"1"')
  })

  test('of the switch is a change of status, in history and trail', async () => {
    const { id } = await create({ name: 'Push', type: 'http_ndjson', config: {} })
    for (const [enabled, status] of [[false, 'disabled'], [true, 'pending']] as const) {
      server.io.nowMs += 1_000
      expect((await server.call('PUT', `${path}/${id}`, { body: { enabled } })).body).toMatchObject({ enabled, status })
    }
    const { body } = await server.call('GET', `${path}/${id}/health`)
    expect(connectorHealthSchema.parse(body).history).toEqual([
      { timestamp: '2026-11-20T10:00:02.000Z', status: 'pending' },
      { timestamp: '2026-11-20T10:00:01.000Z', status: 'disabled' },
      { timestamp: '2026-11-20T10:00:00.000Z', status: 'pending' },
    ])
  })
})

test('a removed connector is gone, once', async () => {
  const { id } = await create()
  expect((await server.call('DELETE', `${path}/${id}`, { headers: { 'if-match': '"7"' } })).status).toBe(412)
  expect(await server.call('DELETE', `${path}/${id}`)).toMatchObject({ status: 204, body: undefined })
  expect((await server.call('DELETE', `${path}/${id}`)).status).toBe(404)
  expect((await server.call('GET', path)).body).toEqual({ connectors: [] })
})

describe('a test', () => {
  test('of settings that are not stored saves nothing', async () => {
    far.answer = answerJson([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
    const trial = { type: 'http_poll', config: { url: `${far.url}/events` } }
    const { status, body } = await server.call('POST', `${path}/new/test`, { body: trial })
    expect(status).toBe(200)
    expect(connectorTestSchema.parse(body)).toEqual({
      connector_id: null,
      status: 'healthy',
      tested_at: '2026-11-20T10:00:00.000Z',
      duration_ms: expect.any(Number),
      checks: [
        { type: 'connectivity', status: 'pass', message: '200 from /events', latency_ms: expect.any(Number) },
        { type: 'authentication', status: 'pass', message: 'no authentication needed' },
        { type: 'data_flow', status: 'pass', message: '0 events in the last minute', events_in_last_minute: 0 },
      ],
      sample: [{ n: 1 }, { n: 2 }, { n: 3 }],
    })
    expect((await server.call('GET', path)).body).toEqual({ connectors: [] })
  })

  test('of a scanner shows events of its first page, or says that it refuses the key', async () => {
    const random = createRandom(1)
    const scanner = await serveScanner(new MockScanner({ world: new ScannerWorld({ assetCount: 9, random, nowMs: server.io.nowMs }), random }))
    const runTest = async (apiKey: string): Promise<unknown> => {
      const config = { api_url: `${scanner.url}/api/3`, api_key: apiKey }
      return (await server.call('POST', `${path}/new/test`, { body: { type: 'vulnerability_scanner', config } })).body
    }
    const passed = connectorTestSchema.parse(await runTest('user:secret'))
    expect(passed.status).toBe('healthy')
    expect(passed.sample).toHaveLength(3)
    expect(passed.sample?.[0]).toMatchObject({ _logsource: { product: 'vulnerability_scanner' } })
    expect(await runTest('user:wrong')).toMatchObject({
      status: 'unhealthy', checks: [{ status: 'pass' }, { status: 'fail', message: 'the scanner refuses the credentials (401): check api_key' }, { status: 'skip' }],
    })
    await scanner.close()
  })

  test('of a TAXII collection shows three indicators, or which part failed', async () => {
    const objects = Array.from({ length: 5 }, (_, n) => ({
      addedAt: `2026-11-01T00:00:0${n}.000Z`, object: stixIndicator(n, n === 0 ? '[x:y = 1]' : `[ipv4-addr:value = '192.0.2.${n}']`),
    }))
    const taxii = await serveTaxii(objects)
    const runTest = async (change: object = {}): Promise<unknown> => {
      const config = { api_root: `${taxii.url}/api1`, collection: 'c-1', ...taxiiUser, ...change }
      return (await server.call('POST', `${path}/new/test`, { body: { type: 'taxii', config } })).body
    }
    expect(await runTest()).toMatchObject({
      status: 'healthy',
      checks: [{ status: 'pass', message: '200 from /api1' }, { status: 'pass' },
        { status: 'pass', message: 'of the first: 5 entries read, 1 not usable (1: the pattern is not a single comparison)' }],
      sample: [{ type: 'ip', value: '192.0.2.1', description: 'No. 1' }, { value: '192.0.2.2' }, { value: '192.0.2.3' }],
    })
    expect(await runTest({ password: 'wrong' })).toMatchObject({
      status: 'unhealthy', checks: [{ status: 'pass' }, { status: 'fail', message: '401 from /api1/collections/c-1/: check username and password' }, { status: 'skip' }],
    })
    taxii.canRead = false
    expect(await runTest()).toMatchObject({ checks: [{}, { status: 'fail', message: 'the collection may not be read with these credentials' }, {}] })
    expect((await server.call('GET', '/v1/indicators')).body).toMatchObject({ indicators: [] })
    await taxii.close()
  })

  test('of a CSV feed reads its beginning only', async () => {
    far.answer = (_request, response) => void response.end(`# list\n${'192.0.2.1\n'.repeat(50_000)}`)
    const { body } = await server.call('POST', `${path}/new/test`, { body: { type: 'csv_feed', config: { api_root: `${far.url}/list.txt` } } })
    const told = 'of the first: 20 entries read, 0 not usable'
    expect(body).toMatchObject({ status: 'healthy', checks: [{ message: '200 from /list.txt' }, {}, { message: told }] })
    expect(connectorTestSchema.parse(body).sample).toHaveLength(3)
  })

  test('reports rejected credentials', async () => {
    far.answer = async (request, response) => {
      await textOf(request)
      await answerJson({ error: 'invalid_client' }, { status: 401 })(request, response)
    }
    const config = { url: far.url, token_url: `${far.url}/token`, client_id: 'x', client_secret: secret }
    const { body } = await server.call('POST', `${path}/new/test`, { body: { type: 'http_poll', config } })
    expect(body).toMatchObject({
      status: 'unhealthy',
      checks: [
        { type: 'connectivity', status: 'pass' },
        { type: 'authentication', status: 'fail', message: '401 invalid_client: check client_id, client_secret and token_url' },
        { type: 'data_flow', status: 'skip', message: 'skipped: authentication failed', events_in_last_minute: 0 },
      ],
    })
  })

  test('merges settings with the stored ones, and changes none', async () => {
    const created = await create()
    const trial = { type: 'http_poll', config: { base_url: `${far.url}/other`, items_path: 'data' } }
    const { status, body } = await server.call('POST', `${path}/${created.id}/test`, { body: trial })
    expect({ status, body }).toMatchObject({ status: 200, body: { connector_id: created.id, status: 'unhealthy' } })
    expect(far.asked).toContain('GET /other')
    expect((await server.call('GET', `${path}/${created.id}`)).body).toEqual(created)
    expect((await server.call('GET', `${path}/${created.id}/health`)).body).toMatchObject({ checks: [], last_check: null })
  })

  test.for<[url: string, sentence: string]>([
    ['http://169.254.169.254/latest/meta-data', "'169.254.169.254' may not be requested: its range is link-local, and cloud metadata"],
    ['https://10.0.0.1/', "'10.0.0.1' may not be requested: its range is private"],
    ['https://[::1]/', "'[::1]' may not be requested: its range is loopback"],
    ['https://2886729729/', "'172.16.0.1' may not be requested: its range is private"],
    ['http://8.8.8.8/', "'8.8.8.8' is requested without TLS; use https"],
    ['https://8.8.8.8:6379/', "port 6379 of '8.8.8.8' is not allowed; use one of 443, 8443"],
  ])('of %s sends no request', async ([url, message]) => {
    const { status, body } = await server.call('POST', `${path}/new/test`, { body: { type: 'http_poll', config: { url } } })
    const checks = [{ type: 'connectivity', status: 'fail', message }, {}, {}]
    expect({ status, body }).toMatchObject({ status: 200, body: { status: 'unhealthy', checks } })
  })

  test.for<[id: string, body: object | undefined, refusal: string]>([
    ['new', undefined, "400 INVALID_BODY: 'type' and 'config' are required to test a connector that is not stored"],
    ['new', { type: 'http_poll' }, "400 INVALID_BODY: 'type' and 'config' are required to test a connector that is not stored"],
    ['new', { type: 'http_poll', config: {} }, "400 INVALID_BODY: config.url: or 'base_url' is required, not both"],
    ['old', { type: 'http_ndjson' }, "400 INVALID_BODY: type: the type of a stored connector cannot change; it is 'http_poll'"],
    ['0198f1c0-7a10-7c3e-9b1e-2f6a3a1f0001', undefined, '404 NOT_FOUND: there is no such connector'],
  ])('of %s with %j is refused: %s', async ([name, body, refusal]) => {
    const { id } = await create()
    expect(refusalOf(await server.call('POST', `${path}/${name === 'old' ? id : name}/test`, { body }))).toBe(refusal)
  })
})

test('a tenant may request the networks that the operator allows it, and no other tenant may', async () => {
  const body = { type: 'http_poll', config: { url: 'http://[::1]:1/' } }
  const messageOf = async (token: string): Promise<string> => {
    const { checks } = connectorTestSchema.parse((await server.call('POST', `${path}/new/test`, { token, body })).body)
    return checks[0]?.message ?? ''
  }
  const [operator, admin, foreign] = [
    await server.tokenOf(['operator']), await server.tokenOf(['admin']), await server.tokenOf(['admin'], 'other'),
  ]
  expect(await messageOf(admin)).toContain('may not be requested')
  await server.call('PATCH', '/v1/tenants/default', { token: operator, body: { egress_allow_cidrs: ['::1/128'] } })
  expect(await messageOf(admin)).not.toContain('may not be requested')
  expect(await messageOf(foreign)).toContain('may not be requested')
  await server.call('PATCH', '/v1/tenants/default', { token: operator, body: { egress_allow_cidrs: [] } })
  expect(await messageOf(admin)).toContain('may not be requested')
})

describe('a sender with the token of a connector', () => {
  const send = (token: string, body = '{"n":1}\n{"n":2}\nx\n') => server.call('POST', '/ingest/v1/events', { token, body })

  test('learns how old its newest event was on arrival, where that states a time', async () => {
    const { id, ingest } = await create({ name: 'Late', type: 'http_ndjson', config: {} })
    const delays: unknown[] = []
    for (const body of ['{"n":1}\n', '{"@timestamp":"2026-11-20T09:59:30Z"}\n']) {
      await send(ingest?.token ?? '', body)
      await server.app.detection.pipeline.untilIdle()
      delays.push(((await server.call('GET', `${path}/${id}`)).body as ConnectorBody).stats.delay_seconds)
    }
    expect(delays).toEqual([null, 30])
  })

  test('sends to it, and it counts', async () => {
    const { id, ingest } = await create({ name: 'Push', type: 'http_ndjson', config: {} })
    expect(await send(ingest?.token ?? '')).toMatchObject({ status: 202, body: { accepted: 2, rejected: 1 } })
    expect((await server.call('GET', `${path}/${id}`)).body).toMatchObject({
      stats: {
        events_received_total: 2, events_failed_total: 1, bytes_received_total: 18, events_per_second: 0.033,
        last_event_at: '2026-11-20T10:00:00.000Z',
      },
    })
  })

  test('sends what is a series over time, and makes the connector one of those that are active', async () => {
    const { id, ingest } = await create({ name: 'Push', type: 'http_ndjson', config: {} })
    await create()
    await send(ingest?.token ?? '')
    const { status, body } = await server.call('GET', `${path}/${id}/metrics?from=2026-11-20T09:59:00Z&to=2026-11-20T10:01:00Z`)
    const before = { timestamp: '2026-11-20T09:59:00.000Z', value: 0 }
    const at = (value: number): object => ({ timestamp: '2026-11-20T10:00:00.000Z', value })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        connector_id: id, interval: '1m', query_warnings: [],
        metrics: {
          events_received: [before, at(2)],
          events_failed: [before, at(1)],
          throughput_eps: [before, at(expect.closeTo(2 / 60))],
        },
      },
    })
    const foreign = await server.call('GET', `${path}/${id}/metrics`, { token: await server.tokenOf(['admin'], 'other') })
    expect(foreign.status).toBe(404)
    expect((await server.call('GET', '/v1/pipeline/metrics')).body).toMatchObject({
      stages: { ingestion: { active_connectors: 1, healthy_connectors: 0 } },
    })
  })

  test.for<[logSource: object, event: object, titles: readonly string[]]>([
    [{ product: 'linux', service: 'sshd' }, {}, ['Any SSH login']],
    [{ product: 'linux', service: 'sshd' }, { _logsource: { product: 'linux', service: 'cron' } }, []],
    [{ product: 'linux', service: 'cron' }, {}, []],
    [{}, {}, []],
  ])('sends events that are %j unless they say otherwise: %j', async ([logSource, event, titles]) => {
    const { ingest } = await create({ name: 'Push', type: 'http_ndjson', config: { log_source: logSource } })
    const { _logsource, ...plain } = sshLogin
    await server.call('POST', '/ingest/v1/events', { token: ingest?.token ?? '', body: JSON.stringify({ ...plain, ...event }) })
    const { body } = await server.call('GET', '/v1/alerts')
    expect(alertListSchema.parse(body).alerts.map((alert) => alert.rule_title)).toEqual(titles)
  })

  test('has access to nothing else, and to nothing once it is disabled or removed', async () => {
    const { id, ingest } = await create({ name: 'Push', type: 'http_ndjson', config: {} })
    const token = ingest?.token ?? ''
    expect((await server.call('GET', path, { token })).status).toBe(401)
    expect((await send(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).status).toBe(401)
    await server.call('PUT', `${path}/${id}`, { body: { enabled: false } })
    expect((await send(token)).status).toBe(401)
    await server.call('PUT', `${path}/${id}`, { body: { enabled: true } })
    expect((await send(token)).status).toBe(202)
    await server.call('DELETE', `${path}/${id}`)
    expect((await send(token)).status).toBe(401)
  })

  test('is rejected from an address that the connector does not allow', async () => {
    const { ingest } = await create({ name: 'Push', type: 'http_ndjson', config: { allowed_cidrs: ['10.0.0.0/8'] } })
    expect(refusalOf(await send(ingest?.token ?? ''))).toBe("403 FORBIDDEN: the connector does not accept events from this address; see its 'allowed_cidrs'")
  })

  test('more than it takes waits', async () => {
    const { ingest } = await create({ name: 'Push', type: 'http_ndjson', config: { max_eps: 1 } })
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push((await send(ingest?.token ?? '')).status)
    expect(statuses).toEqual([...Array<number>(30).fill(202), 429])
    expect((await send(ingest?.token ?? '')).headers['retry-after']).toBe('1')
    server.io.nowMs += 61_000
    expect((await send(ingest?.token ?? '')).status).toBe(202)
  })
})

describe('another tenant', () => {
  test.for<[method: string, suffix: string, body: object | undefined]>([
    ['GET', '', undefined],
    ['PUT', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['GET', '/health', undefined],
    ['POST', '/test', undefined],
  ])('%s %s does not find it', async ([method, suffix, body]) => {
    const { id } = await create()
    const token = await server.tokenOf(['admin'], 'other')
    const foreign = await server.call(method, `${path}/${id}${suffix}`, { token, body })
    const unknown = await server.call(method, `${path}/0198f1c0-7a10-7c3e-9b1e-2f6a3a1f0001${suffix}`, { token, body })
    expect(refusalOf(foreign)).toBe('404 NOT_FOUND: there is no such connector')
    expect(refusalOf(unknown)).toBe(refusalOf(foreign))
    expect((await server.call('GET', path, { token })).body).toEqual({ connectors: [] })
  })

  test('may use the same name', async () => {
    await create()
    const token = await server.tokenOf(['engineer'], 'other')
    expect((await server.call('POST', path, { body: okta(), token })).status).toBe(201)
  })
})

test('polled events are handled like ingested ones: rules match them, and they count', async () => {
  far.answer = answerJson({ data: [encoded, { host: 'web-2' }] })
  await server.app.connectors.runner.start()
  const { id } = await create({ name: 'Poll', type: 'http_poll', config: { url: far.url, items_path: 'data' } })
  const events = async (): Promise<unknown> => ((await server.call('GET', `${path}/${id}`)).body as ConnectorBody).stats
  await expect.poll(events).toMatchObject({ events_received_total: 2, last_event_at: '2026-11-20T10:00:00.000Z', lag_seconds: 0 })
  await expect.poll(async () => (await server.call('GET', '/v1/detection/rules/0198f1c0-7a10-4c3e-9b1e-2f6a3a1f0001/matches')).body)
    .toMatchObject({ matches: [{ event: { host: 'web-1' } }] })
  await expect.poll(async () => (await server.call('GET', `${path}/${id}/health`)).body).toMatchObject({
    status: 'healthy',
    checks: [{ status: 'pass' }, { status: 'pass' }, { status: 'pass' }],
    history: [{ status: 'healthy' }, { status: 'pending' }],
  })
})

test.for<[role: 'viewer' | 'analyst' | 'engineer' | 'auditor', read: number, write: number]>([
  ['viewer', 200, 403],
  ['analyst', 200, 403],
  ['auditor', 200, 403],
  ['engineer', 200, 201],
])('%s: reading %i, writing %i', async ([role, read, write]) => {
  const token = await server.tokenOf([role])
  expect((await server.call('GET', path, { token })).status).toBe(read)
  expect((await server.call('POST', path, { token, body: okta() })).status).toBe(write)
})

test('no response, audit entry or log line contains a secret', async () => {
  far.answer = answerJson({}, { status: 401 })
  const said: unknown[] = []
  const call = async (method: string, route: string, body?: object): Promise<void> => {
    said.push(await server.call(method, route, { body }))
  }
  await server.app.connectors.runner.start()
  const { id } = await create({ ...okta(), enabled: true })
  await call('GET', path)
  await call('GET', `${path}/${id}`)
  await call('PUT', `${path}/${id}`, { config: { client_secret: `${secret}-2` } })
  await call('PUT', `${path}/${id}`, { config: { client_secret: `${secret}-3`, colour: secret } })
  await call('POST', `${path}/${id}/test`, { config: { client_secret: `${secret}-4` } })
  await call('POST', `${path}/new/test`, okta())
  await call('POST', path, { ...okta(), config: { ...okta().config, client_secret: [secret] } })
  await call('GET', `${path}/${id}/health`)
  await call('DELETE', `${path}/${id}`)
  const trail = (await server.app.state.audit.list('default', { limit: 100 })).entries
  const told = ['connector.create', 'connector.update', 'connector.delete']
  expect(trail.map(({ action }) => action)).toEqual(expect.arrayContaining(told))
  expect(said).toHaveLength(9)
  expect(JSON.stringify([said, trail, server.io.logLines])).not.toContain(secret)
})
