import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeAccountEmail } from './account.ts'

test.for<[written: string, name: string]>([
  ['ann@example.org', 'ann@example.org'],
  [' Ann@EXAMPLE.org\n', 'ann@example.org'],
  ['É@example.org', 'é@example.org'],
  ['E\u0301@example.org', 'é@example.org'],
  ['T\u0308@example.org', '\u1e97@example.org'],
])('%j is %j', ([written, name]) => {
  expect(normalizeAccountEmail(written)).toBe(name)
})

test('normalizing is idempotent and independent of composition', () => {
  const letters = fc.constantFrom('T', 'Ϋ', 'ᾼ', 'İ', 'ß', 'a', '\u0301', '\u0308', '\u0307', '@')
  fc.assert(fc.property(fc.oneof(fc.string({ unit: letters }), fc.string({ unit: 'binary' })), (email) => {
    const name = normalizeAccountEmail(email)
    expect(normalizeAccountEmail(name)).toBe(name)
    expect(normalizeAccountEmail(email.normalize('NFD'))).toBe(name)
  }))
})
