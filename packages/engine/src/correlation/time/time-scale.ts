export const nanosPerMs = 1_000_000

const dayMs = 86_400_000
/** A first event of a wrong year does not take the scale far from the others. */
const baseMin = Date.UTC(2010, 0, 1)

const baseMax = Date.UTC(2040, 0, 1)

/**
 * Instants as nanoseconds since a base near the events of a stream, so that a 64-bit float states them exactly: every
 * nanosecond within 104 days of the base, every microsecond within two years, every millisecond within 18 years.
 */
export class TimeScale {
  #baseMs: number | undefined

  /** Where the scale begins, in milliseconds since the epoch; undefined before the first instant. */
  get baseMs(): number | undefined {
    return this.#baseMs
  }

  /** Begins where another scale did, whose instants are to be kept. */
  adopt(baseMs: number | undefined): void {
    this.#baseMs = baseMs
  }

  /** An instant from milliseconds since the epoch and the nanoseconds beyond. */
  fromMs(ms: number, nanos = 0): Instant {
    if (!Number.isFinite(ms)) return ms
    this.#baseMs ??= Math.min(Math.max(Math.floor(ms / dayMs) * dayMs, baseMin), baseMax)
    return (ms - this.#baseMs) * nanosPerMs + nanos
  }

  /** Whole milliseconds since the epoch. */
  toMs(instant: Instant): number {
    return Number.isFinite(instant) ? (this.#baseMs ?? 0) + Math.floor(instant / nanosPerMs) : instant
  }
}

/** Nanoseconds on a `TimeScale`. */
export type Instant = number
