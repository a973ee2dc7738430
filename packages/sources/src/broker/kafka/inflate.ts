import { snappyUncompress } from 'hyparquet/src/snappy.js'
import { AsyncLocalStorage } from 'node:async_hooks'
import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import { limits } from '../../limits.ts'
import { inflateLz4 } from './inflate-lz4.ts'

/** Bytes that the messages of one answer may still inflate to. */
type InflateBudget = { left: number }

/** The budget of the session that inflates: the client of Kafka has one codec for all sessions. */
export const inflateBudget = new AsyncLocalStorage<InflateBudget>()

/** Inflates compressed messages within a bound. */
type Inflate = (compressed: Buffer, bytesMax: number) => Buffer | Promise<Buffer>

const gunzipWithin = promisify(gunzip)
const inflateZstdWithin = promisify(zstdDecompress)

export const codecs = {
  gzip: (compressed, bytesMax) => gunzipWithin(compressed, { maxOutputLength: bytesMax }),
  zstd: (compressed, bytesMax) => inflateZstdWithin(compressed, { maxOutputLength: bytesMax }),
  snappy: inflateSnappy,
  lz4: inflateLz4,
} as const satisfies { readonly [name: string]: Inflate }

/** Inflates messages, and counts them against the budget of the session: little compressed data may be very much. */
export async function inflateWithin(inflate: Inflate, compressed: Buffer): Promise<Buffer> {
  const budget = inflateBudget.getStore() ?? { left: limits.broker.inflatedBytesMax }
  const inflated = await inflate(compressed, Math.max(1, budget.left))
  budget.left -= inflated.length
  if (budget.left < 0) throw new Error(`messages inflate to more than ${limits.broker.inflatedBytesMax} bytes`)
  return inflated
}

/** What producers in Java put before pieces of snappy; others send one piece alone. */
const javaHeader = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00])
/** The header and two versions. */
const javaHeaderLength = 16
const lengthSize = 4

function inflateSnappy(compressed: Buffer, bytesMax: number): Buffer {
  if (!compressed.subarray(0, javaHeader.length).equals(javaHeader)) return inflateSnappyPiece(compressed, bytesMax)
  const pieces: Buffer[] = []
  let left = bytesMax
  for (let at = javaHeaderLength; at < compressed.length;) {
    const end = at + lengthSize + compressed.readUInt32BE(at)
    if (end > compressed.length) throw new Error('a piece of snappy is longer than the messages')
    const piece = inflateSnappyPiece(compressed.subarray(at + lengthSize, end), left)
    left -= piece.length
    pieces.push(piece)
    at = end
  }
  return Buffer.concat(pieces)
}

function inflateSnappyPiece(piece: Buffer, bytesMax: number): Buffer {
  const length = readVarint(piece)
  if (length > bytesMax) throw new Error(`messages inflate to more than ${bytesMax} bytes`)
  const inflated = Buffer.alloc(length)
  snappyUncompress(piece, inflated)
  return inflated
}

function readVarint(bytes: Buffer): number {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = bytes[index]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return value
  }
  throw new Error('snappy has no length')
}
