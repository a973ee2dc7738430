import { createHmac, generateKeyPairSync } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { AuthFixture, ed25519, openIssuer, printToken } from '../../../test/auth-fixture.ts'
import { limits } from '../../limits.ts'
import { issueAccessToken, verifyAccessToken } from './access-token.ts'
import type { Issuer, TokenSubject } from './access-token.ts'
import { rotateSigningKeys } from './signing-keys.ts'
import { unauthorized } from './token-principal.ts'

const holder: TokenSubject = {
  tenant: 'acme', subject: 'u-1', roles: ['analyst'], session: { id: 's-1', permissionsVersion: 3 },
}
const world = new AuthFixture()
const nowSeconds = world.nowMs / 1_000
let issuer: Issuer
beforeAll(async () => {
  issuer = await openIssuer(world)
})

const good = {
  iss: 'https://tripline.example', aud: 'console', sub: 'u-1', tenant_id: 'acme', roles: ['analyst'], perms_v: 3, sid: 's-1',
  jti: 'j-1', iat: nowSeconds, nbf: nowSeconds, exp: nowSeconds + 900,
}

/** A token of ours but for these changes of its payload and header; the signature is good. */
function changed(payload: object | string, header: object = {}): string {
  const { keyId, privateKey } = issuer.keys.current
  const claims = typeof payload === 'string' ? payload : { ...good, ...payload }
  return printToken({ alg: 'EdDSA', kid: keyId, typ: 'at+jwt', ...header }, claims, ed25519(privateKey))
}

const publicPem = (): string => issuer.keys.current.publicKey.export({ type: 'spki', format: 'pem' }).toString()

describe('an issued token', () => {
  test('has exactly the documented claims', async () => {
    const token = await issueAccessToken(issuer, holder, world)
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', kid: issuer.keys.current.keyId, typ: 'at+jwt' })
    expect(decodeJwt(token)).toEqual({ ...good, jti: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  })

  test('identifies its subject', async () => {
    const token = await issueAccessToken(issuer, holder, world)
    expect(await verifyAccessToken(issuer, token, world.nowMs)).toEqual({ ...holder, expiresAt: world.nowMs + 900_000 })
  })

  test('is valid for its lifetime, within 30 s', async () => {
    const token = await issueAccessToken(issuer, holder, world)
    const isGoodAt = (at: number): Promise<boolean> => verifyAccessToken(issuer, token, at).then(() => true, () => false)
    expect(await isGoodAt(world.nowMs - 30_000)).toBe(true)
    expect(await isGoodAt(world.nowMs - 31_000)).toBe(false)
    expect(await isGoodAt(world.nowMs + 929_999)).toBe(true)
    expect(await isGoodAt(world.nowMs + 930_000)).toBe(false)
  })

  test('survives the rotation of its key, which is dropped after its last token', async () => {
    const before = await issueAccessToken(issuer, holder, world)
    const rotated: Issuer = { ...issuer, keys: await rotateSigningKeys(issuer.keys, world) }
    expect(await verifyAccessToken(rotated, before, world.nowMs + 900_000)).toMatchObject({ subject: 'u-1' })
    const after = await issueAccessToken(rotated, holder, world)
    expect(await verifyAccessToken(rotated, after, world.nowMs)).toMatchObject({ subject: 'u-1' })
    await expect(verifyAccessToken(issuer, after, world.nowMs)).rejects.toThrow(unauthorized())
  })
})

/** Everything that RFC 8725 warns of and some more; each is made late, when there are keys. */
const hostile: readonly (readonly [title: string, token: () => unknown])[] = [
  ['nothing', () => undefined],
  ['an empty text', () => ''],
  ['an object', () => ({ toString: () => changed({}) })],
  ['a list that holds a good token', () => [changed({})]],
  ['a number', () => 7],
  ['two parts', () => 'eyJhbGciOiJub25lIn0.e30'],
  ['five parts, as if encrypted', () => `${changed({})}.a.b`],
  ['a good token after a blank', () => ` ${changed({})}`],
  ['a good token before a line break', () => `${changed({})}\n`],
  ['a good token with padding', () => `${changed({})}=`],
  ['a million letters', () => `a.${'b'.repeat(1_000_000)}.c`],
  ['a payload just too long', () => changed({ filler: 'x'.repeat(limits.auth.tokenLengthMax) })],
  ['alg none without a signature', () => printToken({ alg: 'none' }, good, () => '')],
  ['alg none with one', () => changed({}, { alg: 'none' })],
  ['alg NoNe', () => changed({}, { alg: 'NoNe' })],
  ['alg HS256 with the public key as secret', () =>
    printToken({ alg: 'HS256', kid: issuer.keys.current.keyId, typ: 'at+jwt' }, good,
      (text) => createHmac('sha256', publicPem()).update(text).digest())],
  ['alg HS256 with the bytes of the public key', () =>
    printToken({ alg: 'HS256', kid: issuer.keys.current.keyId, typ: 'at+jwt' }, good, (text) =>
      createHmac('sha256', Buffer.from(issuer.keys.current.publicJwk.x, 'base64url')).update(text).digest())],
  ['alg ES256', () => changed({}, { alg: 'ES256' })],
  ['a list of algs', () => changed({}, { alg: ['EdDSA'] })],
  ['no alg', () => changed({}, { alg: undefined })],
  ['no kid', () => changed({}, { kid: undefined })],
  ['an unknown kid', () => changed({}, { kid: 'other' })],
  ['a kid that walks', () => changed({}, { kid: '../../dev/null' })],
  ['a kid that is an object', () => changed({}, { kid: { a: 1 } })],
  ['the type of an id token', () => changed({}, { typ: 'JWT' })],
  ['no type', () => changed({}, { typ: undefined })],
  ['a critical extension', () => changed({}, { crit: ['exp'] })],
  ['an unencoded payload', () => changed({}, { crit: ['b64'], b64: false })],
  ['a key of its own in the header', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const header = { alg: 'EdDSA', typ: 'at+jwt', kid: issuer.keys.current.keyId, jwk: publicKey.export({ format: 'jwk' }) }
    return printToken(header, good, ed25519(privateKey))
  }],
  ['the signature of another key', () => {
    const header = { alg: 'EdDSA', typ: 'at+jwt', kid: issuer.keys.current.keyId }
    return printToken(header, good, ed25519(generateKeyPairSync('ed25519').privateKey))
  }],
  ['the signature of another token', () => {
    const [head, , signature] = changed({}).split('.')
    return `${head}.${changed({ tenant_id: 'other' }).split('.')[1]}.${signature}`
  }],
  ['a signature of zeros', () =>
    printToken({ alg: 'EdDSA', typ: 'at+jwt', kid: issuer.keys.current.keyId }, good, () => Buffer.alloc(64))],
  ['half a signature', () => changed({}).slice(0, -43)],
  ['a payload that is no JSON', () => changed('{')],
  ['a payload that is a list', () => changed('[]')],
  ['a payload that is a text', () => changed('"a"')],
  ['a token within a token', () => changed(JSON.stringify(changed({})), { cty: 'JWT' })],
  ['a payload nested thousands of levels deep', () => changed(`{"a":${'['.repeat(2_500)}${']'.repeat(2_500)}`)],
  ...Object.keys(good).map((claim) => [`no ${claim}`, () => changed({ [claim]: undefined })] as const),
  ...Object.keys(good).map((claim) => [`${claim} null`, () => changed({ [claim]: null })] as const),
  ...Object.keys(good).map((claim) => [`${claim} an object`, () => changed({ [claim]: {} })] as const),
  ['a list of tenants', () => changed({ tenant_id: ['acme'] })],
  ['an empty tenant', () => changed({ tenant_id: '' })],
  ['a number as tenant', () => changed({ tenant_id: 1 })],
  ['an overlong tenant', () => changed({ tenant_id: 'a'.repeat(129) })],
  ['no role', () => changed({ roles: [] })],
  ['an unknown role', () => changed({ roles: ['analyst', 'root'] })],
  ['the scope of a key as role', () => changed({ roles: ['read_write'] })],
  ['a text of roles', () => changed({ roles: 'admin' })],
  ['another issuer', () => changed({ iss: 'https://tripline.example/' })],
  ['a list of issuers', () => changed({ iss: [good.iss] })],
  ['another audience', () => changed({ aud: 'api' })],
  ['several audiences', () => changed({ aud: ['console', 'api'] })],
  ['an end in the past', () => changed({ exp: nowSeconds - 31 })],
  ['an end as text', () => changed({ exp: String(good.exp) })],
  ['an end beyond what we issue', () => changed({ exp: nowSeconds + 901 })],
  ['an endless end', () => changed(JSON.stringify(good).replace(/"exp":\d+/, '"exp":1e999'))],
  ['an end before 1970', () => changed({ exp: -1 })],
  ['a beginning to come', () => changed({ nbf: nowSeconds + 31 })],
  ['issued in the future', () => changed({ iat: nowSeconds + 31, exp: nowSeconds + 100 })],
  ['a fractional version of permissions', () => changed({ perms_v: 1.5 })],
]

test('the unmodified base of the hostile tokens is accepted', async () => {
  expect(await verifyAccessToken(issuer, changed({}), world.nowMs)).toMatchObject({ tenant: 'acme' })
})

test.for<readonly [title: string, token: () => unknown]>(hostile)('refuses %s', async ([, token]) => {
  await expect(verifyAccessToken(issuer, token(), world.nowMs)).rejects.toThrow(unauthorized())
})
