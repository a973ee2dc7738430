import { openSecretBox } from '@tripline/model/access/secret-box'
import { openMemoryState } from '@tripline/state/test/open-memory-state'
import type { StateStore } from '@tripline/state/ports/state-store'
import { auditKey, tenantWith } from '@tripline/state/test/state-samples'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { generateApiKey, verifyApiKey } from './keys/api-key.ts'
import { authenticate } from './authenticate.ts'
import type { Authentication } from './authenticate.ts'
import { login, createLoginLimiter } from './login/login.ts'
import type { LoginDeps } from './login/login.ts'
import { PasswordHasher } from './login/password.ts'
import { refreshSession } from './login/session.ts'
import type { TokenPair } from './login/session.ts'
import { TokenCache } from './tokens/token-cache.ts'
import { unauthorized } from './tokens/token-principal.ts'
import { sealTotpSecret } from './login/totp-secret.ts'
import { computeTotpCode } from './login/totp.ts'
import { createExternalUsers } from './external-users.ts'
import { AuthFixture, ann, openIssuer } from '../../test/auth-fixture.ts'

const password = 'correct horse battery'
const totpSecret = Buffer.from('12345678901234567890')
const secrets = openSecretBox(Buffer.alloc(32, 2), (count) => Buffer.alloc(count, 3))

let world: AuthFixture
let store: StateStore
let deps: LoginDeps & Authentication

beforeEach(async () => {
  world = new AuthFixture()
  store = await openMemoryState({ auditKey })
  const issuer = await openIssuer(world)
  const { tenants, accounts, users } = store
  const hasher = new PasswordHasher(world, { costLog2: 4, blockSize: 8, passes: 1 })
  deps = {
    tokens: { issuer: () => issuer, refreshSecret: Buffer.alloc(32, 1), cache: new TokenCache() }, state: store,
    externalIssuer: undefined, externalUsers: createExternalUsers({ state: store, clock: world }),
    secrets, io: world, hasher, limiter: createLoginLimiter(),
  }
  const older = await new PasswordHasher(world, { costLog2: 4, blockSize: 8, passes: 2 }).hash(password)
  await tenants.insert(tenantWith({ id: 'acme' }))
  await accounts.insert({ email: ann.email, passwordHash: older, totpSecret: sealTotpSecret(secrets, ann.email, totpSecret) })
  await users.insert('acme', ann)
})
afterEach(() => store.close())

const attempt = (): Promise<TokenPair> => {
  const totp = computeTotpCode(totpSecret, Math.floor(world.nowMs / 30_000))
  return login(deps, { email: ' Ann@ACME.example', password, totp, tenant: undefined, address: '192.0.2.1' })
}

test('a user logs in with the stored credentials, and a code is accepted once', async () => {
  const pair = await attempt()
  expect(await authenticate(deps, pair.accessToken)).toMatchObject({ tenant: 'acme', subject: ann.id, roles: ann.roles })
  expect((await store.accounts.find(ann.email))?.passwordHash).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/)
  await expect(attempt()).rejects.toThrow('email, password or code is wrong')
})

test('a refresh token that is used twice ends its session', async () => {
  const first = await attempt()
  const second = await refreshSession(deps, first.refreshToken)
  await expect(refreshSession(deps, first.refreshToken)).rejects.toThrow(unauthorized())
  await expect(refreshSession(deps, second.refreshToken)).rejects.toThrow(unauthorized())
  await expect(authenticate(deps, second.accessToken)).rejects.toThrow(unauthorized())
})

test('a token issued before its user\'s roles changed is rejected, a refreshed one is not', async () => {
  const first = await attempt()
  await store.users.update('acme', ann.id, { roles: ['viewer'] }, { expectedVersion: undefined, at: world.nowMs })
  await expect(authenticate(deps, first.accessToken)).rejects.toThrow(unauthorized())
  const second = await refreshSession(deps, first.refreshToken)
  expect(await authenticate(deps, second.accessToken)).toMatchObject({ roles: ['viewer'] })
})

test('an API key is verified until it is revoked', async () => {
  const request = { name: 'siem', scope: 'read_only', createdBy: ann.id, expiresAt: undefined } as const
  const { text, key } = await generateApiKey({ apiKeys: store.apiKeys, io: world }, 'acme', request)
  expect(await verifyApiKey(store.apiKeys, text, world.nowMs)).toEqual(key)
  expect(await store.apiKeys.revoke('acme', key.publicId, world.nowMs)).toBe(true)
  await expect(verifyApiKey(store.apiKeys, text, world.nowMs)).rejects.toThrow(unauthorized())
})
