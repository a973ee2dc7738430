import { expect, test } from 'vitest'
import { CorruptionError } from '../../log/byte-reader.ts'
import { createReadBatch } from './read-batch.ts'

const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251))

test.for<[what: string, ranges: readonly (readonly [number, number])[], reads: readonly (readonly [number, number])[]]>([
  ['one range', [[5, 10]], [[5, 10]]],
  ['close ranges, in any order', [[50, 10], [5, 10], [15, 3]], [[5, 55]]],
  ['ranges that overlap', [[5, 100], [20, 10]], [[5, 100]]],
  ['ranges far apart', [[100_000, 10], [5, 10]], [[5, 10], [100_000, 10]]],
])('reads %s', async ([, ranges, reads]) => {
  const done: (readonly [number, number])[] = []
  const read = createReadBatch(async (offset, length) => {
    done.push([offset, length])
    return content.subarray(offset, offset + length)
  })
  const found = await Promise.all(ranges.map(([offset, length]) => read(offset, length)))
  expect(found.map((bytes) => bytes.toString('hex'))).toEqual(ranges.map(([offset, length]) => content.toString('hex', offset, offset + length)))
  expect(done).toEqual(reads)
})

test('reads ranges alone where something between them cannot be read', async () => {
  const read = createReadBatch(async (offset, length) => {
    if (offset <= 100 && 100 < offset + length) throw new CorruptionError('a sector cannot be read')
    return content.subarray(offset, offset + length)
  })
  const found = await Promise.allSettled([read(0, 50), read(90, 20), read(150, 50)])
  expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
