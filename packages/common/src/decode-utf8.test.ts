import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeUtf8Portably, decodeUtf8 } from './decode-utf8.ts'

test.for<[what: string, bytes: readonly number[], text: string]>([
  ['nothing', [], ''],
  ['ASCII', [0x61, 0x62], 'ab'],
  ['two, three and four bytes', [0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80], 'é€😀'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
  ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
  ['an overlong slash', [0xc0, 0xaf], '\ufffd\ufffd'],
  ['a character cut off', [0xe2, 0x82, 0x22], '\ufffd"'],
  ['the end within a character', [0xf0, 0x9f, 0x98], '\ufffd'],
])('decodes %s', ([, bytes, text]) => {
  expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text)
  expect(decodeUtf8Portably(Uint8Array.from(bytes))).toBe(text)
})

test('decodes any bytes like TextDecoder', () => {
  const anyBytes = fc.uint8Array({ maxLength: 40 })
  const texts = fc.string({ unit: 'grapheme' }).map((text) => Uint8Array.from(Buffer.from(text)))
  const bytes = fc.oneof(anyBytes, texts)
  fc.assert(fc.property(bytes, (some) => {
    expect(decodeUtf8Portably(some)).toBe(decodeUtf8(some))
  }))
})

test('decodes more characters than fit into one call', () => {
  const text = 'aé😀'.repeat(100_000)
  expect(decodeUtf8Portably(Uint8Array.from(Buffer.from(text)))).toBe(text)
})
