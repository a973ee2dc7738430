import { limits } from './limits.ts'

/**
 * A pool of buffers for chunks: buffers that workers have finished with are reused. Allocating a buffer for every chunk
 * would cause frequent garbage collections in each thread, which traverse all of its rules.
 */
export class BufferPool {
  readonly #countMax: number
  readonly #spare: ArrayBuffer[] = []
  /** Buffers lent to the caller: they are transferred whole, even if the chunk fills only a part. */
  readonly #lent = new WeakSet<ArrayBuffer>()

  /** Keeps at most `countMax` spare buffers. */
  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** Lends a buffer for a chunk. */
  acquire(byteLength: number): Uint8Array {
    const memory = this.#findBuffer(byteLength)
    this.#lent.add(memory)
    return new Uint8Array(memory, 0, byteLength)
  }

  /**
   * Returns bytes that can be sent to another thread. Detaches the caller's ArrayBuffer unless the memory is shared;
   * copies a part of an ArrayBuffer that was not lent, because the caller may use the rest.
   */
  transfer(bytes: Uint8Array): Uint8Array {
    const { buffer, byteLength } = bytes
    if (buffer instanceof SharedArrayBuffer) return bytes
    if (this.#lent.has(buffer) || byteLength === buffer.byteLength) return structuredClone(bytes, { transfer: [buffer] })
    const copy = new Uint8Array(this.#findBuffer(byteLength), 0, byteLength)
    copy.set(bytes)
    return copy
  }

  /** Takes back a lent buffer that is not pushed. */
  release({ buffer }: Uint8Array): void {
    if (buffer instanceof ArrayBuffer && this.#lent.delete(buffer)) this.recycle(buffer)
  }

  /** Takes back a buffer that a worker has finished with. */
  recycle(memory: ArrayBuffer): void {
    if (this.#spare.length < this.#countMax && memory.byteLength <= limits.spareBytesMax) this.#spare.push(memory)
  }

  #findBuffer(byteLength: number): ArrayBuffer {
    const spare = this.#spare.pop()
    if (spare !== undefined && spare.byteLength >= byteLength) return spare
    // Chunks end with a line, so the next one may be slightly longer.
    return new ArrayBuffer(byteLength + (byteLength >> 3))
  }
}
