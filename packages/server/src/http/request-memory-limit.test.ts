import { expect, test } from 'vitest'
import { limits } from './limits.ts'
import { RequestMemoryLimit } from './request-memory-limit.ts'

const { bodiesHeldBytesMax: max } = limits.request

/** Reserves positive numbers of bytes and releases negative ones; lists which reservations were refused. */
function run(steps: readonly number[]): readonly number[] {
  const memory = new RequestMemoryLimit()
  return steps.filter((byteCount) => {
    try {
      if (byteCount < 0) memory.release(-byteCount)
      else memory.reserve(byteCount)
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: 'UNAVAILABLE', message: 'the server holds too many request bodies in memory; retry later' })
      return true
    }
  })
}

test.for<[title: string, steps: readonly number[], refused: readonly number[]]>([
  ['exactly the limit', [max], []],
  ['one byte more', [max + 1], [max + 1]],
  ['bodies that fill it together', [max - 5, 5, 1], [1]],
  ['what was refused takes nothing', [max - 5, 6, 5], [6]],
  ['what was released is free again', [max, -7, 7, 1], [1]],
])('%s', ([, steps, refused]) => {
  expect(run(steps)).toEqual(refused)
})
