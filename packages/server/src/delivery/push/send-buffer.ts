import { limits } from '../limits.ts'
import type { Socket } from './socket.ts'

/**
 * Sends messages to a socket and applies backpressure for slow readers: metrics updates wait, the newest replacing the
 * one before; events of live tails are dropped; any other message that exceeds the buffer ends the connection.
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

  /** Sends a message that the client must not miss. */
  send(message: Uint8Array): void {
    if (this.#trySend(message)) return
    this.#onOverflow()
  }

  /** Sends a metrics update, later if necessary. */
  sendMetrics(message: Uint8Array): void {
    this.#waitingMetrics = this.#trySend(message) ? undefined : message
  }

  /** Sends events of a live tail; returns false if the buffer is full. */
  sendTail(message: Uint8Array): boolean {
    return this.#trySend(message)
  }

  /** Sends the deferred update, if there is space. */
  flush(): void {
    if (this.#waitingMetrics !== undefined) this.sendMetrics(this.#waitingMetrics)
  }

  #trySend(message: Uint8Array): boolean {
    if (!this.hasCapacity(message.length)) return false
    this.#socket.send(message)
    return true
  }
}
