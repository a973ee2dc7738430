import { limits } from '../limits.ts'

/** Limits the datagrams of each source address in a second, so that one cannot use up the room of all. */
export class SourceRates {
  readonly #now: () => number
  #second = 0
  #counts = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts a datagram; false over the limit. */
  admit(address: string): boolean {
    const { sourceMessagesPerSecondMax, sourcesCountedMax } = limits.syslog
    const second = Math.floor(this.#now() / 1_000)
    if (second !== this.#second) {
      this.#second = second
      this.#counts = new Map()
    }
    const count = (this.#counts.get(address) ?? 0) + 1
    // Invented addresses must not take memory: beyond so many of them, one second holds no more.
    if (count === 1 && this.#counts.size >= sourcesCountedMax) return false
    this.#counts.set(address, count)
    return count <= sourceMessagesPerSecondMax
  }
}
