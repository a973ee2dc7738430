import { promisify } from 'node:util'
import { constants, crc32, zstdCompress, zstdDecompressSync } from 'node:zlib'
import { DamageError } from './byte-reader.ts'

const compress = promisify(zstdCompress)

/** Where a frame stands among the bytes of a block, and what they must be. */
export type FramePlace = {
  readonly offset: number
  readonly length: number
  /** Bytes once decompressed; the same as `length` where they were not compressed. */
  readonly rawLength: number
  readonly crc: number
}

/** Frames shorter than this are kept as they are: they would hardly shrink. */
const compressedLengthMin = 64
const level = 3

/** Puts frames one after the other, compressed where that helps. Compression runs on other threads. */
export class FrameWriter {
  readonly #frames: Buffer[] = []
  readonly #places: FramePlace[] = []
  #length = 0

  /** Adds a frame; gives its number. */
  async add(raw: Buffer): Promise<number> {
    const bytes = await compressed(raw)
    this.#frames.push(bytes)
    this.#places.push({ offset: this.#length, length: bytes.length, rawLength: raw.length, crc: crc32(bytes) })
    this.#length += bytes.length
    return this.#places.length - 1
  }

  get places(): readonly FramePlace[] {
    return this.#places
  }

  body(): Buffer {
    return Buffer.concat(this.#frames)
  }
}

export async function compressed(raw: Buffer): Promise<Buffer> {
  // A copy: the writer that made the bytes may go on with them.
  if (raw.length < compressedLengthMin) return Buffer.from(raw)
  const bytes = await compress(raw, { params: { [constants.ZSTD_c_compressionLevel]: level } })
  return bytes.length < raw.length ? bytes : Buffer.from(raw)
}

/** Checks the bytes of a frame and decompresses them. */
export function readFrame(bytes: Buffer, { length, rawLength, crc }: FramePlace): Buffer {
  if (bytes.length !== length) throw new DamageError(`${bytes.length} bytes are left of ${length}`)
  if (crc32(bytes) !== crc) throw new DamageError('the checksum is wrong')
  if (length === rawLength) return bytes
  const raw = decompressed(bytes, rawLength)
  if (raw.length !== rawLength) throw new DamageError(`${raw.length} bytes came out instead of ${rawLength}`)
  return raw
}

function decompressed(bytes: Buffer, rawLength: number): Buffer {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: rawLength })
  } catch (error) {
    throw new DamageError(`it cannot be decompressed: ${String(error)}`)
  }
}
