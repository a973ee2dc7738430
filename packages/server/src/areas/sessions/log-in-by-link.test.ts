import { tokenSchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { Call, TestResponse, TestServer } from '../../../test/open-test-server.ts'

const path = '/v1/auth/link'
const local = '127.0.0.1'

let server: TestServer
let user: { readonly id: string; readonly email: string }
let token: string

beforeEach(async () => {
  server = await openTestServer([])
  await server.tokenOf(['analyst'])
  const [, analyst] = await server.app.state.users.list(onlyTenant)
  user = analyst!
  token = server.app.identity.loginLink.create({ tenant: onlyTenant, userId: user.id })
})

function open(call: Omit<Call, 'token'> & { readonly link?: string } = {}): Promise<TestResponse> {
  const { link = token, ...rest } = call
  return server.call('POST', path, { token: null, address: local, body: { token: link }, ...rest })
}

test.for(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])('logs in once, from %s', async (address) => {
  const answered = await open({ address })
  expect(answered.headers['set-cookie']).toMatch(/^tripline_refresh=[\w.-]+; Path=\/v1\/auth; .*HttpOnly; SameSite=Strict$/)
  const { access_token: access, user: loggedIn } = tokenSchema.parse(answered.body)
  expect(loggedIn).toMatchObject({ id: user.id, email: user.email, roles: ['analyst'] })
  expect(await server.call('GET', '/v1/auth/me', { token: access })).toMatchObject({ status: 200 })
  expect(await open({ address })).toMatchObject({ status: 401 })
})

test('logs in once when two requests come together', async () => {
  const answers = await Promise.all([open(), open()])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401])
})

test('is valid for ten minutes', async () => {
  server.io.nowMs += limits.auth.linkMs - 1
  expect(await open()).toMatchObject({ status: 200 })
})

describe('refused as a wrong password is', () => {
  test.for<[title: string, call: Parameters<typeof open>[0], prepare?: () => unknown]>([
    ['a wrong token', { link: 'A'.repeat(43) }],
    ['an expired link', {}, () => (server.io.nowMs += limits.auth.linkMs)],
    ['a link that another replaced', {}, () => server.app.identity.loginLink.create({ tenant: onlyTenant, userId: user.id })],
    ['another machine', { address: '192.0.2.1' }],
    ['a connection without an address', { address: '' }],
    ['a proxy on this machine', { headers: { 'x-forwarded-for': '127.0.0.1' } }],
    ['a proxy that follows RFC 7239', { headers: { forwarded: 'for=127.0.0.1' } }],
    ['a user who was removed', {}, () => server.app.state.users.remove(onlyTenant, user.id)],
    ['an account with a second factor', {}, () => server.app.state.accounts.setTotpSecret(user.email, 'sealed')],
  ])('%s', async ([, call, prepare]) => {
    await prepare?.()
    const refused = await open(call)
    const wrong = await server.call('POST', '/v1/auth/login', { token: null, address: local, body: { email: user.email, password: 'wrong' } })
    const withoutId = ({ status, body }: TestResponse) =>
      ({ status, error: { ...(body as { readonly error: object }).error, request_id: undefined } })
    expect(withoutId(refused)).toEqual(withoutId(wrong))
    expect(refused.headers['set-cookie']).toBeUndefined()
  })
})

test('a refusal of another machine or a wrong token leaves the link valid', async () => {
  await open({ address: '192.0.2.1' })
  await open({ link: 'wrong' })
  expect(await open()).toMatchObject({ status: 200 })
})

test('is limited like logins: ten attempts a minute', async () => {
  for (let i = 0; i < limits.rate.loginsPerAccountMax; i++) expect(await open({ link: 'wrong' })).toMatchObject({ status: 401 })
  expect(await open()).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } }, headers: { 'x-ratelimit-remaining': '0' } })
})

test('is recorded, with its refusals, and without the token', async () => {
  await open({ link: 'wrong' })
  await open()
  await server.app.trail.flush()
  const { entries } = await server.app.state.audit.list(onlyTenant, { limit: 10 })
  const logins = entries.filter(({ action }) => action === 'session.login')
  expect(logins).toMatchObject([
    { outcome: 'failed', actor: { type: 'anonymous' }, ip: local, diff: { reason: 'wrong_link', method: 'link' } },
    { outcome: 'success', actor: { id: user.id }, ip: local, diff: { method: 'link' } },
  ])
  expect(JSON.stringify(entries)).not.toContain(token)
})
