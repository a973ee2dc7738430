import { secondFactorSchema, tokenSchema } from '@tripline/contract'
import { onlyTenant } from '@tripline/model/tenant'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestServer } from '../../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../../test/open-test-server.ts'
import { parseBase32 } from '../../access/login/base32.ts'
import { computeTotpCode } from '../../access/login/totp.ts'

const password = 'correct horse battery'
const next = 'another horse battery'
let server: TestServer
let email: string
let token: string

beforeEach(async () => {
  server = await openTestServer([])
  const { state, identity } = server.app
  await server.tokenOf(['operator'])
  email = (await state.users.list(onlyTenant)).find(({ roles }) => roles.includes('operator'))!.email
  await state.accounts.setPasswordHash(email, await identity.hasher.hash(password))
  token = tokenSchema.parse((await logIn({})).body).access_token
})

function logIn(body: object): Promise<TestResponse> {
  return server.call('POST', '/v1/auth/login', { token: null, body: { email, password, ...body } })
}

function post(path: string, body?: unknown): Promise<TestResponse> {
  return server.call('POST', `/v1/auth/${path}`, { token, body })
}

/** The code of the moment, and `steps` half minutes later. */
function codeOf(secret: string, steps = 0): string {
  server.io.nowMs += steps * 30_000
  return computeTotpCode(parseBase32(secret)!, Math.floor(server.io.nowMs / 30_000))
}

async function offered(): Promise<string> {
  return secondFactorSchema.parse((await post('totp')).body).secret
}

async function actions(): Promise<string[]> {
  return (await server.app.state.audit.list(onlyTenant, { limit: 10 })).entries.map(({ action }) => action)
}

describe('a password', () => {
  test('is changed, and all sessions are revoked', async () => {
    expect((await post('password', { current_password: password, new_password: next })).status).toBe(204)
    expect((await server.call('GET', '/v1/auth/me', { token })).status).toBe(401)
    expect((await logIn({})).status).toBe(401)
    expect((await logIn({ password: next })).status).toBe(200)
    expect(await actions()).toContain('user.change_password')
  })

  test('of a user of two tenants revokes the sessions of both', async () => {
    const user = (await server.app.state.users.findByEmail(onlyTenant, email))!
    await server.tokenOf(['viewer'], 'other')
    await server.app.state.users.insert('other', user)
    const other = tokenSchema.parse((await logIn({ tenant_id: 'other' })).body).access_token
    expect((await server.call('GET', '/v1/auth/me', { token: other })).status).toBe(200)
    await post('password', { current_password: password, new_password: next })
    expect((await server.call('GET', '/v1/auth/me', { token: other })).status).toBe(401)
  })

  test.for<[title: string, body: object, status: number, code: string]>([
    ['a wrong one', { current_password: 'wrong', new_password: next }, 401, 'UNAUTHORIZED'],
    ['the same', { current_password: password, new_password: password }, 400, 'INVALID_PARAMETER'],
    ['a short one', { current_password: password, new_password: 'short' }, 400, 'INVALID_PARAMETER'],
    ['none', { current_password: password }, 400, 'INVALID_BODY'],
  ])('%s is refused', async ([, body, status, code]) => {
    expect(await post('password', body)).toMatchObject({ status, body: { error: { code } } })
    expect((await logIn({})).status).toBe(200)
  })

  test('cannot be guessed with a token: ten attempts a minute', async () => {
    const statuses = []
    for (let i = 0; i < 10; i++) statuses.push((await post('password', { current_password: 'wrong', new_password: next })).status)
    // The login of the test was the first.
    expect(statuses).toEqual([...Array<number>(9).fill(401), 429])
  })
})

describe('a second factor', () => {
  test('is required from its confirmation to its removal, each code once', async () => {
    const secret = await offered()
    expect((await logIn({})).status).toBe(200)
    const code = codeOf(secret)
    expect((await post('totp/confirm', { secret, code, password })).status).toBe(204)
    const { totpSecret = '' } = (await server.app.state.accounts.find(email)) ?? {}
    expect([totpSecret.slice(0, 3), totpSecret.includes(Buffer.from(parseBase32(secret)!).toString('base64url'))]).toEqual(['s1.', false])
    expect(await logIn({})).toMatchObject({ status: 403, body: { error: { details: { needs: 'totp' } } } })
    expect((await logIn({ totp: code })).status).toBe(401)
    const second = codeOf(secret, 1)
    expect((await logIn({ totp: second })).status).toBe(200)
    expect((await post('totp/remove', { code: second, password })).status).toBe(401)
    expect((await post('totp/remove', { code: codeOf(secret, 1), password })).status).toBe(204)
    expect((await logIn({})).status).toBe(200)
    expect(await actions()).toEqual(expect.arrayContaining(['user.add_second_factor', 'user.remove_second_factor']))
  })

  test('is shown in the format of authenticator apps', async () => {
    const { secret, uri } = secondFactorSchema.parse((await post('totp')).body)
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(uri).toBe(`otpauth://totp/Tripline:${encodeURIComponent(email)}?secret=${secret}&issuer=Tripline`)
  })

  test.for<[title: string, change: (code: string) => object, status: number, code: string]>([
    ['a wrong password', () => ({ password: 'wrong' }), 401, 'UNAUTHORIZED'],
    ['a wrong code', (code) => ({ code: String((Number(code) + 1) % 1_000_000).padStart(6, '0') }), 401, 'UNAUTHORIZED'],
    ['another secret', () => ({ secret: 'A'.repeat(32) }), 401, 'UNAUTHORIZED'],
    ['a short secret', () => ({ secret: 'A'.repeat(16) }), 400, 'INVALID_PARAMETER'],
    ['no secret', () => ({ secret: '!' }), 400, 'INVALID_PARAMETER'],
  ])('is not confirmed with %s', async ([, change, status, code]) => {
    const secret = await offered()
    const good = { secret, code: codeOf(secret), password }
    expect(await post('totp/confirm', { ...good, ...change(good.code) })).toMatchObject({ status, body: { error: { code } } })
    expect((await logIn({})).status).toBe(200)
  })

  test('cannot replace another, nor be removed if absent', async () => {
    expect((await post('totp/remove', { code: '000000', password })).status).toBe(409)
    const secret = await offered()
    await post('totp/confirm', { secret, code: codeOf(secret), password })
    const other = 'B'.repeat(32)
    expect((await post('totp/confirm', { secret: other, code: codeOf(other, 1), password })).status).toBe(409)
  })

  test('that was lost is removed by an operator who administers the tenant', async () => {
    const secret = await offered()
    await post('totp/confirm', { secret, code: codeOf(secret), password })
    const { id } = (await server.app.state.users.findByEmail(onlyTenant, email))!
    const admin = await server.tokenOf(['admin', 'operator'])
    expect((await server.call('DELETE', `/v1/users/${id}/totp`, { token: admin })).status).toBe(204)
    expect((await logIn({})).status).toBe(200)
  })
})
