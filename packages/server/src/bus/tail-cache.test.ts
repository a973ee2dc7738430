import { expect, test } from 'vitest'
import { RecentRecords } from './tail-cache.ts'

test('has the last records by where they begin, and forgets the oldest beyond its bytes', () => {
  const recent = new RecentRecords(10)
  const places = [[1, 0], [1, 4], [2, 0]] as const
  for (const [fileNumber, start] of places) recent.add({ fileNumber, start, end: start + 4 }, Buffer.from(`${fileNumber}:${start}.`))
  expect(places.map(([fileNumber, start]) => recent.at(fileNumber, start)?.toString())).toEqual([undefined, '1:4.', '2:0.'])
  expect(recent.at(1, 3)).toBeUndefined()
})

test('keeps nothing that is longer than all it may keep', () => {
  const recent = new RecentRecords(10)
  recent.add({ fileNumber: 1, start: 0, end: 11 }, Buffer.alloc(11))
  expect(recent.at(1, 0)).toBeUndefined()
})
