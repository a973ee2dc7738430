import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRefreshToken, printRefreshToken } from './refresh-token.ts'

const secret = Buffer.alloc(32, 1)
const ticket = { tenant: 'acme', sessionId: 's-1', generation: 7 }
const token = printRefreshToken(secret, ticket)

test('a printed token is parsed', () => {
  fc.assert(fc.property(fc.string({ maxLength: 100 }), fc.string({ maxLength: 100 }), fc.nat(), (tenant, sessionId, generation) => {
    const one = { tenant: tenant.toWellFormed(), sessionId: sessionId.toWellFormed(), generation }
    expect(parseRefreshToken(secret, printRefreshToken(secret, one))).toEqual(one)
  }))
})

test('a token with any character changed is refused', () => {
  fc.assert(fc.property(fc.nat(token.length - 2), fc.constantFrom('A', 'Z', 'a', 'z', '0', '9', '-', '_', '.'), (at, letter) => {
    fc.pre(token[at] !== letter)
    expect(parseRefreshToken(secret, token.slice(0, at) + letter + token.slice(at + 1))).toBeUndefined()
  }))
})

test.for<[title: string, text: unknown]>([
  ['of another secret', printRefreshToken(Buffer.alloc(32, 2), ticket)],
  ['without a code', token.slice(0, token.indexOf('.'))],
  ['with an empty code', token.slice(0, token.indexOf('.') + 1)],
  ['that is a list', [token]],
  ['that is nothing', undefined],
  ['of a million letters', `${'a'.repeat(1_000_000)}${token}`],
  ['with a line break', `${token}\n`],
])('a token %s is none', ([, text]) => {
  expect(parseRefreshToken(secret, text)).toBeUndefined()
})
