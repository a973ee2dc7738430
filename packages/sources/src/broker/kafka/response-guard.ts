import { limits } from '../../limits.ts'

const sizeLength = 4

/** Follows responses of Kafka, each behind its size in four bytes, and tells when one is announced as longer than its bound. */
export class ResponseGuard {
  #size = 0
  /** Bytes of a size that have come. */
  #sizeCount = 0
  #pendingCount = 0

  accepts(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length;) {
      if (this.#pendingCount > 0) {
        const taken = Math.min(this.#pendingCount, chunk.length - at)
        this.#pendingCount -= taken
        at += taken
        continue
      }
      this.#size = this.#size * 256 + (chunk[at++] ?? 0)
      if (++this.#sizeCount < sizeLength) continue
      if (this.#size > limits.broker.frameBytesMax) return false
      this.#pendingCount = this.#size
      this.#size = 0
      this.#sizeCount = 0
    }
    return true
  }
}
