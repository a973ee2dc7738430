import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createIssuerKey, parseIssuerKey, signClaims, toPublicKeySet } from './issuer-key.ts'

const key = await createIssuerKey()

test('a key file is read back as the key', () => {
  expect(parseIssuerKey(JSON.stringify(key))).toEqual(key)
})

test.for<[title: string, text: string]>([
  ['no JSON', 'secret'],
  ['a list', '[]'],
  ['the public keys', JSON.stringify(toPublicKeySet(key))],
  ['a key without its private part', JSON.stringify({ ...key, d: undefined })],
  ['a key of another curve', JSON.stringify({ ...key, crv: 'X25519' })],
  ['an unknown member', JSON.stringify({ ...key, use: 'sig' })],
])('a file with %s is refused without being quoted', ([, text]) => {
  expect(() => parseIssuerKey(text)).toThrow(/^it is not a key pair file; create one with 'tripline token key'$/)
})

test('the key set names the public key, its algorithm and its use', () => {
  const { kid, x } = key
  expect(toPublicKeySet(key)).toEqual({ keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: 'EdDSA', use: 'sig' }] })
})

test('claims are signed as a JWT of the key', () => {
  const [header = '', payload = '', signature = ''] = signClaims(key, { sub: 'ann' }).split('.')
  const [readHeader, readPayload] = [header, payload].map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  expect([readHeader, readPayload]).toEqual([{ alg: 'EdDSA', kid: key.kid, typ: 'JWT' }, { sub: 'ann' }])
  const [jwk = {}] = toPublicKeySet(key).keys
  const publicKey = createPublicKey({ key: { ...jwk }, format: 'jwk' })
  expect(verify(null, Buffer.from(`${header}.${payload}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true)
})
