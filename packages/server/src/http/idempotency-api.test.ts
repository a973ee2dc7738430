import { hashRequest } from '@tripline/common/request-hash'
import { anySshLogin } from '@tripline/detection/test/rules'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../test/open-test-server.ts'
import { limits } from '../limits.ts'
import { removeOldResponses, abandonRunningRequests } from './idempotent-requests.ts'

const path = '/v1/assets/import'
const csv = { 'content-type': 'text/csv' }

let server: TestServer
beforeEach(async () => {
  server = await openTestServer([])
})

/** Imports a file under a key; without a token as the administrator. */
async function send(key: string, body = 'hostname\nweb-1', token?: string): Promise<TestResponse> {
  const headers = { ...csv, 'idempotency-key': key }
  return await server.call('POST', path, { headers, body, ...(token !== undefined && { token }) })
}

/** How often the tenant's trail says that a file was imported. */
async function importCount(tenant = onlyTenant): Promise<number> {
  const where = [{ field: 'action', operator: 'eq', value: 'asset.import' }] as const
  return (await server.app.state.audit.list(tenant, { where, limit: 100 })).entries.length
}

const isReplayed = ({ headers }: TestResponse): boolean => headers['idempotent-replayed'] === 'true'

test('a repeated request gets the same response and is executed once', async () => {
  const first = await send('key-1')
  const again = await send('key-1')
  expect(first).toMatchObject({ status: 200, body: { created: 1 } })
  expect([isReplayed(first), isReplayed(again)]).toEqual([false, true])
  expect(again).toMatchObject({ status: 200, body: first.body, headers: { 'content-type': first.headers['content-type'] } })
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  expect(await importCount()).toBe(1)
})

test('without a key, or with another, it is executed again', async () => {
  await send('key-1')
  expect(isReplayed(await send('key-2'))).toBe(false)
  expect(isReplayed(await server.call('POST', path, { headers: csv, body: 'hostname\nweb-1' }))).toBe(false)
  expect(await importCount()).toBe(3)
})

test('of concurrent requests one is executed', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => send('key-1')))
  expect(answers.filter((answer) => answer.status === 200 && !isReplayed(answer))).toHaveLength(1)
  for (const answer of answers) {
    if (answer.status !== 200) expect(answer).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } })
  }
  expect(await importCount()).toBe(1)
})

describe('with a used key', () => {
  test.for<[title: string, path: string, body: string]>([
    ['another body', path, 'hostname\nweb-2'],
    ['a body that is longer', path, 'hostname\nweb-1\n'],
    ['the same body with a query', `${path}?x=1`, 'hostname\nweb-1'],
  ])('%s is a conflict', async ([, other, body]) => {
    await send('key-1')
    const answered = await server.call('POST', other, { headers: { ...csv, 'idempotency-key': 'key-1' }, body })
    expect(answered).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT', details: { parameter: 'Idempotency-Key' } } } })
  })

  test('a different request is a conflict; another tenant or route is independent', async () => {
    const first = await send('key-1')
    expect(await send('key-1', undefined, await server.tokenOf(['engineer']))).toMatchObject({ status: 409 })
    expect(isReplayed(await send('key-1', undefined, await server.tokenOf(['admin'], 'other')))).toBe(false)
    const person = await server.call('POST', '/v1/identities/import', { headers: { ...csv, 'idempotency-key': 'key-1' }, body: 'name\nann' })
    expect(person).toMatchObject({ status: 200, body: { created: 1 } })
    expect((await send('key-1')).body).toEqual(first.body)
    expect(await importCount('other')).toBe(1)
  })

  test('a principal without permission gets no stored response', async () => {
    const token = await server.tokenOf(['viewer'])
    await send('key-1')
    expect(await send('key-1', undefined, token)).toMatchObject({ status: 403 })
  })
})

test('a failed request can be sent again, even changed', async () => {
  expect((await send('key-1', 'colour\nred')).status).toBe(400)
  expect(await send('key-1')).toMatchObject({ status: 200, body: { created: 1 } })
})

test('a response is replayed for a day', async () => {
  await send('key-1')
  server.io.nowMs += limits.state.requestKeptMs - 1
  const later = await server.tokenOf(['admin'])
  expect(await send('key-1', undefined, later)).toMatchObject({ status: 409 })
  server.io.nowMs += 1
  expect(isReplayed(await send('key-1', undefined, later))).toBe(false)
})

test('interrupted requests can be sent again; old responses are removed', async () => {
  const { idempotencyKeys } = server.app.state
  const key = { route: `POST ${path}`, key: 'key-1' }
  await idempotencyKeys.begin(onlyTenant, key, 'a request that never ended', server.io.nowMs)
  expect((await send('key-1')).status).toBe(409)
  await abandonRunningRequests(server.app)
  expect((await send('key-1')).status).toBe(200)
  server.io.nowMs += limits.state.requestKeptMs
  await removeOldResponses({ state: server.app.state, clock: server.io })
  expect(await idempotencyKeys.removeOld(onlyTenant, server.io.nowMs)).toBe(0)
})

test.for<[key: string]>([['a b'], ['ä'], ['x'.repeat(256)], [' \t']])('the key %j is refused', async ([key]) => {
  const headers = { ...csv, 'idempotency-key': Buffer.from(key).toString('latin1') }
  const answered = await server.call('POST', path, { headers, body: 'hostname\na' })
  expect(answered).toMatchObject({ status: 400, body: { error: { code: 'INVALID_PARAMETER', details: { parameter: 'Idempotency-Key' } } } })
  expect(await importCount()).toBe(0)
})

test('a key of 255 characters is accepted', async () => {
  expect((await send('~'.repeat(255))).status).toBe(200)
})

test('a stored response is encrypted', async () => {
  const { body } = await send('key-1')
  const { idempotencyKeys, users } = server.app.state
  const [admin] = await users.list(onlyTenant)
  const hash = hashRequest(['user', admin?.id ?? '', `http://127.0.0.1${path}`], Buffer.from('hostname\nweb-1'))
  const kept = await idempotencyKeys.begin(onlyTenant, { route: `POST ${path}`, key: 'key-1' }, hash, server.io.nowMs)
  expect(kept).toMatchObject({ outcome: 'answered', answer: { status: 200, body: expect.stringMatching(/^s1\.[\w-]+$/) } })
  expect(JSON.stringify(kept)).not.toContain(Object.keys(body as object)[0])
})

test.for<[what: string, path: string, body: object]>([
  ['a rule', '/v1/detection/rules', { definition: anySshLogin }],
  ['a connector with its token', '/v1/connectors', { name: 'Sensors', type: 'http_ndjson', enabled: true, config: {} }],
])('%s that is made once has the answer of the first time, its place and its version', async ([, made, body]) => {
  const make = () => server.call('POST', made, { headers: { 'idempotency-key': 'key-1' }, body })
  const [first, again] = [await make(), await make()]
  expect(first).toMatchObject({ status: 201, headers: { location: expect.any(String) } })
  const { location } = first.headers
  expect(again).toMatchObject({ status: 201, body: first.body, headers: { location, 'idempotent-replayed': 'true' } })
  expect(again.headers['etag']).toBe(first.headers['etag'])
})
