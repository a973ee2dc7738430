import { expect, test } from 'vitest'
import { TailCache } from './tail-cache.ts'

test('holds the last records by position, and evicts the oldest beyond its bytes', () => {
  const recent = new TailCache(10)
  const places = [[1, 0], [1, 4], [2, 0]] as const
  for (const [fileNumber, start] of places) recent.add({ fileNumber, start, end: start + 4 }, Buffer.from(`${fileNumber}:${start}.`))
  expect(places.map(([fileNumber, start]) => recent.get(fileNumber, start)?.toString())).toEqual([undefined, '1:4.', '2:0.'])
  expect(recent.get(1, 3)).toBeUndefined()
})

test('caches no record longer than its bound', () => {
  const recent = new TailCache(10)
  recent.add({ fileNumber: 1, start: 0, end: 11 }, Buffer.alloc(11))
  expect(recent.get(1, 0)).toBeUndefined()
})
