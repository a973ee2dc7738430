import { limits } from '../limits.ts'

/** Counts what happens within `limits.push.windowMs`, exactly: it keeps the instants, as many as may be. */
export class WindowCounter {
  readonly #max: number
  readonly #elapsedMs: () => number
  #instants: number[] = []

  constructor(max: number, elapsedMs: () => number) {
    this.#max = max
    this.#elapsedMs = elapsedMs
  }

  /** Counts one more; false where that is too many, and then it does not count. */
  take(): boolean {
    const nowMs = this.#elapsedMs()
    if (this.#instants.length >= this.#max) this.#instants = this.#instants.filter((at) => at > nowMs - limits.push.windowMs)
    if (this.#instants.length >= this.#max) return false
    this.#instants.push(nowMs)
    return true
  }
}
