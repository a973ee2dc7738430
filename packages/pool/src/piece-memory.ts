import { limits } from './limits.ts'

/**
 * The memory of pieces: who pushes one gives it away, and what the workers are done with is used for pieces to come.
 * Memory that is new with every piece would be garbage of every thread it passes, for which each of them walks all of its rules
 * again and again.
 */
export class PieceMemory {
  readonly #countMax: number
  readonly #spare: ArrayBuffer[] = []

  /** Keeps at most `countMax` pieces' memory. */
  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /**
   * Bytes that another thread can have, out of the caller's reach unless their memory is shared; a part of an
   * ArrayBuffer is copied, for the rest is the caller's.
   */
  takeOver(bytes: Uint8Array): Uint8Array {
    const { buffer } = bytes
    if (buffer instanceof SharedArrayBuffer) return bytes
    if (bytes.byteLength === buffer.byteLength) return structuredClone(bytes, { transfer: [buffer] })
    const copy = new Uint8Array(this.#memoryFor(bytes.byteLength), 0, bytes.byteLength)
    copy.set(bytes)
    return copy
  }

  /** Takes back what a worker is done with. */
  giveBack(memory: ArrayBuffer): void {
    if (this.#spare.length < this.#countMax && memory.byteLength <= limits.spareBytesMax) this.#spare.push(memory)
  }

  #memoryFor(byteLength: number): ArrayBuffer {
    const spare = this.#spare.pop()
    if (spare !== undefined && spare.byteLength >= byteLength) return spare
    // Pieces end with a line, and the next one may end a little later.
    return new ArrayBuffer(byteLength + (byteLength >> 3))
  }
}
