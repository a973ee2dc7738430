import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'

/** Counts the bytes of request bodies that the process holds, as sent and inflated, in all requests together. */
export class RequestMemoryLimit {
  #reservedBytes = 0

  /** @throws AppError UNAVAILABLE when there is no room; the sender should try again soon. */
  reserve(byteCount: number): void {
    if (this.#reservedBytes + byteCount > limits.request.bodiesHeldBytesMax) {
      throw new AppError('UNAVAILABLE', 'the server holds too many request bodies in memory; retry later')
    }
    this.#reservedBytes += byteCount
  }

  release(byteCount: number): void {
    this.#reservedBytes -= byteCount
  }
}
