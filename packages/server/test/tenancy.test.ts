import { encodedPowerShell } from '@tripline/detection/test/rules'
import { isAllowed, roles } from '@tripline/model/access/permission'
import type { Role } from '@tripline/model/access/permission'
import { onlyTenant } from '@tripline/model/tenant'
import { userWith } from '@tripline/state/test/state-samples'
import { memoryEvents } from '@tripline/storage/test/events/memory-events'
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { generateApiKey } from '../src/access/keys/api-key.ts'
import { openSession } from '../src/access/login/session.ts'
import { createSigningKey, openSigningKeys } from '../src/access/tokens/signing-keys.ts'
import type { Route } from '../src/http/route.ts'
import { AuthFixture, ed25519, printToken } from './auth-fixture.ts'
import { openTestServer, scrapeToken } from './open-test-server.ts'
import type { TestResponse } from './open-test-server.ts'

// Every route that there is, by its row: who comes with what they should not have is refused before anything is read. A
// new route is here by itself; what it answers to another tenant is asked in contract.test.ts, whose samples are real ids.

const server = await openTestServer([encodedPowerShell], { events: memoryEvents() })
const routes = server.routes
const guarded = routes.filter(({ access }) => access !== 'anyone')
/** The routes that users call; collectors call the others. */
const ofUsers = guarded.filter(({ access }) => access !== 'collector')

const { state, identity } = server.app
const { current } = identity.tokens.issuer().keys
const stranger = (await openSigningKeys([createSigningKey(new AuthFixture())])).current
const good = await server.tokenOf(['admin', 'operator'])
const [header, claims] = good.split('.').slice(0, 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
const signed = ed25519(current.privateKey)
const strange = ed25519(stranger.privateKey)
const publicKey = current.publicKey.export({ format: 'pem', type: 'spki' })
const shared = (text: string): Buffer => createHmac('sha256', publicKey).update(text).digest()

/** A good token but for some claims; undefined leaves one out. */
function withClaims(change: object): string {
  return printToken(header, { ...claims, ...change }, signed)
}

/** A good token of a user of a tenant, to whom something has happened since. */
async function tokenAfter(tenant: string, happen: (userId: string) => Promise<unknown>): Promise<string> {
  await server.tokenOf(['viewer'], tenant)
  const email = `${tenant}@example.org`
  await state.accounts.insert({ email, passwordHash: undefined, totpSecret: undefined })
  const user = userWith({ id: `user-of-${tenant}`, email, roles: ['admin', 'operator'] })
  await state.users.insert(tenant, user)
  const { accessToken } = await openSession(identity, tenant, user)
  await happen(user.id)
  return accessToken
}

const at = { expectedVersion: undefined, at: 1 }
const nowSeconds = server.io.nowMs / 1_000

/** Credentials that are refused, and why they might be accepted. */
const hostile: readonly (readonly [title: string, token: string | null])[] = [
  ['no token', null],
  ['rubbish', 'abc'],
  ['a token that has ended', withClaims({ iat: nowSeconds - 1_000, nbf: nowSeconds - 1_000, exp: nowSeconds - 100 })],
  ['a token that has not begun', withClaims({ nbf: nowSeconds + 100 })],
  ['a token from the future', withClaims({ iat: nowSeconds + 100, exp: nowSeconds + 900 })],
  ['a token that lives too long', withClaims({ exp: nowSeconds + 86_400 })],
  ['a token without an end', withClaims({ exp: undefined })],
  ['another audience', withClaims({ aud: 'integration' })],
  ['a list of audiences', withClaims({ aud: ['console'] })],
  ['another issuer', withClaims({ iss: 'https://elsewhere.example' })],
  ['no session', withClaims({ sid: undefined })],
  ['a session of nobody', withClaims({ sid: 'made-up' })],
  ['the session of somebody else', withClaims({ sub: 'made-up' })],
  ['another tenant in the claims', withClaims({ tenant_id: 'other' })],
  ['two tenants', withClaims({ tenant_id: [onlyTenant, 'other'] })],
  ['no tenant', withClaims({ tenant_id: undefined })],
  ['a role that is none', withClaims({ roles: ['root'] })],
  ['rights of before', withClaims({ perms_v: 0 })],
  ['another key under our name', printToken(header, claims, strange)],
  ['a key of their own', printToken({ ...header, kid: stranger.keyId, jwk: stranger.publicJwk }, claims, strange)],
  ['algorithm none', printToken({ ...header, alg: 'none' }, claims, () => '')],
  ['algorithm none, signed', printToken({ ...header, alg: 'none' }, claims, signed)],
  ['our public key as a shared secret', printToken({ ...header, alg: 'HS256' }, claims, shared)],
  ['another type of token', printToken({ ...header, typ: 'JWT' }, claims, signed)],
  ['claims of one and the signature of another', withClaims({ jti: 'x' }).replace(/[^.]*$/, good.split('.')[2]!)],
  ['a session that was ended', await tokenAfter('ended', (id) => state.sessions.revokeAll('ended', id, 1))],
  ['a user who was switched off', await tokenAfter('off', (id) => state.users.update('off', id, { isActive: false }, at))],
  ['a user who was removed', await tokenAfter('removed', (id) => state.users.remove('removed', id))],
  ['a user with other roles now', await tokenAfter('changed', (id) => state.users.update('changed', id, { roles: ['viewer'] }, at))],
  ['a tenant that was switched off', await tokenAfter('closed', () => state.tenants.update('closed', { isActive: false }, at))],
  ['an API key that is made up', `tk_0000000a_${'A'.repeat(49)}`],
]

function ask({ method, path }: Route, token: string | null): Promise<TestResponse> {
  return server.call(method, path.replaceAll(/:\w+/g, 'made-up'), { token, ...(method !== 'GET' && { body: {} }) })
}

/** Whether a route ends the session of its caller, so that other rows need another token. */
const endsSessions = ({ method, path }: Route): boolean => method === 'DELETE' && path === '/v1/auth/sessions'
const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const tokens = new Map(await Promise.all(roles.map(async (role) => [role, await server.tokenOf([role])] as const)))

test('the route table is not empty, and few routes are public', () => {
  expect(guarded.length).toBeGreaterThan(20)
  expect(routes.filter(({ access }) => access === 'anyone').map(nameOf).sort()).toEqual([
    'GET /', 'GET /.well-known/jwks.json', 'GET /healthz', 'GET /readyz', 'GET /v1/auth/oidc/callback', 'GET /v1/auth/oidc/start',
    'GET /v1/auth/saml/:tenant/metadata', 'GET /v1/auth/saml/finish', 'GET /v1/auth/sign-on', 'GET /v1/docs', 'GET /v1/limits', 'GET /v1/openapi.json',
    'GET /v1/schema/sigma-rule.json',
    'GET /v1/ws/monitoring', 'POST /v1/auth/link', 'POST /v1/auth/login', 'POST /v1/auth/logout', 'POST /v1/auth/refresh',
    'POST /v1/auth/saml/:tenant/acs', 'POST /v1/collectors/enrol',
  ])
})

describe('a valid token is accepted, so the following ones are refused for their own defect', () => {
  test.for(ofUsers.map((route) => [nameOf(route), route] as const))('%s', async ([, route]) => {
    const token = endsSessions(route) ? await server.tokenOf(['admin', 'operator']) : withClaims({})
    expect([401, 403]).not.toContain((await ask(route, token)).status)
  })
})

describe.for(hostile)('%s belongs to no one', ([, token]) => {
  test.for(guarded.map((route) => [nameOf(route), route] as const))('%s', async ([, route]) => {
    const answered = await ask(route, token)
    // The same words for whatever is wrong.
    const error = { code: 'UNAUTHORIZED', message: 'the token is missing, expired or not valid; authenticate again' }
    expect(answered).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' }, body: { error } })
  })
})

describe('a role grants exactly the routes of the permission matrix', () => {
  const rows = ofUsers.flatMap((route) => roles.map((role) => [nameOf(route), role, route] as const))
  test.for(rows)('%s for %s', async ([, role, route]) => {
    const answered = await ask(route, endsSessions(route) ? await server.tokenOf([role]) : tokens.get(role)!)
    if (mayCall(role, route)) return expect([401, 403]).not.toContain(answered.status)
    const error = { code: 'FORBIDDEN', details: { permission: expect.any(String) } }
    expect(answered).toMatchObject({ status: 403, body: { error } })
  })
})

/** What takes a user in where others come with secrets of their own. */
const actionOf = { sender: 'send_events', scraper: 'administer_platform' } as const

function mayCall(role: Role, { access }: Route): boolean {
  if (access === 'anyone' || access === 'collector' || access === 'provisioner') return access === 'anyone'
  return isAllowed([role], access === 'sender' || access === 'scraper' ? actionOf[access] : access)
}

test('the metrics token gives access to metrics only', async () => {
  for (const route of guarded) {
    const { status } = await ask(route, scrapeToken)
    if (route.access === 'scraper') expect(status, nameOf(route)).toBe(200)
    else expect(status, nameOf(route)).toBe(401)
  }
})

test('an API key with write scope gives access to ingest only', async () => {
  const order = { name: 'Sender', scope: 'read_write', createdBy: 'tests', expiresAt: undefined } as const
  const { text } = await generateApiKey({ apiKeys: state.apiKeys, io: server.io }, onlyTenant, order)
  for (const route of guarded) {
    const { status } = await ask(route, text)
    if (route.access === 'sender') expect(status, nameOf(route)).not.toBe(401)
    else expect(status, nameOf(route)).toBe(401)
  }
})
