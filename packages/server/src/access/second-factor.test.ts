import { secondFactorSchema, profileSchema, tokenSchema } from '@tripline/contract'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { describe, expect, test } from 'vitest'
import { openTestServer } from '../../test/open-test-server.ts'
import type { TestResponse, TestServer } from '../../test/open-test-server.ts'
import type { Route } from '../http/route.ts'
import { limits } from '../limits.ts'
import { parseBase32 } from './login/base32.ts'
import { computeTotpCode } from './login/totp.ts'
import type { SecondFactorPolicy } from './second-factor.ts'
import { openExternalIssuer } from './tokens/external-issuer.ts'
import { createIssuerKey, signClaims, toPublicKeySet } from './tokens/issuer-key.ts'

const password = 'correct horse battery'
const needed = { error: { code: 'FORBIDDEN', details: { needs: 'second_factor' } } }
const issuerName = 'https://login.example'
const key = await createIssuerKey()

/** Opens a server whose users of a role have the password. */
async function open(policy?: SecondFactorPolicy): Promise<TestServer> {
  const externalIssuer = openExternalIssuer({
    name: issuerName, audience: 'console', keys: JSON.stringify(toPublicKeySet(key)), tenantClaim: 'tenant_id', roles: { claim: 'roles' },
    tenants: 'every',
  }, { elapsedMs: () => 0 })
  return await openTestServer([], { events: memoryEvents(), externalIssuer, ...(policy && { secondFactorPolicy: policy }) })
}

function setMfa(server: TestServer, mfa: string, token?: string): Promise<TestResponse> {
  return server.call('PATCH', '/v1/settings', { body: { mfa }, ...(token !== undefined && { token }) })
}

function signToken({ io }: TestServer, claims: object = {}): string {
  const iat = Math.floor(io.nowMs / 1_000)
  const ann = { sub: 'ann', email: 'ann@example.org', name: 'Ann', roles: ['admin'] }
  return signClaims(key, { iss: issuerName, aud: 'console', tenant_id: onlyTenant, iat, exp: iat + 3_600, ...ann, ...claims })
}

/** A user with a password, and a token. */
async function addUser(server: TestServer, role: Role) {
  const token = await server.tokenOf([role])
  const { email } = profileSchema.parse((await server.call('GET', '/v1/auth/me', { token })).body)
  const { state, identity } = server.app
  await state.accounts.setPasswordHash(email, await identity.hasher.hash(password))
  return { token, email }
}

async function addFactor(server: TestServer, token: string): Promise<string> {
  const { secret } = secondFactorSchema.parse((await server.call('POST', '/v1/auth/totp', { token })).body)
  const code = computeTotpCode(parseBase32(secret)!, Math.floor(server.io.nowMs / 30_000))
  expect(await server.call('POST', '/v1/auth/totp/confirm', { token, body: { secret, code, password } })).toMatchObject({ status: 204 })
  return secret
}

async function readMe(server: TestServer, token: string) {
  return profileSchema.parse((await server.call('GET', '/v1/auth/me', { token })).body)
}

describe('a required second factor', () => {
  test('restricts open sessions with the next request, until a factor is added', async () => {
    const server = await open()
    const { token } = await addUser(server, 'analyst')
    const health = () => server.call('GET', '/v1/health', { token })
    expect((await health()).status).toBe(200)
    expect(await readMe(server, token)).toMatchObject({ has_second_factor: false, needs_second_factor: false })
    const admin = await addUser(server, 'admin')
    expect(await setMfa(server, 'required', admin.token)).toMatchObject({ status: 200, body: { mfa: 'required' } })
    expect(await health()).toMatchObject({ status: 403, body: needed })
    expect(await setMfa(server, 'off', admin.token)).toMatchObject({ status: 403, body: needed })
    expect(await readMe(server, token)).toMatchObject({ has_second_factor: false, needs_second_factor: true })
    await addFactor(server, token)
    expect((await health()).status).toBe(200)
    expect(await readMe(server, token)).toMatchObject({ has_second_factor: true, needs_second_factor: false })
  })

  test('that another process requires is noticed when sessions are checked again', async () => {
    const server = await open()
    const { token } = await addUser(server, 'viewer')
    const health = async () => (await server.call('GET', '/v1/health', { token })).status
    expect(await health()).toBe(200)
    const { tenants } = server.app.state
    await tenants.update(onlyTenant, { settings: { mfa: 'required' } }, { expectedVersion: undefined, at: 1 })
    expect(await health()).toBe(200)
    server.io.elapsedNowMs += limits.auth.standingMs
    expect(await health()).toBe(403)
  })

  test('leaves a user who logs in without one the own account', async () => {
    const server = await open()
    const { email } = await addUser(server, 'engineer')
    await setMfa(server, 'required')
    const logIn = (body: object = {}) => server.call('POST', '/v1/auth/login', { token: null, body: { email, password, ...body } })
    const { access_token: token, user } = tokenSchema.parse((await logIn()).body)
    expect(user).toMatchObject({ has_second_factor: false, needs_second_factor: true })
    const secret = await addFactor(server, token)
    server.io.nowMs += 30_000
    expect(await logIn()).toMatchObject({ status: 403, body: { error: { details: { needs: 'totp' } } } })
    const totp = computeTotpCode(parseBase32(secret)!, Math.floor(server.io.nowMs / 30_000))
    expect(tokenSchema.parse((await logIn({ totp })).body).user).toMatchObject({ has_second_factor: true, needs_second_factor: false })
  })

  test('that an admin resets must be added again, and is on the trail', async () => {
    const server = await open()
    const { token, email } = await addUser(server, 'analyst')
    await addFactor(server, token)
    const admin = await addUser(server, 'admin')
    await addFactor(server, admin.token)
    await setMfa(server, 'required', admin.token)
    const { id } = (await server.app.state.users.findByEmail(onlyTenant, email))!
    expect((await server.call('GET', '/v1/health', { token })).status).toBe(200)
    expect((await server.call('DELETE', `/v1/users/${id}/totp`, { token: admin.token })).status).toBe(204)
    expect(await server.call('GET', '/v1/health', { token })).toMatchObject({ status: 403, body: needed })
    await server.app.trail.flush()
    const entries = (await server.app.state.audit.list(onlyTenant, { limit: 10 })).entries
    expect(entries.map(({ action }) => action)).toEqual([
      'request.refuse', 'user.remove_second_factor', 'settings.update', 'user.add_second_factor', 'user.add_second_factor',
    ])
    expect(entries[0]).toMatchObject({ actor: { email }, diff: { reason: 'second_factor' } })
    expect(entries[2]?.diff).toEqual({ mfa: ['off', 'required'] })
  })

  test('closes push connections of users without one, and refuses new ones', async () => {
    const server = await open()
    const { token } = await addUser(server, 'analyst')
    const closings: number[] = []
    const socket = { send: () => undefined, bufferedBytes: () => 0, ping: () => undefined, close: ({ code }: { readonly code: number }) => void closings.push(code) }
    const { hub, access } = server.app.push
    hub.open(await access.authenticate(token), socket)
    await hub.checkSessions()
    expect(closings).toEqual([])
    await setMfa(server, 'required')
    await hub.checkSessions()
    hub.open(await access.authenticate(token), socket)
    expect(closings).toEqual([4401, 4403])
  })
})

describe('without a required factor only the own account is open', () => {
  test('on every route', async () => {
    const server = await open({ isRequiredForOperators: true, isProvenByIssuer: false })
    await setMfa(server, 'required')
    const token = await server.tokenOf(['admin', 'operator'])
    const guarded: readonly Route[] = server.routes.filter(({ access }) => access !== 'anyone')
    for (const { method, path, access } of guarded) {
      // A collector has a credential of its own, and no user.
      if (access === 'own_account' || access === 'collector') continue
      const body = method === 'GET' ? {} : { body: {} }
      const answered = await server.call(method, path.replaceAll(/:\w+/g, 'made-up'), { token, ...body })
      expect(answered, `${method} ${path}`).toMatchObject({ status: 403, body: needed })
    }
    expect((await server.call('GET', '/v1/auth/sessions', { token })).status).toBe(200)
  })
})

describe('who needs one', () => {
  const operatorsDo: SecondFactorPolicy = { isRequiredForOperators: true, isProvenByIssuer: false }
  const issuerProves: SecondFactorPolicy = { isRequiredForOperators: false, isProvenByIssuer: true }
  type Row = readonly [title: string, mfa: string, policy: SecondFactorPolicy | undefined, who: Role | { readonly amr?: unknown }, status: number]
  test.for<Row>([
    ['an admin of a tenant that does not require it', 'off', undefined, 'admin', 200],
    ['an operator, unless the server requires it', 'off', undefined, 'operator', 200],
    ['an operator where the server requires it', 'off', operatorsDo, 'operator', 403],
    ['an admin where the server requires it of operators', 'off', operatorsDo, 'admin', 200],
    ['an auditor where the tenant requires it', 'required', undefined, 'auditor', 403],
    ['a token of the issuer', 'required', undefined, {}, 403],
    ['a token of the issuer for a password', 'required', undefined, { amr: ['pwd'] }, 403],
    ['a token of the issuer for several factors', 'required', undefined, { amr: ['pwd', 'mfa'] }, 200],
    ['a token of the issuer with a text', 'required', undefined, { amr: 'mfa' }, 403],
    ['a token of the issuer that is trusted with it', 'required', issuerProves, {}, 200],
  ])('%s', async ([, mfa, policy, who, status]) => {
    const server = await open(policy)
    await setMfa(server, mfa)
    const token = typeof who === 'string' ? await server.tokenOf([who]) : signToken(server, who)
    const path = who === 'operator' ? '/v1/tenants' : '/v1/health'
    const answered = await server.call('GET', path, { token })
    expect(answered.status).toBe(status)
    if (status === 403) expect(answered.body).toMatchObject(needed)
    expect((await readMe(server, token)).needs_second_factor).toBe(status === 403)
  })

  test('is not changed by an admin whose own token could not prove it', async () => {
    const server = await open()
    const token = signToken(server)
    expect(await setMfa(server, 'required', token)).toMatchObject({ status: 409, body: { error: { details: { parameter: 'mfa' } } } })
    expect((await setMfa(server, 'off', token)).status).toBe(200)
    expect((await setMfa(server, 'required', signToken(server, { sub: 'bob', email: 'bob@example.org', amr: ['mfa'] }))).status).toBe(200)
  })
})
