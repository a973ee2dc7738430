import { limits } from '../limits.ts'

/** A chunk: whole lines of the input. */
type LineChunk = {
  /** Every line ends with a line feed, except perhaps the last line of the input. */
  readonly bytes: Uint8Array
  /** Whether the last line is empty here because in the input it exceeds the limit. */
  readonly endsWithLongLine: boolean
}

const lineFeed = 0x0a

/**
 * Splits the input into chunks of whole lines. A chunk ends with the read it came from at the latest, so that the
 * events of a slow pipe do not wait for more. Of a line longer than `lineBytesMax` only the line feed is kept.
 * Each chunk is written to a buffer from `memory`; by default it gets its own.
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
  // The length of a partial line is known at its end.
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

/** The start of a line whose end has not been read yet; at most `lineBytesMax` bytes of it are in memory. */
class PartialLine {
  /** Joined once, at the end: joining at each read would be quadratic. */
  #parts: Buffer[] = []
  #length = 0
  readonly #memory: (byteLength: number) => Uint8Array

  constructor(memory: (byteLength: number) => Uint8Array) {
    this.#memory = memory
  }

  /** Bytes of the line so far, dropped ones included. */
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

  /** Copies the partial line and these bytes to one buffer, which the consumer may transfer to another thread. */
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
