import { limits } from './limits.ts'

/** Whole lines of the input. */
export type LineChunk = {
  /** Every line ends with a line feed but perhaps the input's last one. */
  readonly bytes: Uint8Array
  /** Whether the last line stands empty here, because in the input it is longer than the limit. */
  readonly endsWithLongLine: boolean
}

const lineFeed = 0x0a

/**
 * Cuts the input into pieces of whole lines. A piece ends at the latest with the chunk it was read from, so that
 * the events of a slow pipe do not wait for more. Of a line longer than `lineBytesMax` nothing is kept but its end.
 * Each piece is written to `memory` that is asked for it: without, it has its own.
 */
export async function* chunkLines(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  memory: (byteLength: number) => Uint8Array = (byteLength) => new Uint8Array(byteLength),
): AsyncGenerator<LineChunk> {
  const begun = new PartialLine(memory)
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += limits.pieceBytesMax) {
      yield* splitAtLastLine(chunk.subarray(start, start + limits.pieceBytesMax), begun)
    }
  }
  if (begun.isTooLong) yield createLongLineChunk()
  else if (begun.length > 0) yield { bytes: begun.endWith(Buffer.alloc(0)), endsWithLongLine: false }
}

function* splitAtLastLine(bytes: Buffer, begun: PartialLine): Generator<LineChunk> {
  // Whether the line that has begun is too long is known once its end is.
  const firstEnd = bytes.indexOf(lineFeed)
  let start = 0
  if (firstEnd !== -1 && begun.length + firstEnd > limits.lineBytesMax) {
    yield createLongLineChunk()
    begun.clear()
    start = firstEnd + 1
  }
  const end = bytes.lastIndexOf(lineFeed) + 1
  if (end > start) yield { bytes: begun.endWith(bytes.subarray(start, end)), endsWithLongLine: false }
  begun.add(bytes.subarray(Math.max(start, end)))
}

function createLongLineChunk(): LineChunk {
  return { bytes: Buffer.from([lineFeed]), endsWithLongLine: true }
}

/** The start of a line whose end has not been read; no more than `lineBytesMax` bytes of it are kept. */
class PartialLine {
  /** Joined only once, for else a long line would cost its square. */
  #parts: Buffer[] = []
  #length = 0
  readonly #memory: (byteLength: number) => Uint8Array

  constructor(memory: (byteLength: number) => Uint8Array) {
    this.#memory = memory
  }

  /** Bytes of the line so far, whether kept or not. */
  get length(): number {
    return this.#length
  }

  get isTooLong(): boolean {
    return this.#length > limits.lineBytesMax
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#length += bytes.length
    if (this.isTooLong) this.#parts = []
    else this.#parts.push(Buffer.from(bytes))
  }

  /** What was kept and these bytes, copied: who takes a piece may move its memory elsewhere. */
  endWith(bytes: Buffer): Uint8Array {
    const parts = [...this.#parts, bytes]
    const whole = this.#memory(parts.reduce((sum, part) => sum + part.length, 0))
    let end = 0
    for (const part of parts) {
      whole.set(part, end)
      end += part.length
    }
    this.clear()
    return whole
  }

  clear(): void {
    this.#parts = []
    this.#length = 0
  }
}
