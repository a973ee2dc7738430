import { expect, test } from 'vitest'
import { LookupCache } from './lookup-cache.ts'

function cacheOf(answersMax: number, tenantsMax = 2): LookupCache<string> {
  return new LookupCache({ entriesMax: answersMax, tenantsMax })
}

test('evicts the least recently used lookup', () => {
  const cache = cacheOf(2)
  const generation = cache.getGeneration('a')
  for (const question of ['x', 'y']) cache.set('a', question, question, generation)
  expect(cache.get('a', 'x')).toBe('x')
  cache.set('a', 'z', 'z', generation)
  expect(['x', 'y', 'z'].map((question) => cache.get('a', question))).toEqual(['x', undefined, 'z'])
  expect(cache.getSize('a')).toBe(2)
})

test('evicts the least recently used tenant', () => {
  const cache = cacheOf(2)
  for (const tenant of ['a', 'b']) cache.set(tenant, 'x', tenant, cache.getGeneration(tenant))
  expect(cache.get('a', 'x')).toBe('a')
  cache.set('c', 'x', 'c', cache.getGeneration('c'))
  expect(['a', 'c'].map((tenant) => cache.get(tenant, 'x'))).toEqual(['a', 'c'])
  expect(cache.getSize('b')).toBe(0)
})

test('does not cache a lookup that started before its tenant was invalidated', () => {
  const cache = cacheOf(2)
  const before = cache.getGeneration('a')
  cache.invalidate('a')
  cache.set('a', 'x', 'old', before)
  expect(cache.get('a', 'x')).toBeUndefined()
  cache.set('a', 'x', 'new', cache.getGeneration('a'))
  expect(cache.get('a', 'x')).toBe('new')
})

test('nor one that started before its tenant was evicted and came back', () => {
  const cache = cacheOf(2, 1)
  const before = cache.getGeneration('a')
  cache.getGeneration('b')
  cache.set('a', 'x', 'old', before)
  expect(cache.get('a', 'x')).toBeUndefined()
})

test('caches nothing with a size of 0', () => {
  const cache = cacheOf(0)
  cache.set('a', 'x', 'x', cache.getGeneration('a'))
  expect(cache.get('a', 'x')).toBeUndefined()
})
