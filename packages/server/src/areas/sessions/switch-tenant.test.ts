import { tokenSchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { noSignOn } from '@tripline/model/access/sign-on'
import { userWith } from '@tripline/state/test/state-samples'
import { beforeEach, describe, expect, test } from 'vitest'
import { openSession } from '../../access/login/session.ts'
import { limits } from '../../limits.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'

const email = 'both@example.org'
const password = 'correct horse battery'
const here = userWith({ id: 'here', email, roles: ['analyst'] })
const there = userWith({ id: 'there', email, roles: ['viewer'] })
let server: TestServer

beforeEach(async () => {
  server = await openTestServer([])
  const { state, identity } = server.app
  for (const tenant of [onlyTenant, 'acme', 'stranger', 'closed']) await server.tokenOf(['viewer'], tenant)
  await state.users.insert(onlyTenant, here)
  await state.users.insert('acme', there)
  await state.users.insert('closed', userWith({ id: 'closed', email }))
  await state.tenants.update('closed', { isActive: false }, { expectedVersion: undefined, at: 1 })
  await state.accounts.insert({ email, passwordHash: await identity.hasher.hash(password), totpSecret: undefined })
})

type Held = { readonly token: string; readonly cookie: string }

const read = (answered: TestResponse): Held => ({
  token: tokenSchema.parse(answered.body).access_token, cookie: /^tripline_refresh=[^;]+/.exec(answered.headers['set-cookie'] ?? '')?.[0] ?? '',
})
const logIn = async (): Promise<Held> =>
  read(await server.call('POST', '/v1/auth/login', { token: null, body: { email, password, tenant_id: onlyTenant } }))
const change = async ({ token, cookie }: Held, tenant: string): Promise<TestResponse> =>
  await server.call('POST', '/v1/auth/switch', { token, headers: { cookie }, body: { tenant_id: tenant } })
const getStatus = async (token: string): Promise<number> => (await server.call('GET', '/v1/auth/me', { token })).status
const refresh = async (cookie: string): Promise<TestResponse> =>
  await server.call('POST', '/v1/auth/refresh', { token: null, headers: { cookie } })

test('opens a session in the other tenant, and ends the one before', async () => {
  const before = await logIn()
  const answered = await change(before, 'acme')
  expect(answered).toMatchObject({ status: 200, body: { user: { id: 'there', tenant_id: 'acme', roles: ['viewer'] } } })
  const after = read(answered)
  expect([await getStatus(before.token), await getStatus(after.token)]).toEqual([401, 200])
  expect((await refresh(before.cookie)).status).toBe(401)
  expect(tokenSchema.parse((await refresh(after.cookie)).body).user).toMatchObject({ tenant_id: 'acme' })
})

test('lasts no longer in all than the login did, however often it is changed', async () => {
  const { sessionLifetimeMs, sessionIdleMs } = limits.auth
  let held = await logIn()
  const start = server.io.nowMs
  for (let tenants = ['acme', onlyTenant]; server.io.nowMs + sessionIdleMs / 2 < start + sessionLifetimeMs; tenants = tenants.toReversed()) {
    server.io.nowMs += sessionIdleMs / 2
    held = read(await refresh(held.cookie))
    held = read(await change(held, tenants[0]!))
  }
  server.io.nowMs = start + sessionLifetimeMs
  expect((await refresh(held.cookie)).status).toBe(401)
})

test('is on both audit trails, and tells neither tenant of the other', async () => {
  await change(await logIn(), 'acme')
  const newest = async (tenant: string) => (await server.app.state.audit.list(tenant, { limit: 1 })).entries[0]
  const [left, entered] = [await newest(onlyTenant), await newest('acme')]
  expect(left).toMatchObject({ action: 'session.end', actor: { id: 'here' }, diff: { method: 'switch' } })
  expect(entered).toMatchObject({ action: 'session.login', actor: { id: 'there' }, diff: { method: 'switch' } })
  expect(JSON.stringify(entered)).not.toContain(`"${onlyTenant}"`)
})

describe('is refused, and the session stays', () => {
  test.for<[title: string, tenant: string]>([
    ['a tenant without a user of the account', 'stranger'],
    ['a tenant that is disabled', 'closed'],
    ['a tenant that does not exist', 'nowhere'],
    ['the own tenant', onlyTenant],
  ])('for %s, all alike', async ([, tenant]) => {
    const held = await logIn()
    expect(await change(held, tenant)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND', message: 'there is no such tenant' } } })
    expect(await getStatus(held.token)).toBe(200)
  })

  test.for<[title: string, change: (held: Held) => Promise<Held>, needs: string]>([
    ['without the cookie', async ({ token }) => ({ token, cookie: '' }), 'login'],
    ['with the cookie of another session', async ({ token }) => ({ token, cookie: (await logIn()).cookie }), 'login'],
    ['with a cookie that was used', async ({ cookie }) => ({ token: read(await refresh(cookie)).token, cookie }), 'login'],
    ['for a session of an identity provider', async () => {
      const pair = await openSession(server.app.identity, onlyTenant, here, { claims: { sub: 'both' } })
      return { token: pair.accessToken, cookie: `tripline_refresh=${pair.refreshToken}` }
    }, 'login'],
    ['where the tenant wants its own sign-on', async (held) => {
      await server.app.state.signOn.put('acme', { ...noSignOn, isEnforced: true }, { expectedVersion: 0, at: 1 })
      return held
    }, 'sign_on'],
  ])('%s', async ([, prepare, needs]) => {
    const held = await prepare(await logIn())
    expect(await change(held, 'acme')).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN', details: { needs } } } })
    expect(await getStatus(held.token)).toBe(200)
  })
})
