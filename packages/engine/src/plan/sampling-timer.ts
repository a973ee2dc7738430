/** So many calls are all timed; later ones are one of so many, which stands for the others. */
const stride = 16

/**
 * Adds up how long calls take, by number of what is called, in nanoseconds of a clock that is handed in. The
 * first calls are timed one by one, for they may make what the later ones use; then a sample is, and scaled.
 */
export class SamplingTimer {
  readonly #now: () => number
  readonly #calls: Uint32Array
  readonly #ns: Float64Array

  constructor(size: number, now: () => number) {
    this.#now = now
    this.#calls = new Uint32Array(size)
    this.#ns = new Float64Array(size)
  }

  /** Counts a call that begins; what it returns goes to `stop`. NaN where the call is not timed. */
  start(number: number): number {
    const calls = this.#calls[number]!++
    return calls < stride || calls % stride === 0 ? this.#now() : Number.NaN
  }

  /** Ends the call that began last; calls of one number do not nest. */
  stop(number: number, startedAt: number): void {
    if (Number.isNaN(startedAt)) return
    const weight = this.#calls[number]! <= stride ? 1 : stride
    // A clock may be set back.
    this.#ns[number]! += weight * Math.max(0, this.#now() - startedAt)
  }

  /** Hands every time that is not 0 to `take` and begins again at 0; the samples go on. */
  drain(take: (number: number, ns: number) => void): void {
    for (const [number, ns] of this.#ns.entries()) {
      if (ns === 0) continue
      this.#ns[number] = 0
      take(number, ns)
    }
  }
}
