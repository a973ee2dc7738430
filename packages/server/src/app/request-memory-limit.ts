import { AppError } from '../domain/app-error.ts'
import { limits } from '../limits.ts'

/** Counts the bytes of request bodies that the process holds, as sent and inflated, in all requests together. */
export class BodyBudget {
  #heldBytes = 0

  /** @throws AppError UNAVAILABLE when there is no room; the sender should try again soon. */
  take(byteCount: number): void {
    if (this.#heldBytes + byteCount > limits.request.bodiesHeldBytesMax) {
      throw new AppError('UNAVAILABLE', 'the server holds as many bytes of requests as it may')
    }
    this.#heldBytes += byteCount
  }

  giveBack(byteCount: number): void {
    this.#heldBytes -= byteCount
  }
}
