import { generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { AuthFixture, ann as user, ed25519, openIssuer, printToken } from '../../test/auth-fixture.ts'
import { MemoryAccounts, MemoryExternalUsers, MemorySessions, MemoryTenants, MemoryUsers } from '../../test/in-memory-auth-stores.ts'
import { authenticate, isStillValid } from './authenticate.ts'
import type { Authentication } from './authenticate.ts'
import { issueAccessToken } from './tokens/access-token.ts'
import { openExternalIssuer } from './tokens/external-issuer.ts'
import { TokenCache } from './tokens/token-cache.ts'
import { unauthorized } from './tokens/token-principal.ts'

let world: AuthFixture
let tenants: MemoryTenants
let users: MemoryUsers
let sessions: MemorySessions
let authentication: Authentication
let token: string

beforeEach(async () => {
  world = new AuthFixture()
  tenants = new MemoryTenants()
  users = new MemoryUsers()
  sessions = new MemorySessions()
  users.put('acme', user)
  await sessions.insert('acme', {
    id: 's-1', userId: 'u-1', generation: 1, createdAt: world.nowMs, refreshedAt: world.nowMs, revokedAt: undefined,
  })
  const issuer = await openIssuer(world)
  const cache = new TokenCache({ tokensMax: 10, tokenLengthMax: 2_048 })
  authentication = {
    tokens: { issuer: () => issuer, cache }, state: { accounts: new MemoryAccounts(), tenants, users, sessions },
    externalIssuer: undefined, externalUsers: new MemoryExternalUsers(users), io: world,
  }
  const holder = { tenant: 'acme', subject: 'u-1', roles: user.roles, session: { id: 's-1', permissionsVersion: 1 } }
  token = await issueAccessToken(issuer, holder, world)
})

test('authenticates a token, the second time from the cache', async () => {
  const first = await authenticate(authentication, token)
  expect(first).toMatchObject({ tenant: 'acme', subject: 'u-1', roles: ['analyst'] })
  expect(await authenticate(authentication, token)).toBe(first)
})

const changes: readonly (readonly [title: string, change: () => unknown])[] = [
  ['whose session was revoked', () => sessions.revoke('acme', 's-1', world.nowMs)],
  ['whose user was switched off', () => users.put('acme', { ...user, isActive: false })],
  ['whose user has other rights now', () => users.put('acme', { ...user, permissionsVersion: 2 })],
]

test.for(changes)('refuses a token %s within five seconds, from memory too', async ([, change]) => {
  await authenticate(authentication, token)
  await change()
  world.pass(5_000)
  await expect(authenticate(authentication, token)).rejects.toThrow(unauthorized())
  expect(authentication.tokens.cache.size).toBe(0)
})

test.for(changes)('refuses a token %s at once where it was not seen before', async ([, change]) => {
  await change()
  await expect(authenticate(authentication, token)).rejects.toThrow(unauthorized())
})

test.for(changes)('refuses a token %s at once when the cache is informed', async ([, change]) => {
  await authenticate(authentication, token)
  await change()
  authentication.tokens.cache.revoke('acme', { subject: 'u-1' })
  await expect(authenticate(authentication, token)).rejects.toThrow(unauthorized())
})

test('refuses an expired token even if it is cached', async () => {
  await authenticate(authentication, token)
  world.pass(930_000)
  await expect(authenticate(authentication, token)).rejects.toThrow(unauthorized())
})

test.for<[title: string, tenant: string, sessionId: string]>([
  ['of a session of another tenant', 'other', 's-1'],
  ['of a session that never was', 'acme', 's-2'],
])('refuses a token %s', async ([, tenant, sessionId]) => {
  users.put(tenant, user)
  const holder = { tenant, subject: 'u-1', roles: user.roles, session: { id: sessionId, permissionsVersion: 1 } }
  const foreign = await issueAccessToken(authentication.tokens.issuer(), holder, world)
  await expect(authenticate(authentication, foreign)).rejects.toThrow(unauthorized())
})

test('refuses a token whose session belongs to another user', async () => {
  users.put('acme', { ...user, id: 'u-2' })
  const holder = { tenant: 'acme', subject: 'u-2', roles: user.roles, session: { id: 's-1', permissionsVersion: 1 } }
  const borrowed = await issueAccessToken(authentication.tokens.issuer(), holder, world)
  await expect(authenticate(authentication, borrowed)).rejects.toThrow(unauthorized())
})

describe('a connection that stays open', () => {
  test('is valid until its token expires', async () => {
    const identity = await authenticate(authentication, token)
    world.pass(929_999)
    expect(await isStillValid(authentication, identity)).toBe(true)
    world.pass(1)
    expect(await isStillValid(authentication, identity)).toBe(false)
  })

  test.for(changes)('of a token %s stands no more', async ([, change]) => {
    const identity = await authenticate(authentication, token)
    await change()
    expect(await isStillValid(authentication, identity)).toBe(false)
  })
})

test('a disabled tenant is refused within three seconds, or at once if the cache is invalidated', async () => {
  await authenticate(authentication, token)
  tenants.inactive.add('acme')
  authentication.tokens.cache.revoke('other', 'everybody')
  expect(await authenticate(authentication, token)).toMatchObject({ subject: 'u-1' })
  authentication.tokens.cache.revoke('acme', 'everybody')
  await expect(authenticate(authentication, token)).rejects.toThrow(unauthorized())
})

describe('a token of a trusted issuer', () => {
  const keys = generateKeyPairSync('ed25519')
  const name = 'https://login.example'
  const print = (key: KeyObject, claims: object = {}): string => printToken({ alg: 'EdDSA', kid: 'k' }, {
    iss: name, aud: 'console', sub: 'bob', tenant_id: 'acme', roles: ['viewer'],
    iat: world.nowMs / 1_000, exp: world.nowMs / 1_000 + 600, ...claims,
  }, ed25519(key))
  let trusting: Authentication

  beforeEach(() => {
    const jwks = JSON.stringify({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k' }] })
    const externalIssuer = openExternalIssuer(
      { name, audience: 'console', keys: jwks, tenantClaim: 'tenant_id', roles: { claim: 'roles' }, tenants: 'every' }, world)
    trusting = { ...authentication, externalIssuer }
  })

  test('is accepted besides ours until it expires', async () => {
    const foreign = print(keys.privateKey)
    expect(await authenticate(trusting, foreign)).toMatchObject({ subject: 'bob', session: undefined })
    expect(await authenticate(trusting, token)).toMatchObject({ subject: 'u-1' })
    world.pass(630_000)
    await expect(authenticate(trusting, foreign)).rejects.toThrow(unauthorized())
  })

  test('is accepted while its tenant is active', async () => {
    const foreign = print(keys.privateKey)
    await authenticate(trusting, foreign)
    tenants.inactive.add('acme')
    world.pass(3_000)
    await expect(authenticate(trusting, foreign)).rejects.toThrow(unauthorized())
  })

  const analysts = { claim: 'groups', op: 'contains', value: 'SOC-L2', role: 'analyst' }
  test.for<[roleMapping: readonly object[], claims: object, roles: readonly string[] | undefined]>([
    [[], { groups: ['SOC-L2'] }, ['viewer']],
    [[analysts], { groups: ['SOC-L2'] }, ['analyst']],
    [[{ ...analysts, value: 'SOC', role: 'engineer' }, analysts], { groups: ['SOC-L2', 'SOC'] }, ['engineer']],
    [[analysts], { groups: ['SOC-L1'] }, undefined],
    [[analysts], { roles: ['admin'] }, undefined],
  ])('has the role that the mapping %j of its tenant gives to %j', async ([roleMapping, claims, roles]) => {
    const foreign = print(keys.privateKey, claims)
    expect(await authenticate(trusting, print(keys.privateKey))).toMatchObject({ roles: ['viewer'] })
    tenants.settings = { roleMapping }
    if (roles === undefined) await expect(authenticate(trusting, foreign)).rejects.toThrow(unauthorized())
    else expect(await authenticate(trusting, foreign)).toMatchObject({ roles })
  })

  test('gets the roles of a changed mapping within five seconds', async () => {
    const foreign = print(keys.privateKey, { groups: ['SOC-L2'] })
    expect(await authenticate(trusting, foreign)).toMatchObject({ roles: ['viewer'] })
    tenants.settings = { roleMapping: [analysts] }
    world.pass(5_000)
    expect(await authenticate(trusting, foreign)).toMatchObject({ roles: ['analyst'] })
    tenants.settings = { roleMapping: [{ ...analysts, value: 'others' }] }
    world.pass(5_000)
    await expect(authenticate(trusting, foreign)).rejects.toThrow(unauthorized())
  })

  test.for<[title: string, foreign: () => string]>([
    ['that we signed ourselves', () => print(authentication.tokens.issuer().keys.current.privateKey)],
    ['that says it is ours', () => print(keys.privateKey, { iss: authentication.tokens.issuer().name })],
    ['of an issuer that nobody trusts', () => print(keys.privateKey, { iss: 'https://evil.example' })],
  ])('%s is refused', async ([, foreign]) => {
    await expect(authenticate(trusting, foreign())).rejects.toThrow(unauthorized())
  })

  test('is refused without a trusted issuer', async () => {
    await expect(authenticate(authentication, print(keys.privateKey))).rejects.toThrow(unauthorized())
  })
})
