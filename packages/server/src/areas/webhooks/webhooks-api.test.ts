import { webhookDeliveryListSchema, webhookDeliverySchema, webhookListSchema, webhookSchema, webhookWithSecretSchema } from '@tripline/contract'
import type { WebhookWithSecretBody } from '@tripline/contract/console/webhook'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { Webhook as Receiver } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openFarServer, textOf } from '../../../test/ingestion/far-server.ts'
import type { FarServer } from '../../../test/ingestion/far-server.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { anySshLogin, sshLogin } from '@tripline/detection/test/rules'
import { limits } from '../../limits.ts'

const path = '/v1/webhooks'
const publicUrl = 'https://tripline.example'

/** A request as the receiver got it. */
type Got = { readonly headers: { readonly [name: string]: string }; readonly text: string }

let server: TestServer
let far: FarServer
let got: Got[]
beforeEach(async () => {
  got = []
  far = await openFarServer(async (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    got.push({ headers, text: await textOf(request) })
    response.writeHead(200).end('thanks')
  })
  server = await openTestServer([anySshLogin], { publicUrl, startedAt: Date.now() })
  await server.app.webhooks.sender.start()
})
afterEach(async () => {
  await server.app.webhooks.sender.stop()
  await server.app.state.close()
  await far.close()
})

const soar = (change: object = {}) => ({ name: 'SOAR', url: `${far.url}/hook`, events: ['alert.created', 'alert.updated'], ...change })

async function create(change: object = {}): Promise<WebhookWithSecretBody> {
  const { status, body } = await server.call('POST', path, { body: soar(change) })
  expect(body).toMatchObject({ id: expect.any(String) })
  expect(status).toBe(201)
  return webhookWithSecretSchema.parse(body)
}

function refusalOf({ status, body }: TestResponse): string {
  const { error } = body as { readonly error: { readonly code: string; readonly message: string } }
  return `${status} ${error.code}: ${error.message}`
}

/** Has an event become an alert, and waits until it was sent. */
async function raise(host: string): Promise<void> {
  await server.call('POST', '/ingest/v1/events', { body: [{ ...sshLogin, host }] })
  await settle()
}

async function settle(): Promise<void> {
  await server.app.outbox.untilIdle()
  while (!server.app.webhooks.sender.isIdle) await new Promise((resolve) => setTimeout(resolve, 2))
}

async function listDeliveries(id: string, query = '') {
  return webhookDeliveryListSchema.parse((await server.call('GET', `${path}/${id}/deliveries${query}`)).body).deliveries
}

const trail = async () => (await server.app.state.audit.list(onlyTenant, { limit: 20 })).entries.map(({ action }) => action)

test('a webhook is created, listed, changed and deleted, and its secret shown once', async () => {
  const { status, headers, body } = await server.call('POST', path, { body: soar({ filters: { severity: ['high'] } }) })
  const { secret, ...webhook } = webhookWithSecretSchema.parse(body)
  expect([status, headers['location'], headers['etag']]).toEqual([201, `${path}/${webhook.id}`, '"1"'])
  expect(webhook).toMatchObject({
    name: 'SOAR', filters: { severity: ['high'] }, enabled: true, profile: 'b', status: 'active', last_delivery_at: null, failure_count: 0,
  })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhookListSchema.parse((await server.call('GET', path)).body).webhooks).toEqual([webhook])
  const one = `${path}/${webhook.id}`
  const patched = await server.call('PATCH', one, { body: { enabled: false, name: 'Other', filters: {} }, headers: { 'if-match': '"1"' } })
  expect(patched.body).toMatchObject({ name: 'Other', enabled: false, status: 'disabled', filters: { severity: [] } })
  expect((await server.call('PATCH', one, { body: { name: 'Late' }, headers: { 'if-match': '"1"' } })).status).toBe(412)
  expect((await server.call('DELETE', one)).status).toBe(204)
  expect((await server.call('GET', one)).status).toBe(404)
  expect((await trail()).filter((action) => action.startsWith('webhook.'))).toEqual(['webhook.delete', 'webhook.update', 'webhook.create'])
  expect(JSON.stringify((await server.app.state.audit.list(onlyTenant, { limit: 20 })).entries)).not.toContain(secret)
})

test.for<[change: object, refusal: string]>([
  [{ filters: { severity: ['hgih'] } }, 'INVALID_BODY'],
  [{ events: [] }, 'INVALID_BODY: events: must name at least one event'],
  [{ events: ['alert.deleted'] }, 'INVALID_BODY'],
  [{ url: 'ftp://soar.example' }, 'INVALID_BODY: url: the URL must be like https://host/path'],
  [{ url: 'https://user:pass@soar.example' }, 'INVALID_BODY: url: the URL must not contain a user or password'],
  [{ name: ' ' }, 'INVALID_BODY: name: must not be empty'],
  [{ colour: 'red' }, "INVALID_BODY: the body: unknown field 'colour'"],
])('%j is refused', async ([change, refusal]) => {
  expect(refusalOf(await server.call('POST', path, { body: soar(change) }))).toContain(`400 ${refusal}`)
})

test('a severity that does not exist lists the five', async () => {
  const refused = await server.call('POST', path, { body: soar({ filters: { severity: ['hgih'] } }) })
  for (const severity of ['critical', 'high', 'medium', 'low', 'info']) expect(refusalOf(refused)).toContain(severity)
})

test('names are unique in a tenant, for a new webhook and for a changed one', async () => {
  await create()
  const { id } = await create({ name: 'Other' })
  expect(refusalOf(await server.call('POST', path, { body: soar() }))).toBe("409 CONFLICT: a webhook named 'SOAR' already exists")
  expect(refusalOf(await server.call('PATCH', `${path}/${id}`, { body: { name: 'SOAR' } }))).toContain('409 CONFLICT')
  const token = await server.tokenOf(['admin'], 'acme')
  expect((await server.call('POST', path, { body: soar(), token })).status).toBe(201)
})

test('the plan bounds how many there are', async () => {
  const token = await server.tokenOf(['operator'])
  await server.call('PATCH', `/v1/tenants/${onlyTenant}`, { body: { plan: 'free' }, token })
  await create({ name: '1' })
  await create({ name: '2' })
  expect(refusalOf(await server.call('POST', path, { body: soar() }))).toBe("409 CONFLICT: the plan 'free' has at most 2 webhooks; delete one first")
})

test('without a public URL none is created, and the answer names the setting', async () => {
  const other = await openTestServer([])
  const refused = await other.call('POST', path, { body: soar() })
  expect(refusalOf(refused)).toContain('409 CONFLICT')
  expect(refused.body).toMatchObject({ error: { details: { setting: 'public_url' } } })
})

test.for<[role: Role, method: string, tail: string, status: number]>([
  ['viewer', 'GET', '', 403], ['analyst', 'GET', '', 403], ['engineer', 'GET', '', 200], ['auditor', 'GET', '/:id', 403],
  ['analyst', 'POST', '/:id/test', 403], ['engineer', 'POST', '/:id/test', 200],
])('%s: %s %s answers %d', async ([role, method, tail, status]) => {
  const { id } = await create()
  expect((await server.call(method, `${path}${tail.replace(':id', id)}`, { token: await server.tokenOf([role]) })).status).toBe(status)
})

test('another tenant finds none of it', async () => {
  const { id } = await create()
  await raise('web-1')
  const [delivery] = await listDeliveries(id)
  const token = await server.tokenOf(['admin'], 'acme')
  const range = { from: '2020-01-01', to: '2030-01-01' }
  for (const [method, tail, body] of [
    ['GET', ''], ['PATCH', '', { name: 'Mine' }], ['DELETE', ''], ['POST', '/rotate-secret'], ['POST', '/test'], ['GET', '/deliveries'],
    ['GET', `/deliveries/${delivery?.id}`], ['POST', `/deliveries/${delivery?.id}/redeliver`], ['POST', '/replay', range],
  ] as const) {
    expect((await server.call(method, `${path}/${id}${tail}`, { token, body })).status, `${method} ${tail}`).toBe(404)
  }
})

describe('what is sent', () => {
  test('a new alert and a change of its status, and nothing for a change of its verdict', async () => {
    const { id, secret } = await create()
    await raise('web-1')
    const [event] = await server.published('alert.created')
    const alert = `/v1/alerts/${event?.subject}`
    await server.call('PUT', alert, { body: { verdict: 'benign' } })
    await server.call('PUT', alert, { body: { status: 'resolved' } })
    await settle()
    const payloads = got.map(({ text, headers }) => new Receiver(secret).verify(text, headers) as { event: string; data: object })
    expect(payloads.map((payload) => payload.event)).toEqual(['alert.created', 'alert.updated'])
    expect(payloads[0]?.data).toMatchObject({ id: event?.subject, url: `${publicUrl}/alerts/${event?.subject}`, status: 'open' })
    expect(payloads[1]?.data).toMatchObject({ status: 'resolved', previous_status: 'open', updated_by: expect.stringContaining('@example.org') })
    expect(got[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'tripline-webhooks/1' })
    expect((await listDeliveries(id)).map(({ event, status, http_status, response_snippet }) => [event, status, http_status, response_snippet]))
      .toEqual([['alert.updated', 'delivered', 200, 'thanks'], ['alert.created', 'delivered', 200, 'thanks']])
    expect(await listDeliveries(id, '?event=alert.created&status=delivered,failed')).toHaveLength(1)
    expect(webhookSchema.parse((await server.call('GET', `${path}/${id}`)).body).last_delivery_at).not.toBeNull()
  })

  test('only severities that the webhook names', async () => {
    await create({ filters: { severity: ['info'] } })
    await raise('web-1')
    expect(got).toEqual([])
  })

  test('nothing while it is disabled, and afterwards what is new; a replay sends what was missed', async () => {
    const { id } = await create()
    await server.call('PATCH', `${path}/${id}`, { body: { enabled: false } })
    await raise('web-1')
    const range = { from: new Date(server.io.nowMs - 1_000).toISOString(), to: new Date(server.io.nowMs + 1_000).toISOString() }
    const refused = await server.call('POST', `${path}/${id}/replay`, { body: range })
    expect(refusalOf(refused)).toBe('409 CONFLICT: the webhook is disabled; enable it first')
    await server.call('PATCH', `${path}/${id}`, { body: { enabled: true } })
    await raise('web-2')
    expect(got).toHaveLength(1)
    expect((await server.call('POST', `${path}/${id}/replay`, { body: range })).body).toEqual({ queued: 2 })
    await settle()
    expect(got).toHaveLength(3)
    expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    expect((await server.call('POST', `${path}/${id}/replay`, { body: { ...range, events: ['alert.updated'] } })).body).toEqual({ queued: 0 })
    expect(refusalOf(await server.call('POST', `${path}/${id}/replay`, { body: { from: range.to, to: range.from } }))).toContain('400 INVALID_BODY')
  })

  test('the event of a delivery again, under its id', async () => {
    const { id } = await create()
    await raise('web-1')
    const [delivery] = await listDeliveries(id)
    const { status, body } = await server.call('POST', `${path}/${id}/deliveries/${delivery?.id}/redeliver`)
    expect([status, webhookDeliverySchema.parse(body).reason]).toEqual([202, 'redelivery'])
    await settle()
    expect(got.map(({ headers }) => headers['webhook-id'])).toEqual([delivery?.event_id, delivery?.event_id])
    expect((await server.call('GET', `${path}/${id}/deliveries/${delivery?.id}`)).body).toEqual(delivery)
  })

  test('a test, at once, signed by both secrets after a rotation', async () => {
    const { id, secret } = await create({ enabled: false })
    const rotated = webhookWithSecretSchema.parse((await server.call('POST', `${path}/${id}/rotate-secret`)).body)
    const { body } = await server.call('POST', `${path}/${id}/test`)
    expect(webhookDeliverySchema.parse(body)).toMatchObject({ event: 'webhook.test', reason: 'test', status: 'delivered', attempt: 1 })
    for (const one of [secret, rotated.secret]) expect(new Receiver(one).verify(got[0]!.text, got[0]!.headers)).toMatchObject({ event: 'webhook.test' })
    expect(rotated.secret).not.toBe(secret)
  })

  test('a test that fails says why, and does not count against the webhook', async () => {
    const { id } = await create({ url: 'https://10.0.0.1/hook' })
    const { body } = await server.call('POST', `${path}/${id}/test`)
    expect(webhookDeliverySchema.parse(body)).toMatchObject({
      status: 'failed', http_status: null, error: expect.stringContaining('may not be requested'), next_attempt_at: null,
    })
    expect((await server.call('GET', `${path}/${id}`)).body).toMatchObject({ failure_count: 0, status: 'active' })
  })
})

test('its topic is in the pipeline metrics, and its attempts are counted', async () => {
  await create()
  await raise('web-1')
  const { body } = await server.call('GET', '/v1/pipeline/metrics')
  expect(body).toMatchObject({ queue: { topics: expect.arrayContaining([expect.objectContaining({ name: 'webhooks', consumer_lag: 0 })]) } })
  expect(server.app.metrics.meter.total(onlyTenant, 'webhook_attempts', 'delivered')).toBe(1)
  expect((await server.call('GET', '/v1/health')).body).toMatchObject({ checks: { webhooks_failing: 0 } })
})

test('the log of deliveries ends with its time', async () => {
  const { id } = await create()
  await raise('web-1')
  const before = server.io.nowMs + limits.webhooks.keptMs
  expect(await server.app.state.webhookDeliveries.removeOld(onlyTenant, { before, limit: 10 })).toBe(1)
  expect(await listDeliveries(id)).toEqual([])
})
