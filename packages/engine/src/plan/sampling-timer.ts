/** The first calls of a counter are all timed; later, one in `stride` is, and stands for the others. */
const stride = 16

/**
 * Measures the total time of calls by number, in nanoseconds, by systematic sampling. The first calls are all timed,
 * because they may build what later ones use; after that a sample is timed and scaled up.
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

  /** Starts a call and returns the value to pass to `stop`: NaN if the call is not timed. */
  start(number: number): number {
    const calls = this.#calls[number]!++
    return calls < stride || calls % stride === 0 ? this.#now() : Number.NaN
  }

  /** Ends the call; calls of one number do not nest. */
  stop(number: number, startedAt: number): void {
    if (Number.isNaN(startedAt)) return
    const weight = this.#calls[number]! <= stride ? 1 : stride
    // The clock may be set back.
    this.#ns[number]! += weight * Math.max(0, this.#now() - startedAt)
  }

  /** Passes every total above 0 to `take` and resets it; the sampling continues. */
  drain(take: (number: number, ns: number) => void): void {
    for (const [number, ns] of this.#ns.entries()) {
      if (ns === 0) continue
      this.#ns[number] = 0
      take(number, ns)
    }
  }
}
