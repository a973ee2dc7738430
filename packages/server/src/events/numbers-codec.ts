import { ByteReader, CorruptionError } from '../records/byte-reader.ts'
import { ByteWriter } from '../records/byte-writer.ts'

/** Numbers one after the other, as many as a block has rows at most. */
export type Numbers = ArrayLike<number>

/** Writes whole numbers of up to 2^52 to either side as differences, which are small where numbers ascend. */
export function encodeDeltas(numbers: Iterable<number>): Buffer {
  const writer = new ByteWriter()
  let before = 0
  for (const number of numbers) {
    const delta = number - before
    writer.varint(delta < 0 ? -2 * delta - 1 : 2 * delta)
    before = number
  }
  return writer.done()
}

export function decodeDeltas(bytes: Buffer, count: number): Float64Array {
  const reader = new ByteReader(bytes)
  const numbers = new Float64Array(count)
  let before = 0
  for (let i = 0; i < count; i++) {
    const written = reader.varint()
    before += written % 2 === 1 ? -(written + 1) / 2 : written / 2
    numbers[i] = before
  }
  return numbers
}

/** Writes codes below `size` in 1, 2 or 4 bytes each. */
export function encodeCodes(codes: readonly number[], size: number): Buffer {
  const packed = size <= 0x100 ? Uint8Array.from(codes) : size <= 0x10000 ? Uint16Array.from(codes) : Uint32Array.from(codes)
  return Buffer.from(packed.buffer)
}

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** Every code is below `size`, or it is damage. */
export function decodeCodes(bytes: Buffer, count: number, size: number): Codes {
  const width = size <= 0x100 ? 1 : size <= 0x10000 ? 2 : 4
  if (bytes.length !== count * width) throw new CorruptionError(`${bytes.length} bytes are not ${count} codes`)
  // A copy, because a view of two or four bytes has to begin at a multiple of them.
  const buffer = new Uint8Array(bytes).buffer
  const codes = width === 1 ? new Uint8Array(buffer) : width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer)
  for (let i = 0; i < count; i++) if (codes[i]! >= size) throw new CorruptionError(`code ${codes[i]} is not one of ${size}`)
  return codes
}
