import { limits } from '../limits.ts'

/**
 * Sends messages to many, one message after the other, with a pause after each `limits.push.sliceMax` sends, so that
 * who is asked for something else meanwhile does not wait for all of them.
 */
export class Broadcast {
  readonly #pause: () => Promise<void>
  #last: Promise<void> = Promise.resolve()
  #sentCount = 0

  constructor(pause: () => Promise<void>) {
    this.#pause = pause
  }

  /** Calls `send` with each of those who are there now; resolves when all were. What was asked before comes first. */
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
