import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'

/** Numbers of the rows of a block. */
export type Numbers = ArrayLike<number>

/** Encodes integers of up to 2^52 as zigzag varint deltas, which are small where numbers ascend. */
export function encodeDeltas(numbers: Iterable<number>): Buffer {
  const writer = new ByteWriter()
  writeDeltas(writer, numbers)
  return writer.done()
}

export function decodeDeltas(bytes: Buffer, count: number): Float64Array {
  return readDeltas(new ByteReader(bytes), count)
}

/** Writes numbers as `encodeDeltas` does. */
export function writeDeltas(writer: ByteWriter, numbers: Iterable<number>): void {
  let before = 0
  for (const number of numbers) {
    const delta = number - before
    writer.varint(delta < 0 ? -2 * delta - 1 : 2 * delta)
    before = number
  }
}

export function readDeltas(reader: ByteReader, count: number): Float64Array {
  const numbers = new Float64Array(count)
  reader.varints(numbers)
  let before = 0
  for (let i = 0; i < count; i++) {
    before += readZigzag(numbers[i]!)
    numbers[i] = before
  }
  return numbers
}

function readZigzag(written: number): number {
  // Integers of 32 bits, which nearly all are, take a fraction of the time of the remainder of a double.
  if (written <= 0x7fffffff) return (written >>> 1) ^ -(written & 1)
  return written % 2 === 1 ? -(written + 1) / 2 : written / 2
}

/** Encodes codes below `size` in 1, 2 or 4 bytes each. */
export function encodeCodes(codes: readonly number[], size: number): Buffer {
  const packed = size <= 0x100 ? Uint8Array.from(codes) : size <= 0x10000 ? Uint16Array.from(codes) : Uint32Array.from(codes)
  return Buffer.from(packed.buffer)
}

export type Codes = Uint8Array | Uint16Array | Uint32Array

/** Decodes codes; one at or above `size` is corruption. */
export function decodeCodes(bytes: Buffer, count: number, size: number): Codes {
  const width = size <= 0x100 ? 1 : size <= 0x10000 ? 2 : 4
  if (bytes.length !== count * width) throw new CorruptionError(`${bytes.length} bytes do not hold ${count} codes`)
  // A copy, because views of two or four bytes must be aligned.
  const buffer = new Uint8Array(bytes).buffer
  const codes = width === 1 ? new Uint8Array(buffer) : width === 2 ? new Uint16Array(buffer) : new Uint32Array(buffer)
  for (let i = 0; i < count; i++) if (codes[i]! >= size) throw new CorruptionError(`code ${codes[i]} is not below ${size}`)
  return codes
}
