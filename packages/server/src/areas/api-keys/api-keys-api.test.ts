import { apiKeyListSchema, apiKeySchema, createdApiKeySchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, Call, TestServer } from '../../../test/open-test-server.ts'

const dayMs = 86_400_000
let server: TestServer
let call: TestServer['call']

beforeEach(async () => {
  server = await openTestServer([])
  call = server.call
})

const sender = { name: 'Sender', scope: 'read-write' }

async function create(body: object = sender, asked: Call = {}): Promise<{ id: string; key: string }> {
  const answered = await call('POST', '/v1/api-keys', { body, ...asked })
  return createdApiKeySchema.parse(answered.body)
}

function send(key: string, address?: string): Promise<TestResponse> {
  return call('POST', '/ingest/v1/events', { token: key, body: [{ a: 1 }], ...(address !== undefined && { address }) })
}

async function shown(id: string) {
  return apiKeySchema.parse((await call('GET', `/v1/api-keys/${id}`)).body)
}

async function lastEntry() {
  const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
  return entry
}

/** An instant, in days from now. */
function inDays(days: number): string {
  return new Date(server.io.nowMs + days * dayMs).toISOString()
}

describe('a new key', () => {
  test('is shown once, sends events and is audited', async () => {
    const { id, key } = await create()
    expect(key).toMatch(new RegExp(`^tk_${id}_`))
    expect((await send(key)).status).toBe(202)
    const usual = { status: 'active', api_profile: 'auto', allowed_cidrs: [], expires_at: inDays(365) }
    expect(await shown(id)).toMatchObject({ ...sender, ...usual })
    expect(apiKeyListSchema.parse((await call('GET', '/v1/api-keys')).body).api_keys).toEqual([await shown(id)])
    expect(await lastEntry()).toMatchObject({
      action: 'api_key.create', target: { type: 'api_key', id }, diff: { name: [null, 'Sender'], scope: [null, 'read-write'] },
    })
  })

  test('has no access to the console API', async () => {
    const { key } = await create()
    expect((await call('GET', '/v1/detection/rules', { token: key })).status).toBe(401)
  })

  test('with read scope cannot send events', async () => {
    const { key } = await create({ name: 'Reports', scope: 'read-only' })
    expect(await send(key)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
  })

  test.for<[title: string, body: object, code: string]>([
    ['no name', { scope: 'read-only' }, 'INVALID_BODY'],
    ['a blank name', { ...sender, name: ' ' }, 'INVALID_PARAMETER'],
    ['a long name', { ...sender, name: 'x'.repeat(101) }, 'INVALID_BODY'],
    ['no scope', { name: 'Sender' }, 'INVALID_BODY'],
    ['a scope that is none', { ...sender, scope: 'admin' }, 'INVALID_BODY'],
    ['an end that is past', { ...sender, expires_at: '2026-11-20T09:59:59Z' }, 'INVALID_PARAMETER'],
    ['an end in three years', { ...sender, expires_at: '2029-11-20T10:00:00Z' }, 'INVALID_PARAMETER'],
    ['no end', { ...sender, expires_at: null }, 'INVALID_PARAMETER'],
    ['an end without a zone', { ...sender, expires_at: '2027-01-01T00:00:00' }, 'INVALID_BODY'],
    ['no network', { ...sender, allowed_cidrs: ['192.0.2.1'] }, 'INVALID_PARAMETER'],
    ['a network of 33 bits', { ...sender, allowed_cidrs: ['192.0.2.0/33'] }, 'INVALID_PARAMETER'],
    ['101 networks', { ...sender, allowed_cidrs: Array(101).fill('192.0.2.0/24') }, 'INVALID_BODY'],
    ['an unknown field', { ...sender, tenant: 'other' }, 'INVALID_BODY'],
  ])('with %s is refused', async ([, body, code]) => {
    expect(await call('POST', '/v1/api-keys', { body })).toMatchObject({ status: 400, body: { error: { code } } })
    expect((await call('GET', '/v1/api-keys')).body).toEqual({ api_keys: [] })
  })

  test('can be without expiry if the tenant allows it', async () => {
    await call('PATCH', '/v1/settings', { body: { allow_endless_api_keys: true } })
    const { id, key } = await create({ ...sender, expires_at: null })
    expect((await shown(id)).expires_at).toBeNull()
    server.io.nowMs += 1_000 * dayMs
    expect((await send(key)).status).toBe(202)
  })
})

describe('a key is refused', () => {
  test.for<[networks: string[], address: string | undefined, status: number]>([
    [[], '203.0.113.9', 202],
    [[], undefined, 202],
    [['192.0.2.0/24'], '192.0.2.255', 202],
    [['192.0.2.0/24'], '192.0.3.0', 401],
    [['192.0.2.0/24'], '::ffff:192.0.2.1', 202],
    [['192.0.2.0/24'], undefined, 401],
    [['198.51.100.7/32', '2001:db8::/32'], '2001:db8::1', 202],
    [['198.51.100.7/32', '2001:db8::/32'], '198.51.100.7', 202],
    [['198.51.100.7/32', '2001:db8::/32'], '2001:db9::1', 401],
  ])('from %j an address of %s: %i', async ([allowed_cidrs, address, status]) => {
    const { key } = await create({ ...sender, allowed_cidrs })
    expect((await send(key, address)).status).toBe(status)
  })

  test('from outside its networks with the next request after a change', async () => {
    const { id, key } = await create()
    expect((await send(key, '192.0.2.1')).status).toBe(202)
    await call('PATCH', `/v1/api-keys/${id}`, { body: { allowed_cidrs: ['198.51.100.0/24'] } })
    expect((await send(key, '192.0.2.1')).status).toBe(401)
    expect((await send(key, '198.51.100.1')).status).toBe(202)
  })

  test('with a forged forwarding header', async () => {
    const { key } = await create({ ...sender, allowed_cidrs: ['192.0.2.0/24'] })
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-real-ip': '192.0.2.1', 'forwarded': 'for=192.0.2.1' }
    const sent = await call('POST', '/ingest/v1/events', { token: key, body: [{}], headers, address: '203.0.113.9' })
    expect(sent.status).toBe(401)
  })
})

describe('a key that expires soon', () => {
  test.for<[days: number, isSoon: boolean]>([[20, false], [15, false], [14, true], [1, true]])('in %i days: %s', async ([days, isSoon]) => {
    const { id, key } = await create({ ...sender, expires_at: inDays(days) })
    expect(await shown(id)).toMatchObject({ expires_soon: isSoon })
    expect((await send(key)).headers['x-api-key-expires']).toBe(isSoon ? inDays(days) : undefined)
    await call('DELETE', `/v1/api-keys/${id}`)
    expect(await shown(id)).toMatchObject({ expires_soon: false })
  })
})

describe('a change', () => {
  test('is audited, and changes nothing else', async () => {
    const { id } = await create()
    const before = await shown(id)
    const change = { name: 'Other', api_profile: 'a', expires_at: inDays(2) }
    const answered = await call('PATCH', `/v1/api-keys/${id}`, { body: change })
    expect(answered).toMatchObject({ status: 200, headers: { etag: '"2"' } })
    expect(answered.body).toEqual({ ...before, ...change, expires_soon: true })
    expect((await lastEntry())?.diff).toMatchObject({ name: ['Sender', 'Other'], api_profile: ['auto', 'a'] })
  })

  test.for<[title: string, body: object, status: number]>([
    ['nothing', {}, 400],
    ['another scope', { scope: 'read-only' }, 400],
    ['no end', { expires_at: null }, 400],
    ['no network', { allowed_cidrs: ['here'] }, 400],
  ])('of %s is refused', async ([, body, status]) => {
    const { id } = await create()
    expect((await call('PATCH', `/v1/api-keys/${id}`, { body })).status).toBe(status)
  })

  test('of another version is refused', async () => {
    const { id } = await create()
    const answered = await call('PATCH', `/v1/api-keys/${id}`, { body: { name: 'X' }, headers: { 'if-match': '"7"' } })
    expect(answered).toMatchObject({ status: 412, body: { error: { details: { version: 1 } } } })
  })
})

describe('an ended key', () => {
  test('is refused once revoked, permanently', async () => {
    const { id, key } = await create()
    expect((await send(key)).status).toBe(202)
    expect((await call('DELETE', `/v1/api-keys/${id}`)).status).toBe(204)
    expect(await send(key)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    expect(await shown(id)).toMatchObject({ status: 'revoked', revoked_at: inDays(0) })
    const { revoked_at } = await shown(id)
    server.io.nowMs += 60_000
    expect((await call('DELETE', `/v1/api-keys/${id}`)).status).toBe(204)
    expect((await shown(id)).revoked_at).toBe(revoked_at)
    expect((await call('PATCH', `/v1/api-keys/${id}`, { body: { name: 'X' } })).status).toBe(409)
    expect((await call('POST', `/v1/api-keys/${id}/rotate`, { body: {} })).status).toBe(409)
  })

  test('is refused once expired, to the millisecond', async () => {
    const { id, key } = await create({ ...sender, expires_at: inDays(1) })
    server.io.nowMs += dayMs - 1
    expect((await send(key)).status).toBe(202)
    server.io.nowMs += 1
    expect((await send(key)).status).toBe(401)
    const token = await server.tokenOf(['admin'])
    expect((await call('GET', `/v1/api-keys/${id}`, { token })).body).toMatchObject({ status: 'expired' })
    expect((await call('POST', `/v1/api-keys/${id}/rotate`, { body: {}, token })).status).toBe(409)
  })

  test('is refused in a disabled tenant', async () => {
    const { key } = await create(sender, { token: await server.tokenOf(['admin'], 'other') })
    expect((await server.app.state.apiKeys.list('other')).length).toBe(1)
    const off = { body: { is_active: false }, token: await server.tokenOf(['operator']) }
    expect((await call('PATCH', '/v1/tenants/other', off)).status).toBe(200)
    expect((await send(key)).status).toBe(401)
  })
})

describe('a rotated key', () => {
  test.for<[overlap: number | undefined, after: number, old: number]>([
    [undefined, 86_399, 202],
    [undefined, 86_400, 401],
    [0, 0, 401],
    [604_800, 604_799, 202],
    [604_800, 604_800, 401],
  ])('after %s seconds of both, %i seconds later the old one answers %i', async ([overlap_seconds, after, old]) => {
    const first = await create({ ...sender, allowed_cidrs: ['192.0.2.0/24'] })
    const answered = await call('POST', `/v1/api-keys/${first.id}/rotate`, { body: { overlap_seconds } })
    const second = createdApiKeySchema.parse(answered.body)
    expect(second).toMatchObject({ ...sender, allowed_cidrs: ['192.0.2.0/24'], expires_at: (await shown(second.id)).expires_at })
    expect(second.id).not.toBe(first.id)
    server.io.nowMs += after * 1_000
    expect((await send(first.key, '192.0.2.1')).status).toBe(old)
    expect((await send(second.key, '192.0.2.1')).status).toBe(202)
  })

  test('does not outlive the old one, and both are audited', async () => {
    const first = await create({ ...sender, expires_at: inDays(0.5) })
    const second = createdApiKeySchema.parse((await call('POST', `/v1/api-keys/${first.id}/rotate`, { body: {} })).body)
    expect([second.expires_at, (await shown(first.id)).expires_at]).toEqual([inDays(0.5), inDays(0.5)])
    const diff = { replaces: [null, first.id] }
    expect(await lastEntry()).toMatchObject({ action: 'api_key.rotate', target: { id: second.id }, diff })
  })

  test.for<[overlap: unknown]>([[-1], [604_801], [0.5], ['1']])('an overlap of %j is refused', async ([overlap_seconds]) => {
    const { id } = await create()
    expect((await call('POST', `/v1/api-keys/${id}/rotate`, { body: { overlap_seconds } })).status).toBe(400)
  })
})

test('a use is recorded with its address, once a minute', async () => {
  const { id, key } = await create()
  await send(key, '192.0.2.1')
  expect(await shown(id)).toMatchObject({ last_used_at: inDays(0), last_used_ip: '192.0.2.1' })
  server.io.nowMs += 59_999
  await send(key, '192.0.2.2')
  expect((await shown(id)).last_used_ip).toBe('192.0.2.1')
  server.io.nowMs += 1
  await send(key, '192.0.2.2')
  expect((await shown(id)).last_used_ip).toBe('192.0.2.2')
})
