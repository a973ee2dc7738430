import { signOnSchema, tokenSchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { userWith } from '@tripline/state/test/state-samples'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { openFalseProvider } from '../../../test/sign-on/open-false-provider.ts'
import type { Falsehood } from '../../../test/sign-on/open-false-provider.ts'
import { clientId, clientSecret, openOidcProvider } from '../../../test/sign-on/open-oidc-provider.ts'
import { limits } from '../../limits.ts'

const publicUrl = 'http://console.example'
const redirectUri = `${publicUrl}/v1/auth/oidc/callback`
const password = 'correct horse battery'

let provider: Awaited<ReturnType<typeof openOidcProvider>>
let liar: Awaited<ReturnType<typeof openFalseProvider>>
let server: TestServer

beforeAll(async () => {
  provider = await openOidcProvider(redirectUri, {
    ann: { name: 'Ann Lee', email: 'ann@acme.example', email_verified: true, groups: ['soc', 'all'] },
    cook: { name: 'Cook', email: 'cook@acme.example', groups: ['kitchen'] },
  })
  liar = await openFalseProvider()
})
afterAll(async () => {
  await provider.close()
  await liar.close()
})

beforeEach(async () => {
  liar.lie({}, '')
  server = await openTestServer([], { publicUrl })
  const role_mapping = [{ claim: 'groups', op: 'contains', value: 'soc', role: 'analyst' }]
  await server.call('PATCH', '/v1/settings', { body: { role_mapping } })
})

const settings = (change: object = {}): object => ({
  enabled: true, enforced: false, issuer: provider.issuer, client_id: clientId, client_secret: clientSecret, email_domains: ['ACME.example'],
  break_glass_user_id: null, ...change,
})
const put = (change: object = {}, token?: string) =>
  server.call('PUT', '/v1/settings/sso', { body: settings(change), ...(token !== undefined && { token }) })
const read = async () => signOnSchema.parse((await server.call('GET', '/v1/settings/sso')).body)

const cookieOf = ({ headers }: TestResponse, name: string): string => new RegExp(`${name}=[^;]*`).exec(headers['set-cookie'] ?? '')?.[0] ?? ''

/** Begins a login; the address of the provider and the cookie. */
async function start(query = ''): Promise<{ readonly answered: TestResponse; readonly url: string; readonly cookie: string }> {
  const answered = await server.call('GET', `/v1/auth/oidc/start${query}`, { token: null, address: '192.0.2.1' })
  return { answered, url: answered.headers['location'] ?? '', cookie: cookieOf(answered, 'tripline_sign_on') }
}

const callBack = (url: string, cookie: string) =>
  server.call('GET', `/v1/auth/oidc/callback${new URL(url).search}`, { token: null, address: '192.0.2.1', headers: { cookie } })

async function logIn(user: string, query = ''): Promise<TestResponse> {
  const { url, cookie } = await start(query)
  return await callBack(await provider.logIn(url, user), cookie)
}

/** Comes back from the provider that lies, with an answer to the login that began. */
async function comeBackFromLiar(falsehood: Falsehood, query: { readonly [name: string]: string } = {}): Promise<TestResponse> {
  liar.lie({}, '')
  const { url, cookie } = await start()
  const { state = '', nonce = '' } = Object.fromEntries(new URL(url).searchParams)
  liar.lie(falsehood, nonce)
  return await callBack(`${redirectUri}?${new URLSearchParams({ code: 'c1', state, iss: liar.issuer, ...query }).toString()}`, cookie)
}

/** The entries of the trail about logins and tests, newest first. */
async function listLogins(): Promise<readonly object[]> {
  await server.app.trail.flush()
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 50 })
  return entries.filter(({ action }) => /^(?:session\.login|sign_on\.test)$/.test(action)).map(({ action, outcome, diff }) => ({ action, outcome, ...diff }))
}

/** An admin with an own password. */
async function addAdmin(): Promise<{ readonly id: string; readonly email: string; readonly logIn: () => Promise<TestResponse> }> {
  const [id, email] = ['glass', 'glass@acme.example']
  await server.app.state.accounts.insert({ email, passwordHash: await server.app.identity.hasher.hash(password), totpSecret: undefined })
  await server.app.state.users.insert(onlyTenant, userWith({ id, email, roles: ['admin'] }))
  return { id, email, logIn: () => server.call('POST', '/v1/auth/login', { token: null, body: { email, password } }) }
}

async function tryLogin(user: string): Promise<TestResponse> {
  const begun = await server.call('POST', '/v1/settings/sso/test')
  const { url } = begun.body as { readonly url: string }
  return await callBack(await provider.logIn(url, user), cookieOf(begun, 'tripline_sign_on'))
}

describe('a login', () => {
  test('adds the user with the mapped role, opens a session and is recorded', async () => {
    await put()
    const answered = await logIn('ann')
    expect(answered).toMatchObject({ status: 303, headers: { location: '/' } })
    const refreshed = await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie: cookieOf(answered, 'tripline_refresh') } })
    const { access_token: token, user } = tokenSchema.parse(refreshed.body)
    expect(user).toMatchObject({ email: 'ann@acme.example', name: 'Ann Lee', roles: ['analyst'] })
    expect(await server.call('GET', '/v1/alerts', { token })).toMatchObject({ status: 200 })
    expect(await listLogins()).toEqual([
      { action: 'session.login', outcome: 'success', method: 'oidc', issuer: provider.issuer, roles: ['analyst'] },
    ])
  })

  test('sends PKCE, state and nonce, and keeps them where no script reads them', async () => {
    await put()
    const { url, answered } = await start()
    const { searchParams } = new URL(url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code', client_id: clientId, redirect_uri: redirectUri, code_challenge_method: 'S256', scope: 'openid profile email',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/)
    expect(answered.headers['set-cookie']).toMatch(/^tripline_sign_on=[^;]+; Max-Age=600; Path=\/v1\/auth; HttpOnly; SameSite=Lax$/)
    expect(answered.headers['set-cookie']).not.toContain(searchParams.get('state') ?? 'no state')
  })

  test('finds the tenant by the domain of an address, and by its id', async () => {
    await put()
    await server.tokenOf(['admin'], 'other')
    for (const organization of ['ann@acme.example', 'Ann@ACME.EXAMPLE', onlyTenant]) {
      expect((await start(`?organization=${encodeURIComponent(organization)}`)).url).toMatch(provider.issuer)
    }
    // Nothing differs between a tenant without sign-on and one that does not exist.
    const refused = await Promise.all(['other', 'nowhere', 'ann@nowhere.example', 'ann@', ''].map(async (organization) =>
      (await start(organization === '' ? '' : `?organization=${encodeURIComponent(organization)}`)).answered))
    for (const { status, headers, body } of refused) {
      expect([status, headers['location'], headers['set-cookie'], body]).toEqual([303, '/#sign-on=not_available', undefined, undefined])
    }
  })

  test('is offered where it is enabled', async () => {
    const offer = async () => (await server.call('GET', '/v1/auth/sign-on', { token: null })).body
    expect(await offer()).toEqual({ is_available: false, asks_organization: false })
    await put()
    expect(await offer()).toEqual({ is_available: true, asks_organization: false })
    await server.tokenOf(['admin'], 'other')
    expect(await offer()).toEqual({ is_available: true, asks_organization: true })
  })

  test('is not offered by a server of several tenants of which none has it', async () => {
    await server.tokenOf(['admin'], 'other')
    const { body } = await server.call('GET', '/v1/auth/sign-on', { token: null })
    expect(body).toEqual({ is_available: false, asks_organization: true })
  })

  test('of a user without a role is refused', async () => {
    await put()
    expect((await logIn('cook')).headers['location']).toBe('/#sign-on=no_role')
    expect(await listLogins()).toMatchObject([{ outcome: 'failed', reason: 'no_role', method: 'oidc' }])
    expect((await server.app.state.users.list(onlyTenant)).map(({ email }) => email)).not.toContain('cook@acme.example')
  })

  test('of a disabled user is refused', async () => {
    await put()
    await logIn('ann')
    const ann = await server.app.state.users.findByEmail(onlyTenant, 'ann@acme.example')
    await server.call('PATCH', `/v1/users/${ann!.id}`, { body: { is_active: false } })
    expect((await logIn('ann')).headers['location']).toBe('/#sign-on=user_disabled')
  })

  test('never becomes a user with a password who has the same address', async () => {
    await put()
    const { accounts, users } = server.app.state
    await accounts.insert({ email: 'ann@acme.example', passwordHash: 'hash', totpSecret: undefined })
    await users.insert(onlyTenant, userWith({ id: 'local', email: 'ann@acme.example', roles: ['admin'] }))
    expect((await logIn('ann')).headers['location']).toBe('/')
    expect(await users.get(onlyTenant, 'local')).toEqual(userWith({ id: 'local', email: 'ann@acme.example', roles: ['admin'] }))
    expect((await users.list(onlyTenant)).find(({ externalIssuer }) => externalIssuer === provider.issuer)).toMatchObject({ email: 'ann', roles: ['analyst'] })
  })

  test('needs a second factor that the provider states, where the tenant requires one', async () => {
    await put({ issuer: liar.issuer })
    await server.call('PATCH', '/v1/settings', { body: { mfa: 'required' } })
    for (const [amr, needs_second_factor] of [[['pwd'], true], [['pwd', 'mfa'], false]] as const) {
      const answered = await comeBackFromLiar({ claims: { amr } })
      const { body } = await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie: cookieOf(answered, 'tripline_refresh') } })
      const { access_token: token, user } = tokenSchema.parse(body)
      expect(user).toMatchObject({ needs_second_factor, has_second_factor: !needs_second_factor })
      expect((await server.call('GET', '/v1/alerts', { token })).status).toBe(needs_second_factor ? 403 : 200)
    }
  })
})

describe('refused, and recorded in the trail of the tenant', () => {
  test('a login that comes back twice', async () => {
    await put()
    const { url, cookie } = await start()
    const back = await provider.logIn(url, 'ann')
    expect((await callBack(back, cookie)).headers['location']).toBe('/')
    expect((await callBack(back, cookie)).headers['location']).toBe('/#sign-on=not_started')
    expect(await listLogins()).toMatchObject([{ outcome: 'failed', reason: 'not_started' }, { outcome: 'success' }])
  })

  test('a code that was used in another login', async () => {
    await put()
    const first = await start()
    const code = new URL(await provider.logIn(first.url, 'ann')).searchParams.get('code')!
    const own = new URL(await provider.logIn(first.url, 'ann'))
    const second = await start()
    const back = new URL(redirectUri)
    back.search = new URLSearchParams({ code, state: new URL(second.url).searchParams.get('state')!, iss: provider.issuer }).toString()
    expect((await callBack(back.href, second.cookie)).headers['location']).toBe('/#sign-on=provider_refused')
    expect((await callBack(own.href, first.cookie)).headers['location']).toBe('/')
  })

  test('a login of another browser', async () => {
    await put()
    const [mine, theirs] = [await start(), await start()]
    const back = await provider.logIn(theirs.url, 'ann')
    for (const cookie of [mine.cookie, '', theirs.cookie.slice(0, -8), 'tripline_sign_on=s1.AAAA']) {
      expect((await callBack(back, cookie)).headers['location']).toBe('/#sign-on=not_started')
    }
    expect((await callBack(back, theirs.cookie)).headers['location']).toBe('/')
  })

  test('a login after ten minutes', async () => {
    await put()
    const { url, cookie } = await start()
    const back = await provider.logIn(url, 'ann')
    server.io.nowMs += limits.signOn.attemptMs
    expect((await callBack(back, cookie)).headers['location']).toBe('/#sign-on=expired')
  })

  const past = Math.floor(Date.now() / 1_000) - 3_600
  test.for<[title: string, falsehood: Falsehood, query: { readonly [name: string]: string }, problem: string]>([
    ['a wrong nonce', { claims: { nonce: 'of another login' } }, {}, 'untrusted'],
    ['no nonce', { claims: { nonce: undefined } }, {}, 'untrusted'],
    ['the issuer of another provider in the response', {}, { iss: 'https://login.example' }, 'untrusted'],
    ['the issuer of another provider in the token', { claims: { iss: 'https://login.example' } }, {}, 'untrusted'],
    ['a token for another client', { claims: { aud: 'another' } }, {}, 'untrusted'],
    ['a token for several clients, issued to another', { claims: { aud: [clientId, 'another'], azp: 'another' } }, {}, 'untrusted'],
    ['an expired token', { claims: { iat: past, exp: past + 60 } }, {}, 'untrusted'],
    ['a token that is valid later', { claims: { nbf: past + 7_200 } }, {}, 'untrusted'],
    ['a token signed by another key', { isSignedByAnother: true }, {}, 'untrusted'],
    ['a token without a signature', { isUnsigned: true }, {}, 'untrusted'],
    ['a configuration of another issuer', { metadata: { issuer: 'https://login.example' } }, {}, 'untrusted'],
    ['a code that the provider does not know', { tokenStatus: 400 }, {}, 'provider_refused'],
    ['keys that are nowhere', { metadata: { jwks_uri: undefined } }, {}, 'provider_unusable'],
    ['keys at an address inside', { metadata: { jwks_uri: 'http://10.0.0.1/jwks' } }, {}, 'provider_unreachable'],
  ])('%s', async ([, falsehood, query, problem]) => {
    await put({ issuer: liar.issuer })
    expect((await comeBackFromLiar(falsehood, query)).headers['location']).toBe(`/#sign-on=${problem}`)
    expect(await listLogins()).toMatchObject([{ outcome: 'failed', reason: problem, method: 'oidc' }])
    expect((await server.app.state.users.list(onlyTenant)).filter(({ externalIssuer }) => externalIssuer !== undefined)).toEqual([])
  })

  test('clocks that differ by less than the tolerance', async () => {
    await put({ issuer: liar.issuer })
    const seconds = Math.floor(Date.now() / 1_000)
    expect((await comeBackFromLiar({ claims: { iat: seconds - 60, exp: seconds - 5 } })).headers['location']).toBe('/')
  })

  test.for([['access_denied', 'cancelled'], ['server_error', 'provider_refused']])('the error %s of the provider', async ([error, problem]) => {
    await put({ issuer: liar.issuer })
    const { url, cookie } = await start()
    const query = new URLSearchParams({ error: error!, state: new URL(url).searchParams.get('state')!, iss: liar.issuer })
    const before = liar.tokenRequests.length
    expect((await callBack(`${redirectUri}?${query.toString()}`, cookie)).headers['location']).toBe(`/#sign-on=${problem}`)
    expect(liar.tokenRequests.length).toBe(before)
  })

  test('a provider that cannot be reached, or must not be', async () => {
    for (const issuer of ['http://127.0.0.1:9', 'https://10.0.0.1', 'http://login.example']) {
      await put({ issuer })
      expect((await start()).answered.headers['location']).toBe('/#sign-on=provider_unreachable')
    }
  })

  test('a login of a provider that was replaced meanwhile', async () => {
    await put()
    const { url, cookie } = await start()
    const back = await provider.logIn(url, 'ann')
    await put({ issuer: liar.issuer })
    expect((await callBack(back, cookie)).headers['location']).toBe('/#sign-on=not_started')
  })

  test('logins from one address beyond the limit', async () => {
    for (let count = 0; count < limits.rate.signOnsPerAddressMax; count++) {
      expect((await start('?organization=nowhere')).answered.headers['location']).toBe('/#sign-on=not_available')
    }
    expect((await start('?organization=nowhere')).answered.headers['location']).toBe('/#sign-on=limited')
    expect((await callBack(`${redirectUri}?code=c`, '')).headers['location']).toBe('/#sign-on=limited')
    server.io.elapsedNowMs += limits.rate.windowMs
    expect((await start('?organization=nowhere')).answered.headers['location']).toBe('/#sign-on=not_available')
  })
})

describe('the settings', () => {
  test('never show the secret, and keep it where none is sent', async () => {
    const stored = await put()
    expect(JSON.stringify(stored.body)).not.toContain(clientSecret)
    expect(stored.body).toMatchObject({ has_client_secret: true, redirect_uri: redirectUri, email_domains: ['acme.example'] })
    expect(await put({ client_secret: undefined, email_domains: [] })).toMatchObject({ status: 200, body: { has_client_secret: true } })
    expect((await logIn('ann')).headers['location']).toBe('/')
    const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 50 })
    expect(JSON.stringify(entries)).not.toContain(clientSecret)
    expect(entries.filter(({ action }) => action === 'sign_on.update')).toHaveLength(2)
  })

  test.for<[title: string, change: object, status: number, parameter: string]>([
    ['a secret for another issuer', { issuer: 'https://login.example', client_secret: undefined }, 400, 'client_secret'],
    ['an issuer that is no URL', { issuer: 'login.example' }, 400, 'issuer'],
    ['a domain that is none', { email_domains: ['acme example'] }, 400, 'email_domains'],
    ['scopes without openid', { scopes: ['email'] }, 400, 'scopes'],
    ['no client', { client_id: '' }, 409, 'issuer'],
    ['enforced and not enabled', { enabled: false, enforced: true }, 409, 'enabled'],
    ['enforced without a test', { enforced: true }, 409, 'enforced'],
  ])('refuse %s', async ([, change, status, parameter]) => {
    await put()
    const before = await read()
    expect(await put(change)).toMatchObject({ status, body: { error: { details: { parameter } } } })
    expect(await read()).toEqual(before)
  })

  test('refuse the domain of another tenant, and an old version', async () => {
    await put()
    const other = await server.tokenOf(['admin'], 'other')
    expect(await put({}, other)).toMatchObject({ status: 409, body: { error: { details: { parameter: 'email_domains' } } } })
    const etag = (await server.call('GET', '/v1/settings/sso')).headers['etag']!
    await put({ email_domains: [] })
    expect(await server.call('PUT', '/v1/settings/sso', { body: settings(), headers: { 'if-match': etag } })).toMatchObject({ status: 412 })
    expect(await put({}, other)).toMatchObject({ status: 200 })
  })

  test('are for admins of the tenant alone', async () => {
    for (const role of ['viewer', 'analyst', 'engineer', 'auditor'] as const) {
      expect((await put({}, await server.tokenOf([role]))).status).toBe(403)
    }
  })

  test('without a public URL cannot be enabled', async () => {
    server = await openTestServer([])
    expect(await put()).toMatchObject({ status: 409, body: { error: { details: { parameter: 'enabled' } } } })
    expect(await put({ enabled: false })).toMatchObject({ status: 200, body: { redirect_uri: null } })
    expect(await server.call('POST', '/v1/settings/sso/test')).toMatchObject({ status: 409 })
  })
})

describe('a test login', () => {
  test('shows what a login would do, and does nothing', async () => {
    await put({ enabled: false })
    const before = await server.app.state.users.list(onlyTenant)
    const answered = await tryLogin('ann')
    expect(answered).toMatchObject({ status: 303, headers: { location: '/settings/sign-on' } })
    expect(answered.headers['set-cookie']).not.toContain('tripline_refresh')
    expect((await read()).last_test).toMatchObject({
      succeeded: true, problem: null, email: 'ann@acme.example', name: 'Ann Lee', roles: ['analyst'], claims: { sub: 'ann', groups: ['soc', 'all'] },
    })
    expect(await server.app.state.users.list(onlyTenant)).toEqual(before)
    expect(await listLogins()).toMatchObject([{ action: 'sign_on.test', outcome: 'success', roles: ['analyst'] }])
  })

  test('that fails is shown in words, and one of another client counts no more', async () => {
    await put()
    await tryLogin('cook')
    expect((await read()).last_test).toMatchObject({ succeeded: false, problem: 'no entry of the role mapping fits the user', email: 'cook@acme.example', roles: [] })
    expect(await listLogins()).toMatchObject([{ action: 'sign_on.test', outcome: 'failed', reason: 'no_role' }])
    await put({ client_id: 'another' })
    expect((await read()).last_test).toBeNull()
  })

  test('counts until another secret is stored', async () => {
    await put()
    await tryLogin('ann')
    await put({ email_domains: [] })
    expect((await read()).last_test).toMatchObject({ succeeded: true })
    await put({ client_secret: 'another secret' })
    expect((await read()).last_test).toBeNull()
  })

  test('that cannot begin is refused with the reason', async () => {
    await put({ issuer: 'http://127.0.0.1:9' })
    expect(await server.call('POST', '/v1/settings/sso/test')).toMatchObject({
      status: 409, body: { error: { message: expect.stringContaining('could not be reached'), details: { problem: 'provider_unreachable' } } },
    })
  })
})

describe('enforced', () => {
  test('ends sessions by password, and leaves one admin theirs', async () => {
    const glass = await addAdmin()
    await put()
    await tryLogin('ann')
    const analyst = await server.tokenOf(['analyst'])
    const { access_token: own } = tokenSchema.parse((await glass.logIn()).body)
    expect(await put({ enforced: true, client_secret: undefined })).toMatchObject({ status: 409, body: { error: { details: { parameter: 'break_glass_user_id' } } } })
    expect(await put({ enforced: true, client_secret: undefined, break_glass_user_id: glass.id })).toMatchObject({ status: 200 })
    expect((await server.call('GET', '/v1/alerts', { token: analyst })).status).toBe(401)
    expect((await server.call('GET', '/v1/alerts', { token: own })).status).toBe(200)
    expect((await glass.logIn()).status).toBe(200)
    expect((await logIn('ann')).headers['location']).toBe('/')
  })

  test('refuses other passwords, and keeps the admin for emergencies an admin', async () => {
    const glass = await addAdmin()
    const { accounts, users } = server.app.state
    await accounts.insert({ email: 'bob@acme.example', passwordHash: await server.app.identity.hasher.hash(password), totpSecret: undefined })
    await users.insert(onlyTenant, userWith({ id: 'bob', email: 'bob@acme.example', roles: ['admin'] }))
    await put()
    await tryLogin('ann')
    await put({ enforced: true, client_secret: undefined, break_glass_user_id: glass.id })
    const bob = (secret: string) => server.call('POST', '/v1/auth/login', { token: null, body: { email: 'bob@acme.example', password: secret } })
    expect(await bob(password)).toMatchObject({ status: 403, body: { error: { details: { needs: 'sign_on' } } } })
    // Only a right password shows it.
    expect(await bob('wrong')).toMatchObject({ status: 401 })
    const { access_token: token } = tokenSchema.parse((await glass.logIn()).body)
    for (const [method, body] of [['PATCH', { roles: ['viewer'] }], ['PATCH', { is_active: false }], ['DELETE', undefined]] as const) {
      expect((await server.call(method, `/v1/users/${glass.id}`, { token, ...(body && { body }) })).status).toBe(409)
    }
    expect((await server.call('PUT', '/v1/settings/sso', { token, body: settings({ enforced: false }) })).status).toBe(200)
    expect((await bob(password)).status).toBe(200)
  })
})

test('a policy of sessions is shorter from the next refresh on', async () => {
  const glass = await addAdmin()
  await server.call('PATCH', '/v1/settings', { body: { session_idle_minutes: 30, session_lifetime_hours: 1 } })
  const first = await glass.logIn()
  expect(Date.parse(tokenSchema.parse(first.body).session_ends_at)).toBe(server.io.nowMs + 30 * 60_000)
  const refresh = (answered: TestResponse) =>
    server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie: cookieOf(answered, 'tripline_refresh') } })
  server.io.nowMs += 29 * 60_000
  const second = await refresh(first)
  server.io.nowMs += 29 * 60_000
  const third = await refresh(second)
  expect(third.status).toBe(200)
  server.io.nowMs += 3 * 60_000
  expect((await refresh(third)).status).toBe(401)
  const idle = await glass.logIn()
  server.io.nowMs += 30 * 60_000
  expect((await refresh(idle)).status).toBe(401)
})
