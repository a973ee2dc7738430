/** One line of the input. */
export type Line = {
  /** Counts from 0. */
  readonly number: number
  /** The line without its line feed; undefined when it is longer than the limit. */
  readonly bytes: Buffer | undefined
}

const lineFeed = 0x0a

/**
 * Splits bytes at line feeds. Keeps the start of a line until its end arrives, but never more than
 * `lineBytesMax` bytes of it: a longer line is passed over and given without its bytes.
 */
export class LineSplitter {
  readonly #lineBytesMax: number
  #number = 0
  /** The pieces of the line that has begun; joined only once, for else a long line would cost its square. */
  #pieces: Buffer[] = []
  #length = 0

  constructor(lineBytesMax: number) {
    this.#lineBytesMax = lineBytesMax
  }

  /** The lines that end within the chunk. */
  *split(chunk: Buffer): Generator<Line> {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, start)) {
      this.#add(chunk.subarray(start, end))
      yield this.#take()
      start = end + 1
    }
    this.#add(chunk.subarray(start))
  }

  /** The last line, when it does not end with a line feed. */
  *end(): Generator<Line> {
    if (this.#length > 0) yield this.#take()
  }

  #add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#length += piece.length
    if (this.#length > this.#lineBytesMax) this.#pieces = []
    else this.#pieces.push(piece)
  }

  #take(): Line {
    const isTooLong = this.#length > this.#lineBytesMax
    const [first = Buffer.alloc(0), ...others] = this.#pieces
    const bytes = others.length === 0 ? first : Buffer.concat(this.#pieces)
    const line = { number: this.#number++, bytes: isTooLong ? undefined : bytes }
    this.#pieces = []
    this.#length = 0
    return line
  }
}
