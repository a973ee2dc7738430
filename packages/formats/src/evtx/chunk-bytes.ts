import { EvtxError } from './evtx-error.ts'

/** A cursor over the bytes of one chunk of a log; offsets count from the start of the chunk, as in its own references. */
export class ChunkBytes {
  readonly bytes: Buffer
  position: number
  readonly end: number

  constructor(bytes: Buffer, position: number, end: number) {
    const isInside = position >= 0 && position <= end && end <= bytes.length
    if (!isInside) throw new EvtxError(`the bytes ${position} to ${end} lie outside of the chunk`)
    this.bytes = bytes
    this.position = position
    this.end = end
  }

  /** A second cursor over the same chunk. */
  at(position: number, end = this.bytes.length): ChunkBytes {
    return new ChunkBytes(this.bytes, position, end)
  }

  readUint8(): number {
    return this.bytes.readUInt8(this.#skip(1))
  }

  peekUint8(): number {
    return this.position < this.end ? this.bytes.readUInt8(this.position) : 0
  }

  readUint16(): number {
    return this.bytes.readUInt16LE(this.#skip(2))
  }

  readUint32(): number {
    return this.bytes.readUInt32LE(this.#skip(4))
  }

  /** Skips bytes and returns where they begin. */
  skip(byteLength: number): number {
    return this.#skip(byteLength)
  }

  /** Reads a text of UTF-16 code units. */
  readText(unitCount: number): string {
    const start = this.#skip(2 * unitCount)
    return this.bytes.toString('utf16le', start, start + 2 * unitCount)
  }

  #skip(byteLength: number): number {
    const start = this.position
    if (start + byteLength > this.end) throw new EvtxError('a value goes beyond the end of its record')
    this.position = start + byteLength
    return start
  }
}
