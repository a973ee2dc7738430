import { describe, expect, test } from 'vitest'
import { TokenCache } from './token-cache.ts'
import type { Revocation, VerifiedToken } from './token-cache.ts'

function verified(tenant: string, subject: string, sessionId: string): VerifiedToken {
  const session = { id: sessionId, permissionsVersion: 1 }
  return { identity: { tenant, subject, roles: ['viewer'], expiresAt: 1_000, session }, checkedAtMs: 0 }
}

test('caches a token until just before its expiry', () => {
  const cache = new TokenCache({ tokensMax: 2, tokenLengthMax: 10 })
  cache.set('a', verified('acme', 'u', 's'))
  expect(cache.get('a', 999)).toEqual(verified('acme', 'u', 's'))
  expect(cache.get('a', 1_000)).toBeUndefined()
  expect(cache.size).toBe(0)
})

test('evicts the least recently used token', () => {
  const cache = new TokenCache({ tokensMax: 2, tokenLengthMax: 10 })
  for (const token of ['a', 'b']) cache.set(token, verified('acme', 'u', token))
  cache.get('a', 0)
  cache.set('c', verified('acme', 'u', 'c'))
  expect(['a', 'b', 'c'].filter((token) => cache.get(token, 0) !== undefined)).toEqual(['a', 'c'])
})

test('does not cache long tokens', () => {
  const cache = new TokenCache({ tokensMax: 2, tokenLengthMax: 10 })
  cache.set('a'.repeat(11), verified('acme', 'u', 's'))
  expect(cache.size).toBe(0)
})

describe('a revocation', () => {
  test.for<[title: string, tenant: string, revocation: Revocation, left: readonly string[]]>([
    ['of a session', 'acme', { sessionId: 's1' }, ['acme u s2', 'acme v s3', 'other u s1']],
    ['of a user', 'acme', { subject: 'u' }, ['acme v s3', 'other u s1']],
    ['in another tenant', 'other', { subject: 'u' }, ['acme u s1', 'acme u s2', 'acme v s3']],
    ['of nobody', 'none', { subject: 'u' }, ['acme u s1', 'acme u s2', 'acme v s3', 'other u s1']],
  ])('%s', ([, tenant, revocation, left]) => {
    const cache = new TokenCache({ tokensMax: 10, tokenLengthMax: 20 })
    const tokens = ['acme u s1', 'acme u s2', 'acme v s3', 'other u s1']
    for (const token of tokens) {
      const [owner = '', subject = '', sessionId = ''] = token.split(' ')
      cache.set(token, verified(owner, subject, sessionId))
    }
    cache.revoke(tenant, revocation)
    expect(tokens.filter((token) => cache.get(token, 0) !== undefined)).toEqual(left)
  })
})
