import { limits } from '../limits.ts'

/**
 * A sliding window log: counts exactly what happens within `limits.push.windowMs`, by keeping at most `max` instants.
 */
export class WindowCounter {
  readonly #max: number
  readonly #elapsedMs: () => number
  #instants: number[] = []

  constructor(max: number, elapsedMs: () => number) {
    this.#max = max
    this.#elapsedMs = elapsedMs
  }

  /** Counts one more; returns false, without counting, if that is too many. */
  tryAdd(): boolean {
    const nowMs = this.#elapsedMs()
    if (this.#instants.length >= this.#max) this.#instants = this.#instants.filter((at) => at > nowMs - limits.push.windowMs)
    if (this.#instants.length >= this.#max) return false
    this.#instants.push(nowMs)
    return true
  }
}
