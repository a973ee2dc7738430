import { limits } from '../limits.ts'

/**
 * Sends messages to many connections, one message after the other, and yields after each `limits.push.sliceMax` sends,
 * so that other requests are not delayed.
 */
export class Broadcast {
  readonly #pause: () => Promise<void>
  #last: Promise<void> = Promise.resolve()
  #sentCount = 0

  constructor(pause: () => Promise<void>) {
    this.#pause = pause
  }

  /** Calls `send` for each current receiver; resolves when all were served. Earlier calls come first. */
  to<Receiver>(receivers: Iterable<Receiver>, send: (receiver: Receiver) => void): Promise<void> {
    const present = [...receivers]
    this.#last = this.#last.then(() => this.#run(present, send))
    return this.#last
  }

  async #run<Receiver>(receivers: readonly Receiver[], send: (receiver: Receiver) => void): Promise<void> {
    for (const receiver of receivers) {
      if (this.#sentCount >= limits.push.sliceMax) {
        this.#sentCount = 0
        await this.#pause()
      }
      this.#sentCount++
      send(receiver)
    }
  }
}
