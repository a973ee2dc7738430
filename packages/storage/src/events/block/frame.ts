import { SerialQueue } from '@tripline/common/serial-queue'
import { promisify } from 'node:util'
import { constants, crc32, zstdCompress, zstdDecompressSync } from 'node:zlib'
import { limits } from '../../limits.ts'
import { CorruptionError } from '../../log/byte-reader.ts'

const compress = promisify(zstdCompress)
/** Of the whole process, as the threads are. */
const compressions = Array.from({ length: limits.events.compressionsAtOnceMax }, () => new SerialQueue())
let compressionCount = 0

/** Where a frame lies among the bytes of a block, with its checksum. */
export type FrameLocation = {
  readonly offset: number
  readonly length: number
  /** Length after decompression; equal to `length` where it is not compressed. */
  readonly rawLength: number
  readonly crc: number
}

/** A part of a block: a range of the raw bytes of a frame. */
export type PartLocation = { readonly frame: number; readonly offset: number; readonly length: number }

/** Shorter parts share a frame: most columns have few values, and each frame has a cost. */
export const ownFrameLengthMin = 32_768
/** The same in blocks before version 4, in which an event of thirty columns is in as many frames. */
export const formerOwnFrameLengthMin = 8_192
/** A shared frame of this size takes no more parts. */
const sharedLengthMax = 65_536
/** Shorter frames are stored uncompressed: they would hardly shrink. */
const compressedLengthMin = 64
const params = { [constants.ZSTD_c_compressionLevel]: 3 }

type FinishedFrames = {
  readonly parts: readonly PartLocation[]
  readonly frames: readonly FrameLocation[]
  readonly bodyParts: readonly Buffer[]
}

/** Packs the parts of a block into frames, which are compressed by zstd on other threads. */
export class FrameWriter {
  readonly #ownFrameLengthMin: number
  readonly #frames: { readonly rawLength: number; readonly bytes: Promise<Buffer>; readonly crc: Promise<number> }[] = []
  readonly #parts: PartLocation[] = []
  #shared: Buffer[] = []
  #sharedLength = 0
  /** The numbers of the parts in the open shared frame. */
  #sharing: number[] = []
  #sharedCount = 0
  readonly #sharedFrames = new Map<number, number>()

  constructor(ownLengthMin: number) {
    this.#ownFrameLengthMin = ownLengthMin
  }

  /** Adds a part; returns its number. */
  add(raw: Buffer): number {
    const number = this.#parts.length
    if (raw.length >= this.#ownFrameLengthMin) {
      this.#parts.push({ frame: this.#addFrame(raw), offset: 0, length: raw.length })
      return number
    }
    this.#parts.push({ frame: -1, offset: this.#sharedLength, length: raw.length })
    this.#sharing.push(number)
    this.#sharedFrames.set(number, this.#sharedCount)
    this.#shared.push(raw)
    this.#sharedLength += raw.length
    if (this.#sharedLength >= sharedLengthMax) this.#closeShared()
    return number
  }

  /** Identifies the frame that a part shares with others; undefined where it has one of its own. */
  getSharedFrame(part: number): number | undefined {
    return this.#sharedFrames.get(part)
  }

  /** Closes the last shared frame; returns the parts, whose frames are known from then on. */
  closeParts(): readonly PartLocation[] {
    if (this.#sharing.length > 0) this.#closeShared()
    return this.#parts
  }

  /** The parts, their frames from an offset on, and the bytes of each frame. */
  async finish(start: number): Promise<FinishedFrames> {
    this.closeParts()
    const bodyParts = await Promise.all(this.#frames.map(({ bytes }) => bytes))
    const checksums = await Promise.all(this.#frames.map(({ crc }) => crc))
    let offset = start
    const frames = bodyParts.map(({ length }, number) => {
      offset += length
      const { rawLength } = this.#frames[number]!
      return { offset: offset - length, length, rawLength, crc: checksums[number]! }
    })
    return { parts: this.#parts, frames, bodyParts }
  }

  #closeShared(): void {
    const frame = this.#addFrame(Buffer.concat(this.#shared))
    for (const number of this.#sharing) this.#parts[number] = { ...this.#parts[number]!, frame }
    this.#shared = []
    this.#sharedLength = 0
    this.#sharing = []
    this.#sharedCount++
  }

  #addFrame(raw: Buffer): number {
    const bytes = compressIfSmaller(raw)
    // Computed when it is compressed, and not of all frames at once in the end.
    this.#frames.push({ rawLength: raw.length, bytes, crc: bytes.then((written) => crc32(written)) })
    return this.#frames.length - 1
  }
}

/**
 * Compresses bytes, or returns them as they are where that is not smaller. The caller must not change them meanwhile.
 */
export async function compressIfSmaller(raw: Buffer): Promise<Buffer> {
  if (raw.length < compressedLengthMin) return raw
  const queue = compressions[compressionCount++ % compressions.length]!
  const bytes = await queue.run(() => compress(raw, { params }))
  return bytes.length < raw.length ? bytes : raw
}

/** The least chunk size that zlib accepts. */
const chunkSpareBytes = 64

/** Checks the bytes of a frame and decompresses them. */
export function readFrame(bytes: Buffer, { length, rawLength, crc }: FrameLocation): Buffer {
  if (bytes.length !== length) throw new CorruptionError(`the frame has ${bytes.length} bytes instead of ${length}`)
  if (crc32(bytes) !== crc) throw new CorruptionError('the checksum is wrong')
  if (length === rawLength) return bytes
  const raw = decompress(bytes, rawLength)
  if (raw.length !== rawLength) throw new CorruptionError(`${raw.length} bytes came out instead of ${rawLength}`)
  return raw
}

function decompress(bytes: Buffer, rawLength: number): Buffer {
  try {
    // One buffer with a little spare space; otherwise the output is collected from many small ones.
    return zstdDecompressSync(bytes, { maxOutputLength: rawLength, chunkSize: rawLength + chunkSpareBytes })
  } catch (error) {
    throw new CorruptionError(`the frame cannot be decompressed: ${String(error)}`)
  }
}
