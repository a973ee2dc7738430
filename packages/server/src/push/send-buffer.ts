import { limits } from '../limits.ts'
import type { Socket } from './socket.ts'

/**
 * Hands messages to a wire, and decides what becomes of them where its reader is slow (D-35): updates of metrics wait,
 * the newest in place of the one before; events of live tails are left out; whatever else has no room ends the connection.
 */
export class SendBuffer {
  readonly #socket: Socket
  readonly #onOverflow: () => void
  #waitingMetrics: Uint8Array | undefined

  constructor(wire: Socket, onOverflow: () => void) {
    this.#socket = wire
    this.#onOverflow = onOverflow
  }

  /** Whether so many bytes may be sent now. */
  hasCapacity(byteCount: number): boolean {
    return this.#socket.bufferedBytes() + byteCount <= limits.push.bufferBytesMax
  }

  /** Sends what the client must not miss. */
  send(message: Uint8Array): void {
    if (this.#trySend(message)) return
    this.#onOverflow()
  }

  /** Sends an update of metrics, later if it must be. */
  sendMetrics(message: Uint8Array): void {
    this.#waitingMetrics = this.#trySend(message) ? undefined : message
  }

  /** Sends events of a live tail; false where there is no room for them. */
  sendTail(message: Uint8Array): boolean {
    return this.#trySend(message)
  }

  /** Sends what waits, as soon as there is room. */
  flush(): void {
    if (this.#waitingMetrics !== undefined) this.sendMetrics(this.#waitingMetrics)
  }

  #trySend(message: Uint8Array): boolean {
    if (!this.hasCapacity(message.length)) return false
    this.#socket.send(message)
    return true
  }
}
