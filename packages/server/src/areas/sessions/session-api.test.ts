import { jwksSchema, sessionListSchema, tokenSchema } from '@tripline/contract'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'

const password = 'correct horse battery'
let server: TestServer

let email = ''

beforeEach(async () => {
  server = await openTestServer([])
  const { state, identity } = server.app
  await server.tokenOf(['analyst'])
  const user = (await state.users.list(onlyTenant)).find(({ roles }) => roles.includes('analyst'))
  await state.accounts.setPasswordHash(user!.email, await identity.hasher.hash(password))
  email = user!.email
})

function cookieOf({ headers }: TestResponse): string {
  return /^tripline_refresh=[^;]+/.exec(headers['set-cookie'] ?? '')?.[0] ?? ''
}

async function logIn(): Promise<{ token: string; cookie: string }> {
  const answered = await server.call('POST', '/v1/auth/login', { token: null, body: { email, password } })
  return { token: tokenSchema.parse(answered.body).access_token, cookie: cookieOf(answered) }
}

describe('own sessions', () => {
  const list = async (token: string) => sessionListSchema.parse((await server.call('GET', '/v1/auth/sessions', { token })).body).sessions
  const isLetIn = async (token: string) => (await server.call('GET', '/v1/auth/me', { token })).status === 200

  test('are listed, newest first, and ended one by one', async () => {
    // Later than the session that the user has already: ids sort by time.
    server.io.nowMs += 1
    const first = await logIn()
    server.io.nowMs += 1
    const second = await logIn()
    const sessions = await list(second.token)
    expect(sessions.slice(0, 2).map(({ is_current }) => is_current)).toEqual([true, false])
    expect(await server.call('DELETE', `/v1/auth/sessions/${sessions[1]!.id}`, { token: second.token })).toMatchObject({ status: 204 })
    expect([await isLetIn(first.token), await isLetIn(second.token)]).toEqual([false, true])
    expect(await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie: first.cookie } })).toMatchObject({ status: 401 })
    expect((await list(second.token)).map(({ id }) => id)).not.toContain(sessions[1]!.id)
    const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
    expect(entry).toMatchObject({ action: 'session.end', target: { type: 'session', id: sessions[1]!.id }, actor: { email } })
  })

  test('state from where they were last used, and not the user agent', async () => {
    const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'
    const from = (userAgent: string) => ({ 'user-agent': userAgent })
    const answered = await server.call('POST', '/v1/auth/login', { token: null, headers: from(windows), body: { email, password } })
    const { access_token: token } = tokenSchema.parse(answered.body)
    expect((await list(token)).find(({ is_current: isCurrent }) => isCurrent)).toMatchObject({ browser: 'Firefox', system: 'Windows' })
    const headers = { ...from('curl/8.10.1'), cookie: cookieOf(answered) }
    await server.call('POST', '/v1/auth/refresh', { token: null, headers })
    const used = (await server.call('GET', '/v1/auth/sessions', { token })).body
    expect(sessionListSchema.parse(used).sessions.find(({ is_current: isCurrent }) => isCurrent)).toMatchObject({ browser: 'curl', system: null })
    const { state } = server.app
    const { id } = (await state.users.findByEmail(onlyTenant, email))!
    expect(JSON.stringify(await state.sessions.list(onlyTenant, id))).not.toContain('Mozilla')
  })

  test('are ended together', async () => {
    const [first, second] = [await logIn(), await logIn()]
    expect(await server.call('DELETE', '/v1/auth/sessions', { token: first.token })).toMatchObject({ status: 204 })
    expect([await isLetIn(first.token), await isLetIn(second.token)]).toEqual([false, false])
  })

  test('of another user are not found', async () => {
    const { token } = await logIn()
    const other = await server.tokenOf(['viewer'])
    const [{ id } = { id: '' }] = await list(other)
    expect(await server.call('DELETE', `/v1/auth/sessions/${id}`, { token })).toMatchObject({ status: 404 })
    expect(await isLetIn(other)).toBe(true)
  })
})

describe('login', () => {
  test('returns a token and a cookie that scripts cannot read', async () => {
    const answered = await server.call('POST', '/v1/auth/login', { token: null, body: { email: ` ${email.toUpperCase()}`, password } })
    expect(answered.status).toBe(200)
    const { user, expires_in, access_token, session_ends_at } = tokenSchema.parse(answered.body)
    expect(Date.parse(session_ends_at)).toBe(server.io.nowMs + limits.auth.sessionIdleMs)
    expect(expires_in).toBe(900)
    expect(answered.headers['set-cookie']).toMatch(/^tripline_refresh=[\w.-]+; Path=\/v1\/auth; Expires=.* GMT; HttpOnly; SameSite=Strict$/)
    expect((await server.call('GET', '/v1/auth/me', { token: access_token })).body).toMatchObject(user)
    expect(user).toMatchObject({ tenant_id: onlyTenant, email, roles: ['analyst'] })
  })

  test('is audited', async () => {
    await server.call('POST', '/v1/auth/login', { token: null, body: { email, password }, headers: { 'user-agent': 'tests', 'x-request-id': 'request-1' } })
    const [entry] = (await server.app.state.audit.list(onlyTenant, { limit: 1 })).entries
    expect(entry).toMatchObject({ action: 'session.login', actor: { type: 'user', email }, userAgent: 'tests', requestId: 'request-1' })
  })

  test.for<[title: string, body: unknown, status: number, code: string]>([
    ['a wrong password', { email: 'EMAIL', password: 'wrong' }, 401, 'UNAUTHORIZED'],
    ['nobody', { email: 'nobody@example.org', password }, 401, 'UNAUTHORIZED'],
    ['another tenant', { email: 'EMAIL', password, tenant_id: 'other' }, 401, 'UNAUTHORIZED'],
    ['no password', { email: 'EMAIL' }, 400, 'INVALID_BODY'],
    ['an unknown field', { email: 'EMAIL', password, admin: true }, 400, 'INVALID_BODY'],
    ['a password of a megabyte', { email: 'EMAIL', password: 'x'.repeat(1_000_000) }, 400, 'INVALID_BODY'],
    ['no JSON', 'email=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ])('%s is refused', async ([, body, status, code]) => {
    const sent = typeof body === 'string' ? body : { ...(body as object), ...('email' in (body as object) && (body as { email: string }).email === 'EMAIL' && { email }) }
    const answered = await server.call('POST', '/v1/auth/login', { token: null, body: sent })
    expect(answered).toMatchObject({ status, body: { error: { code } } })
    expect(answered.headers['set-cookie']).toBeUndefined()
  })

  test('allows ten attempts a minute, then 429 with rate headers', async () => {
    const attempt = () => server.call('POST', '/v1/auth/login', { token: null, body: { email, password: 'wrong' } })
    for (let left = 9; left >= 0; left--) {
      expect(await attempt()).toMatchObject({ status: 401, headers: { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': String(left) } })
    }
    const refused = await attempt()
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } })
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' })
  })
})

describe('refresh', () => {
  test('a cookie is valid once; reuse revokes its session', async () => {
    const { token, cookie } = await logIn()
    const second = await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })
    expect(tokenSchema.parse(second.body).user.email).toBe(email)
    expect(await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })).toMatchObject({ status: 401 })
    expect(await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie: cookieOf(second) } })).toMatchObject({ status: 401 })
    expect((await server.call('GET', '/v1/auth/me', { token })).status).toBe(401)
  })

  test.for<[title: string, cookie: string]>([
    ['an empty one', 'tripline_refresh='],
    ['a made-up one', 'tripline_refresh=rt_AAAA.BBBB'],
  ])('%s is refused', async ([, cookie]) => {
    expect((await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })).status).toBe(401)
  })

  test.for<[title: string, headers: { readonly [name: string]: string }]>([
    ['no cookies', {}],
    ['another cookie', { cookie: 'theme=dark' }],
  ])('%s is no error', async ([, headers]) => {
    expect(await server.call('POST', '/v1/auth/refresh', { token: null, headers })).toMatchObject({ status: 204, body: undefined })
  })
})

test('logout revokes the session at once and deletes the cookie', async () => {
  const { token, cookie } = await logIn()
  const answered = await server.call('POST', '/v1/auth/logout', { token: null, headers: { cookie } })
  expect([answered.status, answered.headers['set-cookie']]).toEqual([204, 'tripline_refresh=; Max-Age=0; Path=/v1/auth'])
  expect((await server.call('GET', '/v1/auth/me', { token })).status).toBe(401)
  expect((await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })).status).toBe(401)
})

test('the public keys verify, and contain no private part', async () => {
  const { body } = await server.call('GET', '/.well-known/jwks.json', { token: null })
  expect(jwksSchema.parse(body).keys).toHaveLength(1)
})

describe('authentication', () => {
  let shared: TestServer
  beforeAll(async () => {
    shared = await openTestServer([])
  })

  test.for<[title: string, authorization: string | undefined, status: number]>([
    ['nobody', undefined, 401],
    ['no scheme', 'abc', 401],
    ['another scheme', 'Basic YTpi', 401],
    ['no token', 'Bearer', 401],
    ['an empty token', 'Bearer ', 401],
    ['two tokens', 'Bearer a b', 401],
    ['rubbish', 'Bearer abc.def.ghi', 401],
    ['an API key', 'Bearer tk_0000000a_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA000000', 401],
  ])('%s: %s', async ([, authorization, status]) => {
    const answered = await shared.call('GET', '/v1/detection/rules', { token: null, headers: authorization === undefined ? {} : { authorization } })
    expect(answered).toMatchObject({ status, body: { error: { code: 'UNAUTHORIZED' } }, headers: { 'www-authenticate': 'Bearer' } })
  })

  test.for<[roles: Role[], method: string, path: string, status: number]>([
    [['viewer'], 'GET', '/v1/detection/rules', 200],
    [['auditor'], 'GET', '/v1/detection/rules', 200],
    [['operator'], 'GET', '/v1/detection/rules', 403],
    [['viewer'], 'POST', '/ingest/v1/events', 403],
    [['analyst'], 'POST', '/ingest/v1/events', 403],
    [['engineer'], 'POST', '/ingest/v1/events', 202],
    [['auditor'], 'POST', '/v1/detection/rules/new/test', 403],
  ])('%s: %s %s is %i', async ([roles, method, path, status]) => {
    const token = await shared.tokenOf(roles)
    const answered = await shared.call(method, path, { token, ...(method === 'POST' && { body: [{ a: 1 }] }) })
    expect(answered.status).toBe(status)
    if (status === 403) expect(answered.body).toMatchObject({ error: { code: 'FORBIDDEN', details: { permission: expect.any(String) } } })
  })

  test('allows a user 600 requests a minute, then 429; another user is unaffected', async () => {
    const token = await shared.tokenOf(['viewer'])
    const ask = (token: string) => shared.call('GET', '/v1/auth/me', { token })
    const first = await ask(token)
    expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599' })
    for (let i = 1; i < 600; i++) await ask(token)
    expect((await ask(token)).status).toBe(429)
    expect((await ask(await shared.tokenOf(['viewer']))).status).toBe(200)
  })
})
