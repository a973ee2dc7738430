import type { Instant } from './time-scale.ts'

/** How an engine tells time by events. */
export type EventTimeOptions = {
  /**
   * How many milliseconds an event may be older than the newest one and still be correlated. Correlations wait that long
   * for it, so that every order of arrival within gives the same matches. Infinite: no event is late, and all of them wait
   * for the end of the stream. Default 0.
   */
  readonly allowedLatenessMs?: number
  /** How many milliseconds the clock of an event may be ahead of the time of its arrival. Default 300,000. */
  readonly futureToleranceMs?: number
  /** Milliseconds since the epoch, against which the future is judged where no time of arrival is known. */
  readonly clock?: () => number
}

/** What was wrong with the times of events that rules of correlations matched. */
export type TimeCounts = {
  /** Older than the allowed lateness: not correlated. */
  readonly late: number
  /** Ahead of their arrival by more than the tolerance: taken to have happened when they arrived. */
  readonly future: number
  /** Without a credible time: taken to have happened when they arrived. */
  readonly undated: number
}

/** How a clock is set, on the scale of its instants. */
export type ClockSettings = { readonly lateness: Instant; readonly tolerance: Instant; readonly now: () => Instant }

/**
 * Event time with a watermark and bounded out-of-orderness, as in Flink and Beam: before the watermark nothing more is
 * expected. It only moves on, and an event that claims to be from the future does not move it.
 */
export class EventClock {
  readonly #settings: ClockSettings
  #newestAt = -Infinity
  /** What the watermark is at least, whatever lateness is allowed. */
  #floor = -Infinity
  /** Whether an event has stated its time. */
  #isDated = false
  readonly #counts = { late: 0, future: 0, undated: 0 }

  constructor(settings: ClockSettings) {
    this.#settings = settings
  }

  get counts(): TimeCounts {
    return { ...this.#counts }
  }

  /** Nothing older is correlated any more. */
  get watermark(): Instant {
    // The end of a stream is the end whatever lateness is allowed; an infinite one leaves no other watermark.
    if (this.#newestAt === Infinity) return Infinity
    return Math.max(this.#newestAt - this.#settings.lateness, this.#floor)
  }

  /** The newest time that an event stated, or that was reached without one. */
  get newestAt(): Instant {
    return this.#newestAt
  }

  /**
   * Takes in when an event happened, if it states that, and when it arrived, if that is known, and returns the time
   * that it is taken to have happened at; undefined where it is too late. One from the future waits until the others
   * have come as far as its arrival, and so does one without a time where others state theirs.
   */
  observe(statedAt: Instant | undefined, receivedAt: Instant | undefined): Instant | undefined {
    const isFuture = statedAt !== undefined && statedAt > (receivedAt ?? this.#settings.now()) + this.#settings.tolerance
    const at = statedAt === undefined || isFuture ? this.#arrivalOf(receivedAt) : statedAt
    if (isFuture) this.#counts.future++
    else if (statedAt === undefined) this.#counts.undated++
    else this.#isDated = true
    if (at < this.watermark) {
      this.#counts.late++
      return undefined
    }
    // Arrival may be far ahead of the times that events state, and would make them late.
    const movesTime = statedAt === undefined ? !this.#isDated : !isFuture
    if (movesTime) this.#newestAt = Math.max(this.#newestAt, at)
    return at
  }

  /** Moves on to a time that was reached without events. */
  advance(to: Instant): void {
    this.#newestAt = Math.max(this.#newestAt, to)
  }

  /** Stops waiting for what is older than a time. */
  raise(watermark: Instant): void {
    this.#floor = Math.max(this.#floor, watermark)
  }

  /** Goes on from where another clock was. */
  resume({ newestAt, watermark, counts }: { newestAt: Instant; watermark: Instant; counts: TimeCounts }): void {
    this.advance(newestAt)
    this.raise(watermark)
    const { late, future, undated } = counts
    Object.assign(this.#counts, { late, future, undated })
  }

  /** When an event arrived, as far as that is known: with the newest one, if nothing else shows it. */
  #arrivalOf(receivedAt: Instant | undefined): Instant {
    const arrivedAt = [receivedAt, this.#newestAt, this.#settings.now()].find((at) => at !== undefined && Number.isFinite(at))
    return arrivedAt ?? 0
  }
}
