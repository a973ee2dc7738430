import { expect, test } from 'vitest'
import { LookupCache } from './lookup-cache.ts'

function cacheOf(answersMax: number, tenantsMax = 2): LookupCache<string> {
  return new LookupCache({ answersMax, tenantsMax })
}

test('the answer unused longest makes room', () => {
  const cache = cacheOf(2)
  const generation = cache.getGeneration('a')
  for (const question of ['x', 'y']) cache.set('a', question, question, generation)
  expect(cache.get('a', 'x')).toBe('x')
  cache.set('a', 'z', 'z', generation)
  expect(['x', 'y', 'z'].map((question) => cache.get('a', question))).toEqual(['x', undefined, 'z'])
  expect(cache.getSize('a')).toBe(2)
})

test('the tenant unused longest makes room', () => {
  const cache = cacheOf(2)
  for (const tenant of ['a', 'b']) cache.set(tenant, 'x', tenant, cache.getGeneration(tenant))
  expect(cache.get('a', 'x')).toBe('a')
  cache.set('c', 'x', 'c', cache.getGeneration('c'))
  expect(['a', 'c'].map((tenant) => cache.get(tenant, 'x'))).toEqual(['a', 'c'])
  expect(cache.getSize('b')).toBe(0)
})

test('an answer from before its tenant was forgotten is not kept', () => {
  const cache = cacheOf(2)
  const before = cache.getGeneration('a')
  cache.invalidate('a')
  cache.set('a', 'x', 'old', before)
  expect(cache.get('a', 'x')).toBeUndefined()
  cache.set('a', 'x', 'new', cache.getGeneration('a'))
  expect(cache.get('a', 'x')).toBe('new')
})

test('nor is one from before its tenant made room and came back', () => {
  const cache = cacheOf(2, 1)
  const before = cache.getGeneration('a')
  cache.getGeneration('b')
  cache.set('a', 'x', 'old', before)
  expect(cache.get('a', 'x')).toBeUndefined()
})

test('nothing is remembered where there is no room', () => {
  const cache = cacheOf(0)
  cache.set('a', 'x', 'x', cache.getGeneration('a'))
  expect(cache.get('a', 'x')).toBeUndefined()
})
