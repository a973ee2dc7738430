import { expect, test } from 'vitest'
import { BlockCache, CachedValue } from './block-cache.ts'

test('a value is loaded once for all that ask for it at a time, and again after a failure or when it was evicted', async () => {
  const cache = new BlockCache(15)
  let loadCount = 0
  let isBroken = true
  const piece = new CachedValue(cache, async () => {
    loadCount++
    if (isBroken) throw new Error('the disk is away')
    return { value: loadCount, bytes: 10 }
  })
  expect((await Promise.allSettled([piece.get(), piece.get()])).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect([await Promise.all([piece.get(), piece.get(), piece.get()]), await piece.get(), cache.byteCount]).toEqual([[2, 2, 2], 2, 10])
  await new CachedValue(cache, async () => ({ value: 0, bytes: 10 })).get()
  await new CachedValue(cache, async () => ({ value: 0, bytes: 10 })).get()
  expect(await piece.get()).toBe(3)
})
