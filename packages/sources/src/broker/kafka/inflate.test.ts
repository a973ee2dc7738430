import fc from 'fast-check'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { codecs, inflateBudget, inflateWithin } from './inflate.ts'

const text = Array.from({ length: 12 }, (_, i) => `event ${i} of a long list of events that repeat\n`).join('')

/** What other programs made of the text: `cramjam` 2.14, which has the libraries in Rust. */
const snappyPiece = Buffer.from(
  'ngRUZXZlbnQgMCBvZiBhIGxvbmcgbGlzdAEPBRo0cyB0aGF0IHJlcGVhdAoFEwQgMQEeni0AADKuLQAAM64tAAA0ri0AADWuLQAANq4tAAA3ri0AADiuLQAAOa4tAAAxtsMBmsQB',
  'base64',
)
const lz4Frame = Buffer.from(
  'BCJNGFRArmoAAADwB2V2ZW50IDAgb2YgYSBsb25nIGxpc3QPAAEaAOJzIHRoYXQgcmVwZWF0Ci0AHzEtABkfMi0AGR8zLQAZHzQtABkfNS0AGR82LQAZHzctABkfOC0AGR85LQAZ'
    + 'HzHDARsPxAEPUHBlYXQKJOjrYAAAAAAU9sjI',
  'base64',
)

/** As producers in Java send snappy: a header, and pieces behind their lengths. */
function toJavaSnappy(...pieces: readonly Buffer[]): Buffer {
  const header = Buffer.from('82534e4150505900' + '00000001' + '00000001', 'hex')
  return Buffer.concat([header, ...pieces.flatMap((piece) => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(piece.length)
    return [length, piece]
  })])
}

/** An LZ4 frame with blocks that are not compressed, the size of its content, and checksums of blocks. */
function toStoredLz4(...blocks: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(15)
  head.writeUInt32LE(0x18_4d_22_04)
  head[4] = 0x58
  const parts = blocks.flatMap((block) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(0x80_00_00_00 + block.length)
    return [size, block, Buffer.alloc(4)]
  })
  return Buffer.concat([head, ...parts, Buffer.alloc(4)])
}

const samples: readonly (readonly [name: string, codec: keyof typeof codecs, compressed: Buffer, inflated: string])[] = [
  ['gzip', 'gzip', gzipSync(text), text],
  ['zstd', 'zstd', zstdCompressSync(text), text],
  ['one piece of snappy', 'snappy', snappyPiece, text],
  ['two pieces of snappy', 'snappy', toJavaSnappy(snappyPiece, snappyPiece), text + text],
  ['lz4', 'lz4', lz4Frame, text],
  ['lz4 with stored blocks', 'lz4', toStoredLz4(Buffer.from('one '), Buffer.from('two')), 'one two'],
]

describe.for(samples)('%s', ([, codec, compressed, inflated]) => {
  test('inflates to what was compressed', async () => {
    expect(String(await codecs[codec](compressed, inflated.length))).toBe(inflated)
  })

  test('is refused where it inflates to a byte more than may be', async () => {
    await expect((async () => await codecs[codec](compressed, inflated.length - 1))()).rejects.toThrow(/more than|larger than/)
  })

  test('is refused, or read within the bound, however it is changed or cut', async () => {
    const bytesMax = 2_000
    const changes = fc.array(fc.tuple(fc.nat(compressed.length - 1), fc.nat(255)), { maxLength: 4 })
    const lengths: number[] = []
    await fc.assert(fc.asyncProperty(changes, fc.nat(compressed.length), async (changed, length) => {
      const bytes = Buffer.from(compressed)
      for (const [at, byte] of changed) bytes[at] = byte
      const outcome = await (async () => await codecs[codec](bytes.subarray(0, length), bytesMax))().catch((error: unknown) => error)
      if (outcome instanceof Buffer) lengths.push(outcome.length)
      else expect(outcome).toBeInstanceOf(Error)
    }), { seed: 20_261_129, numRuns: 300 })
    expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(bytesMax)
  })
})

test('the messages of one answer share a budget', async () => {
  await inflateBudget.run({ left: text.length * 2 }, async () => {
    for (let i = 0; i < 2; i++) expect(String(await inflateWithin(codecs.lz4, lz4Frame))).toBe(text)
    await expect(inflateWithin(codecs.lz4, lz4Frame)).rejects.toThrow('more than')
  })
})
