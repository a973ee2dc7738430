import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { AuthFixture, ed25519, printToken } from '../../../test/auth-fixture.ts'
import { openExternalIssuer } from './external-issuer.ts'
import type { ExternalIssuerOptions } from './external-issuer.ts'
import { unauthorized } from './token-principal.ts'

const world = new AuthFixture()
const nowSeconds = world.nowMs / 1_000
const edwards = generateKeyPairSync('ed25519')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const jwks = JSON.stringify({
  keys: [
    { ...edwards.publicKey.export({ format: 'jwk' }), kid: 'ed', use: 'sig' },
    { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'RS256', use: 'sig' },
  ],
})
const options: ExternalIssuerOptions = {
  name: 'https://login.example', audience: 'tripline', keys: jwks, tenantClaim: 'org.tenant', tenants: 'every',
  roles: { mapping: [{ claim: 'groups', op: 'contains', value: 'SOC-L2', role: 'analyst' }] },
}
const good = {
  iss: 'https://login.example', aud: ['tripline', 'mail'], sub: 'ann', iat: nowSeconds, exp: nowSeconds + 3_600,
  org: { tenant: 'acme' }, groups: ['SOC-L2'],
}

function token(payload: object = {}, header: object = {}): string {
  return printToken({ alg: 'EdDSA', kid: 'ed', typ: 'JWT', ...header }, { ...good, ...payload }, ed25519(edwards.privateKey))
}

const identity = {
  tenant: 'acme', subject: 'ann', roles: ['analyst'], expiresAt: good.exp * 1_000, session: undefined, issuedAt: world.nowMs,
  externalClaims: expect.objectContaining({ sub: 'ann' }), profile: { name: 'ann', email: undefined },
}

describe('a trusted issuer', () => {
  const issuer = openExternalIssuer(options, world)

  test('has its tokens accepted', async () => {
    expect(await issuer.verify(token(), world.nowMs)).toEqual(identity)
  })

  test.for([
    ['EdDSA', 'EdDSA'], ['EdDSA', 'Ed25519'], ['Ed25519', 'EdDSA'], ['Ed25519', 'Ed25519'], [undefined, 'Ed25519'],
  ])('whose key states %s may sign tokens that state %s', async ([alg, stated]) => {
    const key = { ...edwards.publicKey.export({ format: 'jwk' }), kid: 'ed', ...(alg && { alg }) }
    const named = openExternalIssuer({ ...options, keys: JSON.stringify({ keys: [key] }) }, world)
    expect(await named.verify(token({}, { alg: stated }), world.nowMs)).toEqual(identity)
  })

  test('has a long-lived token accepted for a day', async () => {
    const payload = { iat: nowSeconds - 86_000, exp: nowSeconds + 864_000 }
    expect(await issuer.verify(token(payload), world.nowMs)).toMatchObject({ expiresAt: (nowSeconds + 400) * 1_000 })
  })

  test.for<[title: string, atMs: number, isAccepted: boolean]>([
    ['at its end', 0, true],
    ['a moment before the tolerated difference of clocks is over', 29_999, true],
    ['with that difference behind it', 30_000, false],
  ])('has a token that a long life is claimed for accepted for a day: %s', async ([, afterMs, isAccepted]) => {
    const payload = { iat: nowSeconds - 86_400, exp: nowSeconds + 864_000 }
    const verified = issuer.verify(token(payload), world.nowMs + afterMs).then(({ expiresAt }) => expiresAt, () => 'refused')
    expect(await verified).toBe(isAccepted ? world.nowMs : 'refused')
  })

  test('may sign with RSA', async () => {
    const signature = (text: string): Buffer => sign('sha256', Buffer.from(text), rsa.privateKey)
    expect(await issuer.verify(printToken({ alg: 'RS256', kid: 'rsa' }, good, signature), world.nowMs)).toEqual(identity)
  })

  test.for<[title: string, payload: object, header: object]>([
    ['another issuer', { iss: 'https://login.example/' }, {}],
    ['another audience', { aud: 'mail' }, {}],
    ['no audience', { aud: undefined }, {}],
    ['no end', { exp: undefined }, {}],
    ['an end that has passed', { exp: nowSeconds - 31 }, {}],
    ['no beginning', { iat: undefined }, {}],
    ['more than a day of age', { iat: nowSeconds - 86_431, exp: nowSeconds + 3_600 }, {}],
    ['a beginning to come', { iat: nowSeconds + 31 }, {}],
    ['no subject', { sub: undefined }, {}],
    ['no tenant', { org: {} }, {}],
    ['a list of tenants', { org: { tenant: ['acme'] } }, {}],
    ['an empty tenant', { org: { tenant: '' } }, {}],
    ['a tenant in the prototype', { org: { __proto__: { tenant: 'acme' } } }, {}],
    ['no group that is mapped', { groups: ['SOC-L3'] }, {}],
    ['an unknown key', {}, { kid: 'other' }],
    ['the key of another algorithm', {}, { kid: 'rsa' }],
    ['no algorithm', {}, { alg: 'none' }],
    ['a shared secret', {}, { alg: 'HS256' }],
    ['the type of a logout', {}, { typ: 'logout+jwt' }],
  ])('is not believed with %s', async ([, payload, header]) => {
    await expect(issuer.verify(token(payload, header), world.nowMs)).rejects.toThrow(unauthorized())
  })

  test('issues tokens for its own tenants only, if they are named', async () => {
    const ownIssuer = openExternalIssuer({ ...options, tenants: ['other'] }, world)
    await expect(ownIssuer.verify(token(), world.nowMs)).rejects.toThrow(unauthorized())
  })
})

describe('roles named by a claim', () => {
  const issuer = openExternalIssuer({ ...options, roles: { claim: 'roles' } }, world)

  test.for<[roles: unknown, answer: readonly string[]]>([
    ['admin', ['admin']],
    [['viewer', 'auditor', 'unheard', 'viewer'], ['viewer', 'auditor']],
    [['operator', 'viewer'], ['viewer']],
  ])('%j', async ([roles, answer]) => {
    expect(await issuer.verify(token({ roles }), world.nowMs)).toMatchObject({ roles: answer })
  })

  test.for<[roles: unknown]>([['operator'], ['read_write'], [[]], [{ admin: true }], [undefined]])('%j is none', async ([roles]) => {
    await expect(issuer.verify(token({ roles }), world.nowMs)).rejects.toThrow(unauthorized())
  })
})

describe('the key set', () => {
  test.for<[title: string, text: string, message: string]>([
    ['no JSON', '{', 'the key set is not valid JSON'],
    ['no keys', '{}', "the key set is not a JWKS of public keys: check 'keys'"],
    ['an empty list', '{"keys":[]}', "check 'keys'"],
    ['a shared secret', '{"keys":[{"kty":"oct","k":"c2VjcmV0"}]}', "check 'keys.0.kty'"],
    ['a private key', JSON.stringify({ keys: [edwards.privateKey.export({ format: 'jwk' })] }), "check 'keys.0.d'"],
    ['no object', '[]', "the key set is not a JWKS of public keys: check ''"],
    ['as long a text as is read', '{'.repeat(262_144), 'the key set is not valid JSON'],
    ['too long a text', ' '.repeat(262_145), 'has 262145 characters; at most 262144 are allowed'],
  ])('is refused with %s', ([, keys, message]) => {
    expect(() => openExternalIssuer({ ...options, keys }, world)).toThrow(message)
  })
})

describe('remote keys', () => {
  /** An issuer whose keys are the texts, one for each fetch; undefined is a fetch that fails. */
  function fetched(texts: (string | undefined)[]): { issuer: ReturnType<typeof openExternalIssuer>; clock: AuthFixture; left: () => number } {
    const clock = new AuthFixture()
    const keys = async (): Promise<string> => {
      const text = texts.shift()
      if (text === undefined) throw new Error('no answer')
      return text
    }
    return { issuer: openExternalIssuer({ ...options, keys }, clock), clock, left: () => texts.length }
  }
  const emptyOfOurs = JSON.stringify({ keys: [{ ...rsa.publicKey.export({ format: 'jwk' }), kid: 'rsa' }] })

  test('are fetched once for all tokens, and again when old', async () => {
    const { issuer, clock, left } = fetched([jwks, jwks, jwks])
    await Promise.all([1, 2, 3].map(() => issuer.verify(token(), world.nowMs)))
    expect(left()).toBe(2)
    clock.pass(600_000)
    await issuer.verify(token(), world.nowMs)
    expect(left()).toBe(1)
  })

  test('are fetched again for an unknown key, but not for every such token', async () => {
    const { issuer, clock, left } = fetched([emptyOfOurs, jwks, jwks])
    await expect(issuer.verify(token(), world.nowMs)).rejects.toThrow(unauthorized())
    await expect(issuer.verify(token(), world.nowMs)).rejects.toThrow(unauthorized())
    expect(left()).toBe(2)
    clock.pass(30_000)
    expect(await issuer.verify(token(), world.nowMs)).toEqual(identity)
    expect(left()).toBe(1)
  })

  test('are kept while a refresh fails', async () => {
    const { issuer, clock } = fetched([jwks, undefined])
    await issuer.verify(token(), world.nowMs)
    clock.pass(600_000)
    expect(await issuer.verify(token(), world.nowMs)).toEqual(identity)
  })

  test('delay no token with a known key', async () => {
    const clock = new AuthFixture()
    const texts = [Promise.resolve(jwks), new Promise<string>(() => undefined)]
    const issuer = openExternalIssuer({ ...options, keys: () => texts.shift() ?? Promise.reject(new Error('no answer')) }, clock)
    await issuer.verify(token(), world.nowMs)
    clock.pass(600_000)
    expect(await issuer.verify(token(), world.nowMs)).toEqual(identity)
    expect(texts.length).toBe(0)
  })

  test('accept no token before they are fetched', async () => {
    const { issuer, clock } = fetched([undefined, jwks])
    await expect(issuer.verify(token(), world.nowMs)).rejects.toThrow(unauthorized())
    clock.pass(30_000)
    expect(await issuer.verify(token(), world.nowMs)).toEqual(identity)
  })
})
