import type { Account } from '@tripline/model/access/account'
import { noSignOn } from '@tripline/model/access/sign-on'
import { openSecretBox } from '@tripline/model/access/secret-box'
import { beforeEach, describe, expect, test } from 'vitest'
import { AuthFixture, ann, openIssuer } from '../../../test/auth-fixture.ts'
import { MemoryAccounts, MemoryExternalUsers, MemorySessions, MemorySignOns, MemoryTenants, MemoryUsers } from '../../../test/in-memory-auth-stores.ts'
import { authenticate } from '../authenticate.ts'
import type { Authentication } from '../authenticate.ts'
import { login, createLoginLimiter } from './login.ts'
import type { Credentials, LoginDeps } from './login.ts'
import { unauthorized } from '../tokens/token-principal.ts'
import { PasswordHasher } from './password.ts'
import { RateLimitedError, buildRateHeaders } from '../rate-limiter.ts'
import { closeSession, logout, refreshSession } from './session.ts'
import type { TokenPair } from './session.ts'
import { TokenCache } from '../tokens/token-cache.ts'
import { sealTotpSecret } from './totp-secret.ts'
import { computeTotpCode } from './totp.ts'

const password = 'correct horse battery'
const cheap = { costLog2: 4, blockSize: 8, passes: 1 }
const minuteMs = 60_000
const hourMs = 60 * minuteMs

let world: AuthFixture
let accounts: MemoryAccounts
let users: MemoryUsers
let tenants: MemoryTenants
let signOns: MemorySignOns
let deps: LoginDeps
const secrets = openSecretBox(Buffer.alloc(32, 2), (count) => Buffer.alloc(count, 3))

beforeEach(async () => {
  world = new AuthFixture()
  accounts = new MemoryAccounts()
  users = new MemoryUsers()
  tenants = new MemoryTenants()
  signOns = new MemorySignOns()
  const issuer = await openIssuer(world)
  deps = {
    tokens: { issuer: () => issuer, refreshSecret: Buffer.alloc(32, 1), cache: new TokenCache() },
    state: { accounts, tenants, users, sessions: new MemorySessions(), signOn: signOns },
    secrets, io: world,
    hasher: new PasswordHasher(world, cheap), limiter: createLoginLimiter(),
  }
  users.put('acme', ann)
  await putAccount({})
})

async function putAccount(change: Partial<Account>): Promise<void> {
  accounts.accounts.set(ann.email, {
    email: ann.email, passwordHash: await deps.hasher.hash(password), hasOneTimePassword: false,
    totpSecret: undefined, totpStepUsed: 0,
    memberships: [{ tenant: 'acme', userId: 'u-1' }], ...change,
  })
}

const attempt = (change: Partial<Credentials> = {}): Promise<TokenPair> =>
  login(deps, { email: ann.email, password, totp: undefined, tenant: undefined, address: '192.0.2.1', ...change })

const authenticationOf = (deps: LoginDeps): Authentication => ({
  ...deps, externalIssuer: undefined, externalUsers: new MemoryExternalUsers(users),
})

const isLoggedIn = ({ accessToken }: TokenPair): Promise<boolean> =>
  authenticate(authenticationOf(deps), accessToken).then(() => true, () => false)

describe('a login', () => {
  test('returns a token of the user', async () => {
    const pair = await attempt()
    expect(pair).toMatchObject({ expiresInSeconds: 900, tenant: 'acme', user: ann, refreshUntil: world.nowMs + 12 * hourMs })
    expect(await authenticate(authenticationOf(deps), pair.accessToken))
      .toMatchObject({ tenant: 'acme', subject: 'u-1', roles: ['analyst'] })
  })

  test('accepts the email address in any case', async () => {
    expect(await attempt({ email: '  Ann@ACME.example ' })).toMatchObject({ user: ann })
  })

  test.for<[title: string, change: Partial<Credentials>]>([
    ['another password', { password: 'correct horse staple' }],
    ['no password', { password: '' }],
    ['an unknown address', { email: 'bob@acme.example' }],
    ['an overlong address', { email: 'a'.repeat(100_000) }],
    ['a tenant that it is no user of', { tenant: 'other' }],
    ['the tenant named in another case', { tenant: 'Acme' }],
  ])('is refused with %s, in the same words', async ([, change]) => {
    await expect(attempt(change)).rejects.toThrow(/^email, password or code is wrong$/)
  })

  test.for<[title: string, change: () => unknown]>([
    ['of a user that is switched off', () => users.put('acme', { ...ann, isActive: false })],
    ['of an account without a password', () => putAccount({ passwordHash: undefined })],
    ['of an account without a tenant', () => putAccount({ memberships: [] })],
  ])('%s is refused in the same words', async ([, change]) => {
    await change()
    await expect(attempt()).rejects.toThrow(/^email, password or code is wrong$/)
  })

  test('of an account of several tenants requires choosing one', async () => {
    users.put('other', { ...ann, id: 'u-9', roles: ['viewer'] })
    await putAccount({ memberships: [{ tenant: 'acme', userId: 'u-1' }, { tenant: 'other', userId: 'u-9' }] })
    await expect(attempt()).rejects.toMatchObject({ code: 'INVALID_PARAMETER', details: { tenants: ['acme', 'other'] } })
    expect(await attempt({ tenant: 'other' })).toMatchObject({ tenant: 'other', user: { id: 'u-9' } })
  })

  test('reveals neither tenants nor codes without the password', async () => {
    await putAccount({ totpSecret: sealTotpSecret(secrets, ann.email, Buffer.alloc(20)), memberships: [{ tenant: 'a', userId: '1' }, { tenant: 'b', userId: '2' }] })
    await expect(attempt({ password: 'x' })).rejects.toThrow(/^email, password or code is wrong$/)
  })

  test('upgrades an outdated password hash, even of a short password', async () => {
    const older = await new PasswordHasher(world, { ...cheap, passes: 2 }).rehash('short')
    await putAccount({ passwordHash: older })
    await attempt({ password: 'short' })
    expect(accounts.accounts.get(ann.email)?.passwordHash).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/)
    expect(await attempt({ password: 'short' })).toMatchObject({ user: ann })
  })
})

test.for<[title: string, change: () => unknown, isAllowed: boolean]>([
  ['a user', () => {}, false],
  ['the account for emergencies', () => signOns.settings.set('acme', { ...noSignOn, isEnforced: true, breakGlassUserId: ann.id }), true],
  ['an operator of the platform', () => users.put('acme', { ...ann, roles: ['operator'] }), true],
  ['a user of a tenant that allows passwords', () => signOns.settings.set('acme', { ...noSignOn, breakGlassUserId: 'u-9' }), true],
])('while sign-on is enforced, a password is for few: %s', async ([, change, isAllowed]) => {
  signOns.settings.set('acme', { ...noSignOn, isEnforced: true, breakGlassUserId: 'u-9' })
  await change()
  if (isAllowed) expect(await attempt()).toMatchObject({ user: { id: ann.id } })
  else await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN', details: { needs: 'sign_on' } })
})

describe('a second factor', () => {
  const totpSecret = Buffer.from('12345678901234567890')
  const codeNow = (): string => computeTotpCode(totpSecret, Math.floor(world.nowMs / 30_000))
  beforeEach(() => putAccount({ totpSecret: sealTotpSecret(secrets, ann.email, totpSecret) }))

  test('is required', async () => {
    await expect(attempt()).rejects.toMatchObject({ code: 'FORBIDDEN', details: { needs: 'totp' } })
  })

  test.for<[title: string, code: () => string]>([
    ['another code', () => (codeNow() === '000000' ? '000001' : '000000')],
    ['the code of a minute ago', () => computeTotpCode(totpSecret, Math.floor(world.nowMs / 30_000) - 2)],
    ['no digits', () => ''],
  ])('is refused with %s', async ([, code]) => {
    await expect(attempt({ totp: code() })).rejects.toThrow(/^email, password or code is wrong$/)
  })

  test('does not replace the password', async () => {
    await expect(attempt({ totp: codeNow(), password: 'x' })).rejects.toThrow(/^email, password or code is wrong$/)
  })

  test('is valid once, also for concurrent logins', async () => {
    const outcomes = await Promise.allSettled([attempt({ totp: codeNow() }), attempt({ totp: codeNow() })])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(attempt({ totp: codeNow() })).rejects.toThrow(/^email, password or code is wrong$/)
    world.pass(30_000)
    expect(await attempt({ totp: codeNow() })).toMatchObject({ user: ann })
  })

  test('is not consumed by a login refused for another reason', async () => {
    await expect(attempt({ totp: codeNow(), tenant: 'other' })).rejects.toThrow(/wrong/)
    expect(await attempt({ totp: codeNow() })).toMatchObject({ user: ann })
  })
})

describe('attempts', () => {
  const outcome = (change: Partial<Credentials>): Promise<unknown> => attempt(change).then(() => 'in', (error: unknown) => error)

  test('are limited to ten a minute per account, from any address and in any spelling', async () => {
    for (let count = 0; count < 10; count++) {
      await outcome({ password: 'x', address: `192.0.2.${count}`, email: count % 2 === 0 ? ann.email : ann.email.toUpperCase() })
    }
    const error = await outcome({ address: '198.51.100.1' })
    expect(error).toBeInstanceOf(RateLimitedError)
    expect(error).toMatchObject({ code: 'RATE_LIMITED', decision: { limit: 10, remaining: 0, resetMs: minuteMs } })
    if (error instanceof RateLimitedError) expect(buildRateHeaders(error.decision, world.nowMs)).toMatchObject({ 'Retry-After': '60' })
    world.pass(minuteMs)
    expect(await outcome({ address: '198.51.100.1' })).toBe('in')
  })

  test('are limited to thirty a minute per address, over all accounts', async () => {
    for (let count = 0; count < 30; count++) await outcome({ email: `u${count}@acme.example`, password: 'x' })
    expect(await outcome({})).toMatchObject({ code: 'RATE_LIMITED', decision: { limit: 30 } })
    expect(await outcome({ address: '198.51.100.1' })).toBe('in')
  })

  test('are limited to thirty a minute per IPv6 prefix', async () => {
    for (let count = 0; count < 30; count++) {
      await outcome({ email: `u${count}@acme.example`, password: 'x', address: `2001:db8::${count}` })
    }
    expect(await outcome({ address: '2001:db8::ffff' })).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await outcome({ address: '2001:db8:0:1::' })).toBe('in')
  })
})

describe('a refresh', () => {
  test('returns the next pair', async () => {
    const first = await attempt()
    world.pass(10 * minuteMs)
    const second = await refreshSession(deps, first.refreshToken)
    expect(second.refreshToken).not.toBe(first.refreshToken)
    expect(await isLoggedIn(second)).toBe(true)
    expect(await refreshSession(deps, second.refreshToken)).toMatchObject({ user: ann })
  })

  test('with a used token revokes the session for both holders', async () => {
    const first = await attempt()
    const second = await refreshSession(deps, first.refreshToken)
    expect(await isLoggedIn(second)).toBe(true)
    await expect(refreshSession(deps, first.refreshToken)).rejects.toThrow(unauthorized())
    await expect(refreshSession(deps, second.refreshToken)).rejects.toThrow(unauthorized())
    expect(await isLoggedIn(second)).toBe(false)
  })

  test('sent twice concurrently revokes the session', async () => {
    const { refreshToken } = await attempt()
    const outcomes = await Promise.allSettled([refreshSession(deps, refreshToken), refreshSession(deps, refreshToken)])
    const pairs = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(pairs.length).toBe(1)
    for (const pair of pairs) expect(await isLoggedIn(pair)).toBe(false)
  })

  test('of one session does not affect others', async () => {
    const [one, other] = [await attempt(), await attempt()]
    await refreshSession(deps, one.refreshToken)
    await expect(refreshSession(deps, one.refreshToken)).rejects.toThrow(unauthorized())
    expect(await isLoggedIn(other)).toBe(true)
  })

  test('is refused twelve hours after the last, not before', async () => {
    const { refreshToken } = await attempt()
    world.pass(12 * hourMs - 1)
    const next = await refreshSession(deps, refreshToken)
    world.pass(12 * hourMs)
    await expect(refreshSession(deps, next.refreshToken)).rejects.toThrow(unauthorized())
  })

  test('is refused seven days after the login, however often it was used', async () => {
    let pair = await attempt()
    for (let hours = 0; hours < 7 * 24 - 8; hours += 8) {
      world.pass(8 * hourMs)
      pair = await refreshSession(deps, pair.refreshToken)
    }
    expect(pair.refreshUntil).toBe(world.nowMs + 8 * hourMs)
    world.pass(8 * hourMs)
    await expect(refreshSession(deps, pair.refreshToken)).rejects.toThrow(unauthorized())
  })

  test('returns the current roles', async () => {
    const { refreshToken } = await attempt()
    users.put('acme', { ...ann, roles: ['viewer'], permissionsVersion: 2 })
    const { accessToken } = await refreshSession(deps, refreshToken)
    expect(await authenticate(authenticationOf(deps), accessToken)).toMatchObject({ roles: ['viewer'] })
  })

  test('is refused for a disabled user', async () => {
    const { refreshToken } = await attempt()
    users.put('acme', { ...ann, isActive: false })
    await expect(refreshSession(deps, refreshToken)).rejects.toThrow(unauthorized())
  })

  test('is refused for a disabled tenant', async () => {
    const { refreshToken } = await attempt()
    tenants.inactive.add('acme')
    await expect(refreshSession(deps, refreshToken)).rejects.toThrow(unauthorized())
  })
})

describe('a logout', () => {
  test('ends access and refresh at once', async () => {
    const pair = await attempt()
    expect(await isLoggedIn(pair)).toBe(true)
    await logout(deps, pair.refreshToken)
    expect(await isLoggedIn(pair)).toBe(false)
    await expect(refreshSession(deps, pair.refreshToken)).rejects.toThrow(unauthorized())
  })

  test('with an unknown token has no effect', async () => {
    const pair = await attempt()
    await logout(deps, `${pair.refreshToken}x`)
    expect(await isLoggedIn(pair)).toBe(true)
  })

  test('in another tenant has no effect', async () => {
    const pair = await attempt()
    const { session } = await authenticate(authenticationOf(deps), pair.accessToken)
    await closeSession(deps, 'other', session?.id ?? '')
    expect(await isLoggedIn(pair)).toBe(true)
  })
})

describe('a one-time password', () => {
  const newPassword = 'another horse battery'
  beforeEach(() => putAccount({ hasOneTimePassword: true }))

  test('is valid for one login, which sets a new password', async () => {
    expect(await isLoggedIn(await attempt({ newPassword }))).toBe(true)
    await expect(attempt()).rejects.toThrow('email, password or code is wrong')
    expect(await isLoggedIn(await attempt({ password: newPassword }))).toBe(true)
  })

  test('is valid once for concurrent logins', async () => {
    const attempts = await Promise.allSettled([attempt({ newPassword }), attempt({ newPassword: `${newPassword}!` })])
    expect(attempts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test.for<[title: string, change: Partial<Credentials>, message: string]>([
    ['no other', {}, 'the password is valid for one login; choose your own with new_password'],
    ['the same again', { newPassword: password }, 'the new password must differ from the one-time password'],
    ['one that is too short', { newPassword: 'short' }, 'the password has 5 characters; use 12 to 256'],
    ['a wrong one', { password: 'wrong', newPassword }, 'email, password or code is wrong'],
  ])('%s: it stays as it is', async ([, change, message]) => {
    await expect(attempt(change)).rejects.toThrow(message)
    expect(accounts.accounts.get(ann.email)?.hasOneTimePassword).toBe(true)
  })
})

test('the user\'s own password is not changed by a login', async () => {
  await expect(attempt({ newPassword: 'another horse battery' })).rejects.toThrow('only allowed when logging in with a one-time password')
})
