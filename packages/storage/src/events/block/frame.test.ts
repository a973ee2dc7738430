import { createHook } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits } from '../../limits.ts'
import { FrameWriter, ownFrameLengthMin } from './frame.ts'

test('the frames of all blocks leave threads to the files of others', async () => {
  let [underWay, underWayMax, count] = [0, 0, 0]
  const compressing = new Set<number>()
  const hook = createHook({
    init(id, type) {
      if (type !== 'ZLIB') return
      compressing.add(id)
      count++
      underWayMax = Math.max(underWayMax, ++underWay)
    },
    // Node calls back where a compression has ended.
    before(id) {
      if (compressing.delete(id)) underWay--
    },
  })
  const frameCount = 10
  hook.enable()
  try {
    await Promise.all(['one block', 'another block'].map(async () => {
      const writer = new FrameWriter(ownFrameLengthMin)
      for (let i = 0; i < frameCount; i++) writer.add(randomBytes(2 * ownFrameLengthMin))
      const { frames } = await writer.finish(0)
      expect(frames).toHaveLength(frameCount)
    }))
  } finally {
    hook.disable()
  }
  expect([count, underWayMax]).toEqual([2 * frameCount, limits.events.compressionsAtOnceMax])
})
