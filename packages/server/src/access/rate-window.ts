/** Requests allowed per key in any window of this length, and the maximum number of tracked keys. */
export type WindowBounds = { readonly requestsMax: number; readonly windowMs: number; readonly keysMax: number }

/** Requests of a key in its current window, and when the oldest leaves it; 0 if there are none. */
type WindowView = { readonly count: number; readonly oldestEndsInMs: number }

const ringSizeMin = 4

/**
 * Sliding-window log: counts requests per key exactly by storing the times of all requests in the window, at most
 * `requestsMax` per key. A window is `(now - windowMs, now]`. Beyond `keysMax` keys the one idle for longest is evicted,
 * which bounds memory.
 */
export class SlidingWindowLog {
  readonly requestsMax: number
  readonly #windowMs: number
  readonly #keysMax: number
  /** In order of their last request, so eviction candidates come first. */
  readonly #rings = new Map<string, Ring>()

  constructor({ requestsMax, windowMs, keysMax }: WindowBounds) {
    this.requestsMax = requestsMax
    this.#windowMs = windowMs
    this.#keysMax = keysMax
  }

  get keyCount(): number {
    return this.#rings.size
  }

  peek(key: string, elapsedMs: number): WindowView {
    const ring = this.#rings.get(key)
    if (ring === undefined) return { count: 0, oldestEndsInMs: 0 }
    dropUntil(ring, elapsedMs - this.#windowMs)
    return { count: ring.count, oldestEndsInMs: ring.count === 0 ? 0 : at(ring, 0) + this.#windowMs - elapsedMs }
  }

  /** Counts a request. The caller has checked the limit: in a full window the oldest time is dropped. */
  add(key: string, elapsedMs: number): void {
    const ring = this.#rings.get(key) ?? { instants: new Float64Array(ringSizeMin), start: 0, count: 0, newestMs: elapsedMs }
    dropUntil(ring, elapsedMs - this.#windowMs)
    if (ring.count === this.requestsMax) dropUntil(ring, at(ring, 0))
    append(ring, elapsedMs)
    this.#rings.delete(key)
    this.#rings.set(key, ring)
    this.#evictQuietKeys(elapsedMs)
  }

  /** Evicts up to two keys per request, so idle keys are freed before the maximum is reached. */
  #evictQuietKeys(elapsedMs: number): void {
    let budget = 2
    for (const [key, { newestMs }] of this.#rings) {
      const isQuiet = newestMs <= elapsedMs - this.#windowMs
      if (budget-- === 0 || (!isQuiet && this.#rings.size <= this.#keysMax)) return
      this.#rings.delete(key)
    }
  }
}

/** A ring buffer of times, oldest at `start`; it doubles when full. */
type Ring = { instants: Float64Array; start: number; count: number; newestMs: number }

function at({ instants, start }: Ring, index: number): number {
  return instants[(start + index) % instants.length] ?? 0
}

function dropUntil(ring: Ring, instant: number): void {
  while (ring.count > 0 && at(ring, 0) <= instant) {
    ring.start = (ring.start + 1) % ring.instants.length
    ring.count--
  }
}

function append(ring: Ring, instant: number): void {
  if (ring.count === ring.instants.length) {
    const grown = new Float64Array(2 * ring.count)
    for (let index = 0; index < ring.count; index++) grown[index] = at(ring, index)
    ring.instants = grown
    ring.start = 0
  }
  ring.instants[(ring.start + ring.count) % ring.instants.length] = instant
  ring.count++
  ring.newestMs = instant
}
