import { AppError } from '@tripline/contract/app-error'
import { limits } from './limits.ts'

/** Limits the memory for request bodies, as received and inflated, over all requests of the process. */
export class RequestMemoryLimit {
  #reservedBytes = 0

  /** @throws AppError UNAVAILABLE at the limit; the client should retry soon. */
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
