import { describe, expect, test } from 'vitest'
import { AuthFixture } from '../../../test/auth-fixture.ts'
import { toJwks, createSigningKey, openSigningKeys, rotateSigningKeys, findVerifyingKey } from './signing-keys.ts'
import type { SigningKeyRecord } from './signing-keys.ts'

test('a key matches RFC 8037: derived from its seed, named by its thumbprint', async () => {
  // Appendix A.1 to A.3 of the RFC.
  const seed = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url')
  const keys = await openSigningKeys([{ seed, createdAt: 0, retiredAt: undefined }])
  expect(toJwks(keys, 0)).toEqual({
    keys: [{
      kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', alg: 'EdDSA', use: 'sig',
    }],
  })
})

describe('rotation', () => {
  test('publishes both keys until the last token of the old one expires', async () => {
    const world = new AuthFixture()
    const before = await openSigningKeys([createSigningKey(world)])
    const after = await rotateSigningKeys(before, world)
    const ids = (nowMs: number): string[] => toJwks(after, nowMs).keys.map(({ kid }) => kid)
    expect(ids(world.nowMs + 930_000)).toEqual([after.current.keyId, before.current.keyId])
    expect(ids(world.nowMs + 930_001)).toEqual([after.current.keyId])
    expect(findVerifyingKey(after, before.current.keyId, world.nowMs + 930_001)).toBeUndefined()
  })

  test('repeatedly keeps only keys that may still verify', async () => {
    const world = new AuthFixture()
    let keys = await openSigningKeys([createSigningKey(world)])
    for (let round = 0; round < 20; round++) {
      world.pass(500_000)
      keys = await rotateSigningKeys(keys, world)
    }
    expect(keys.retired.length).toBe(2)
  })

  test('survives storing as records', async () => {
    const world = new AuthFixture()
    const keys = await rotateSigningKeys(await openSigningKeys([createSigningKey(world)]), world)
    const reopened = await openSigningKeys([...keys.retired, keys.current])
    expect(toJwks(reopened, world.nowMs)).toEqual(toJwks(keys, world.nowMs))
  })
})

test('no key set contains a secret', async () => {
  const keys = await openSigningKeys([createSigningKey(new AuthFixture())])
  const text = JSON.stringify(toJwks(keys, 0))
  expect(text).not.toContain('"d"')
  expect(text).not.toContain(Buffer.from(keys.current.seed).toString('base64url'))
})

const record: SigningKeyRecord = { seed: new Uint8Array(32), createdAt: 0, retiredAt: undefined }

test.for<[title: string, records: readonly SigningKeyRecord[], message: string]>([
  ['no key', [], '0 signing keys are current; exactly one must be'],
  ['retired keys alone', [{ ...record, retiredAt: 1 }], '0 signing keys are current; exactly one must be'],
  ['two current keys', [record, record], '2 signing keys are current; exactly one must be'],
  ['a short seed', [{ ...record, seed: new Uint8Array(31) }], 'the seed of a signing key has 31 bytes; it must have 32'],
])('refuses %s', async ([, records, message]) => {
  await expect(openSigningKeys(records)).rejects.toThrow(message)
})
