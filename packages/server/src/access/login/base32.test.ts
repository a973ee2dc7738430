import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseBase32, printBase32 } from './base32.ts'

// RFC 4648 section 10, without its padding.
test.for<[bytes: string, text: string]>([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('%j is %s', ([bytes, text]) => {
  expect(printBase32(Buffer.from(bytes))).toBe(text)
  expect(Buffer.from(parseBase32(text.toLowerCase()) ?? []).toString()).toBe(bytes)
})

test('a printed value parses to itself', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
    expect(parseBase32(printBase32(bytes))).toEqual(bytes)
  }))
})

test.for(['MZXW6===', 'M1', 'M Z', 'Ä'])('%s is none', (text) => {
  expect(parseBase32(text)).toBeUndefined()
})
