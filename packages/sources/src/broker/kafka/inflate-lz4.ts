const magic = 0x18_4d_22_04
const [contentSizeFlag, blockChecksumFlag, dictionaryFlag] = [0x08, 0x10, 0x01]
const checksumSize = 4
/** The bit of a block's size that marks it as not compressed. */
const storedBit = 0x80_00_00_00
const minMatch = 4

/**
 * Inflates a frame of LZ4 (its frame format 1.6) within a bound. Checksums are not compared: Kafka has one of its own over the batch.
 *
 * @throws Error for what is no frame, and for more than `bytesMax` bytes.
 */
export function inflateLz4(frame: Buffer, bytesMax: number): Buffer {
  if (frame.length < 7 || frame.readUInt32LE(0) !== magic) throw new Error('messages are no frame of LZ4')
  const flags = frame[4] ?? 0
  // The magic number, flags, a description of blocks, and a checksum of the header.
  let at = 7 + ((flags & contentSizeFlag) === 0 ? 0 : 8) + ((flags & dictionaryFlag) === 0 ? 0 : 4)
  const output = new GrowingOutput(Math.min(bytesMax, frame.length * 4), bytesMax)
  for (;;) {
    const size = frame.readUInt32LE(at)
    at += 4
    if (size === 0) return output.take()
    const length = size % storedBit
    const end = at + length
    if (end > frame.length) throw new Error('a block of LZ4 is longer than its frame')
    if (size >= storedBit) output.append(frame, at, length)
    else inflateBlock(frame.subarray(at, end), output)
    at = end + ((flags & blockChecksumFlag) === 0 ? 0 : checksumSize)
  }
}

function inflateBlock(block: Buffer, output: GrowingOutput): void {
  let at = 0
  /** A length whose half byte is full goes on in the next bytes. */
  const readLength = (first: number): number => {
    let length = first
    if (first < 15) return length
    for (;;) {
      const more = block[at++]
      if (more === undefined) throw new Error('a block of LZ4 ends in a length')
      length += more
      if (more < 255) return length
    }
  }
  while (at < block.length) {
    const token = block[at++] ?? 0
    const literalLength = readLength(token >> 4)
    if (at + literalLength > block.length) throw new Error('a block of LZ4 ends in a literal')
    output.append(block, at, literalLength)
    at += literalLength
    // The last sequence of a block has a literal alone.
    if (at === block.length) return
    const distance = block.readUInt16LE(at)
    at += 2
    output.repeat(distance, readLength(token & 15) + minMatch)
  }
}

/** Bytes that are written at the end and copied from before it: blocks may refer to those before them. */
class GrowingOutput {
  readonly #lengthMax: number
  #bytes: Buffer
  #length = 0

  constructor(size: number, lengthMax: number) {
    this.#bytes = Buffer.alloc(size)
    this.#lengthMax = lengthMax
  }

  append(from: Buffer, start: number, length: number): void {
    this.#makeRoom(length)
    from.copy(this.#bytes, this.#length, start, start + length)
    this.#length += length
  }

  /** Copies bytes that stand `distance` before the end; they may overlap what they make. */
  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.#length) throw new Error('a block of LZ4 refers to before its beginning')
    this.#makeRoom(length)
    const bytes = this.#bytes
    for (const end = this.#length + length; this.#length < end; this.#length++) {
      bytes[this.#length] = bytes[this.#length - distance] ?? 0
    }
  }

  take(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length
    if (needed > this.#lengthMax) throw new Error(`messages inflate to more than ${this.#lengthMax} bytes`)
    if (needed <= this.#bytes.length) return
    const larger = Buffer.alloc(Math.min(this.#lengthMax, Math.max(needed, this.#bytes.length * 2)))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
