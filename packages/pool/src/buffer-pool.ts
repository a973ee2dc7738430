import { limits } from './limits.ts'

/**
 * The memory of pieces: who pushes one gives it away, and what workers are done with is used for pieces to come.
 * Memory that is new with every piece is garbage of every thread it passes, and tells each of them again and again to
 * look through all the rules that it holds for more.
 */
export class BufferPool {
  readonly #countMax: number
  readonly #spare: ArrayBuffer[] = []
  /** What was lent and is not back: it is taken as it is, however much of it is filled. */
  readonly #lent = new WeakSet<ArrayBuffer>()

  /** Keeps the memory of at most `countMax` pieces. */
  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** Memory to write a piece to. */
  acquire(byteLength: number): Uint8Array {
    const memory = this.#findBuffer(byteLength)
    this.#lent.add(memory)
    return new Uint8Array(memory, 0, byteLength)
  }

  /**
   * Bytes that another thread can have, out of the caller's reach unless their memory is shared; a part of an
   * ArrayBuffer that was not lent is copied, for the rest is the caller's.
   */
  transfer(bytes: Uint8Array): Uint8Array {
    const { buffer, byteLength } = bytes
    if (buffer instanceof SharedArrayBuffer) return bytes
    if (this.#lent.has(buffer) || byteLength === buffer.byteLength) return structuredClone(bytes, { transfer: [buffer] })
    const copy = new Uint8Array(this.#findBuffer(byteLength), 0, byteLength)
    copy.set(bytes)
    return copy
  }

  /** Takes back what was lent and is not handed on after all. */
  release({ buffer }: Uint8Array): void {
    if (buffer instanceof ArrayBuffer && this.#lent.delete(buffer)) this.recycle(buffer)
  }

  /** Takes back what a worker is done with. */
  recycle(memory: ArrayBuffer): void {
    if (this.#spare.length < this.#countMax && memory.byteLength <= limits.spareBytesMax) this.#spare.push(memory)
  }

  #findBuffer(byteLength: number): ArrayBuffer {
    const spare = this.#spare.pop()
    if (spare !== undefined && spare.byteLength >= byteLength) return spare
    // Pieces end with a line, so that the next one may be a little longer.
    return new ArrayBuffer(byteLength + (byteLength >> 3))
  }
}
