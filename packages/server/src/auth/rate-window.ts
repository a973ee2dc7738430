/** How many requests a key may make in any stretch of time this long, and how many keys are counted at once. */
export type WindowBounds = { readonly requestsMax: number; readonly windowMs: number; readonly keysMax: number }

/** How many requests of a key are in its window now, and when the oldest leaves it: 0 where there is none. */
export type WindowView = { readonly count: number; readonly oldestEndsInMs: number }

/**
 * Counts requests of many keys in sliding windows, exactly: the instants of all that are in view are kept, at most
 * `requestsMax` of a key. A window is `(now - windowMs, now]`. Where keys are more than `keysMax`, the one that made
 * no request for longest is forgotten; what may be in memory is bounded by both.
 */
export class SlidingWindowLog {
  readonly requestsMax: number
  readonly #windowMs: number
  readonly #keysMax: number
  /** In the order of their last request, so that what can be forgotten stands first. */
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

  /** Counts a request. The caller has looked: of a window that is full, the oldest instant is lost. */
  add(key: string, elapsedMs: number): void {
    const ring = this.#rings.get(key) ?? { instants: new Float64Array(ringSizeMin), start: 0, count: 0, newestMs: elapsedMs }
    dropUntil(ring, elapsedMs - this.#windowMs)
    if (ring.count === this.requestsMax) dropUntil(ring, at(ring, 0))
    append(ring, elapsedMs)
    this.#rings.delete(key)
    this.#rings.set(key, ring)
    this.#evictQuietKeys(elapsedMs)
  }

  /** Two for each that comes, so that keys which are quiet go even where there is room. */
  #evictQuietKeys(elapsedMs: number): void {
    let budget = 2
    for (const [key, { newestMs }] of this.#rings) {
      const isQuiet = newestMs <= elapsedMs - this.#windowMs
      if (budget-- === 0 || (!isQuiet && this.#rings.size <= this.#keysMax)) return
      this.#rings.delete(key)
    }
  }
}

/** Instants in a circle, oldest at `start`; it doubles when it is full. */
type Ring = { instants: Float64Array; start: number; count: number; newestMs: number }

const ringSizeMin = 4

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
