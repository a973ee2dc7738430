import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { AuthFixture } from '../../../test/auth-fixture.ts'
import { MemoryApiKeys } from '../../../test/in-memory-auth-stores.ts'
import { generateApiKey, verifyApiKey } from './api-key.ts'
import type { ApiKeyRequest, NewApiKey } from './api-key.ts'
import { printApiKey, printPublicId, parsePublicId } from './api-key-format.ts'
import { unauthorized } from '../tokens/token-principal.ts'

const dayMs = 86_400_000
let world: AuthFixture
let apiKeys: MemoryApiKeys
beforeEach(() => {
  world = new AuthFixture()
  apiKeys = new MemoryApiKeys()
})

const create = (change: Partial<ApiKeyRequest> = {}): Promise<NewApiKey> =>
  generateApiKey({ apiKeys, io: world }, 'acme', { name: 'siem', scope: 'read_only', createdBy: 'u-1', expiresAt: undefined, ...change })
const refused = unauthorized()

describe('a new key', () => {
  test('has the documented format, lasts a year and is unique', async () => {
    const { text, key } = await create()
    expect(text).toMatch(/^tk_[0-9a-z]{8}_[\w-]{43}[0-9A-Za-z]{6}$/)
    expect(text.slice(3, 11)).toBe(key.publicId)
    expect(key).toMatchObject({ tenant: 'acme', name: 'siem', scope: 'read_only', expiresAt: world.nowMs + 365 * dayMs })
    expect(await verifyApiKey(apiKeys, text, world.nowMs)).toEqual(key)
    expect((await create()).text).not.toBe(text)
  })

  test('is not stored, nor any part of its secret', async () => {
    const { text } = await create()
    const kept = JSON.stringify([...apiKeys.keys.values()])
    expect(kept).not.toContain(text.slice(12, 55))
    expect(kept).not.toContain(text.slice(12, 20))
  })

  test('gets another public id if one is taken', async () => {
    const { key } = await create()
    // The same bytes again, then others.
    const again = new AuthFixture()
    const { key: second } = await generateApiKey({ apiKeys, io: again }, 'other', {
      name: 'n', scope: 'read_write', createdBy: 'u', expiresAt: undefined,
    })
    expect(second.publicId).not.toBe(key.publicId)
  })

  test.for<[title: string, change: () => Partial<ApiKeyRequest>, message: string]>([
    ['no name', () => ({ name: ' ' }), "'name' has 1 characters; use 1 to 100, not all blank"],
    ['a long name', () => ({ name: 'n'.repeat(101) }), "'name' has 101 characters; use 1 to 100, not all blank"],
    ['an end that has passed', () => ({ expiresAt: world.nowMs }), "'expires_at' must be in the future and at most 730 days ahead"],
    ['an end far away', () => ({ expiresAt: world.nowMs + 730 * dayMs + 1 }), 'at most 730 days ahead'],
    ['an end that is no number', () => ({ expiresAt: Number.NaN }), 'must be in the future'],
  ])('is refused with %s', async ([, change, message]) => {
    await expect(create(change())).rejects.toThrow(message)
  })
})

test.for<[title: string, change: (text: string) => unknown]>([
  ['nothing', () => undefined],
  ['a list that holds it', (text) => [text]],
  ['another case', (text) => text.toUpperCase()],
  ['a blank before it', (text) => ` ${text}`],
  ['a line break after it', (text) => `${text}\n`],
  ['its public part alone', (text) => text.slice(0, 11)],
  ['another secret with a good checksum', (text) => printApiKey(text.slice(3, 11), new Uint8Array(32))],
  ['an id that nobody has', () => printApiKey('00000000', new Uint8Array(32))],
  ['a million letters', (text) => text + 'a'.repeat(1_000_000)],
])('%s is refused', async ([, change]) => {
  const { text } = await create()
  await expect(verifyApiKey(apiKeys, change(text), world.nowMs)).rejects.toThrow(refused)
})

test('a key expires at its stated time', async () => {
  const { text } = await create({ expiresAt: world.nowMs + 1_000 })
  expect(await verifyApiKey(apiKeys, text, world.nowMs + 999)).toMatchObject({ name: 'siem' })
  await expect(verifyApiKey(apiKeys, text, world.nowMs + 1_000)).rejects.toThrow(refused)
})

test('a key is revoked by its own tenant only, at once', async () => {
  const { text, key } = await create()
  expect(await apiKeys.revoke('other', key.publicId, world.nowMs)).toBe(false)
  expect(await verifyApiKey(apiKeys, text, world.nowMs)).toEqual(key)
  await apiKeys.revoke('acme', key.publicId, world.nowMs)
  await expect(verifyApiKey(apiKeys, text, world.nowMs)).rejects.toThrow(refused)
})

describe('the text of a key', () => {
  const bytes = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length })

  test('contains its public id', () => {
    fc.assert(fc.property(bytes(5), bytes(32), (id, secret) => {
      expect(parsePublicId(printApiKey(printPublicId(id), secret))).toBe(printPublicId(id))
    }))
  })

  test('is refused with one character changed', () => {
    const text = printApiKey('0123abcd', new Uint8Array(32).fill(7))
    fc.assert(fc.property(fc.nat(text.length - 1), fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_'), (at, letter) => {
      fc.pre(text[at] !== letter)
      expect(parsePublicId(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined()
    }))
  })

  test('has a distinct public id for each five bytes', () => {
    expect(printPublicId(new Uint8Array(5))).toBe('00000000')
    expect(printPublicId(new Uint8Array(5).fill(255))).toBe('zzzzzzzz')
  })
})
