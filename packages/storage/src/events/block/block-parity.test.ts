import { expect, test } from 'vitest'
import { appendParity, getParityLength, repairBlock } from './block-parity.ts'

/** Bytes that do not repeat. */
function createContent(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * 167 + (i >> 8) * 59) & 0xff))
}

async function createBlock(length: number): Promise<Buffer> {
  return await appendParity([createContent(length)], async () => {})
}

const lengths = [1, 255, 256, 257, 512, 5_000, 40_000, 600_001]

test.for(lengths)('a flipped bit anywhere in a block of %i bytes is repaired', async (length) => {
  const block = await createBlock(length)
  expect(block.length).toBe(length + getParityLength(length))
  expect(repairBlock(block, length)).toBe(block)
  const step = length > 10_000 ? 997 : 3
  const offsets = Array.from({ length: Math.ceil(block.length / step) }, (_, i) => i * step)
  // The first and the last bit of the trailer, whatever the step.
  for (const offset of [...offsets, length, block.length - 1]) {
    const flipped = Buffer.from(block)
    flipped[offset]! ^= 1 << (offset === block.length - 1 ? 7 : offset % 8)
    expect([offset, repairBlock(flipped, length)?.equals(block)]).toEqual([offset, true])
  }
})

test.for<[length: number, runLength: number]>([[40_000, 256], [600_001, 4_096], [4_000_000, 28_672]])(
  'in a block of %i bytes a run of %i corrupted bytes is repaired', async ([length, runLength]) => {
    const block = await createBlock(length)
    for (const start of [0, 1, 4_095, 20_000, length - runLength]) {
      const corrupted = Buffer.from(block)
      corrupted.fill(0xff, start, start + runLength)
      expect([start, repairBlock(corrupted, length)?.equals(block)]).toEqual([start, true])
    }
  })

test.for<[title: string, spoil: (block: Buffer, length: number) => void]>([
  ['two chunks of a group', (block) => block.fill(0, 0, 1_200)],
  ['both tables', (block, length) => block.fill(0xff, length, length + getParityLength(length) - 512)],
  ['a chunk and the parity of its group', (block) => {
    block[0]! ^= 1
    block[block.length - 512]! ^= 1
  }],
])('%s cannot be repaired', async ([, spoil]) => {
  const length = 5_000
  const block = await createBlock(length)
  spoil(block, length)
  expect(repairBlock(block, length)).toBeUndefined()
})

test.for<[length: number, shareMax: number]>([[1_250_000, 0.013], [5_000_000, 0.011], [100_000, 0.035]])(
  'the parity of a block of %i bytes takes at most a share of %d', ([length, shareMax]) => {
    expect(getParityLength(length) / length).toBeLessThanOrEqual(shareMax)
  })
