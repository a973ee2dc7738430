import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { openSecretBox } from './secret-box.ts'

const key = Buffer.alloc(32, 7)
const box = openSecretBox(key, randomBytes)
const place = { tenant: 'a', owner: 'c1', key: 'client_secret' }
const sealed = box.seal(place, 'hunter2')

test.for<[text: string]>([['hunter2'], [''], ['é\0\u{1F511}'], ['x'.repeat(10_000)]])('%j comes out as it went in', ([text]) => {
  expect(box.open(place, box.seal(place, text))).toBe(text)
})

test('sealing twice gives different values that reveal nothing', () => {
  expect(box.seal(place, 'hunter2')).not.toBe(sealed)
  expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('hunter')
})

describe('opening fails', () => {
  const flip = (at: number): string => {
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    return `s1.${bytes.toString('base64url')}`
  }
  test.for<[title: string, open: () => string]>([
    ['in another tenant', () => box.open({ ...place, tenant: 'b' }, sealed)],
    ['for another owner', () => box.open({ ...place, owner: 'c2' }, sealed)],
    ['under another name', () => box.open({ ...place, key: 'password' }, sealed)],
    ['under another key', () => openSecretBox(Buffer.alloc(32, 8), randomBytes).open(place, sealed)],
    ['with the nonce changed', () => box.open(place, flip(0))],
    ['with the text changed', () => box.open(place, flip(13))],
    ['with the tag changed', () => box.open(place, flip(34))],
    ['with the end cut', () => box.open(place, sealed.slice(0, -4))],
    ['of nothing', () => box.open(place, '')],
    ['of what was never sealed', () => box.open(place, 'hunter2')],
    ['of the mark alone', () => box.open(place, 's1.')],
  ])('%s', ([, open]) => {
    expect(open).toThrow(/./)
  })
})

test.for<[length: number]>([[0], [16], [31], [33]])('a key of %i bytes is refused', ([length]) => {
  const message = `the key of secrets has ${length} bytes; it must have 32`
  expect(() => openSecretBox(Buffer.alloc(length), randomBytes)).toThrow(message)
})
