/** How an engine tells time by events. */
export type EventTimeOptions = {
  /**
   * How many milliseconds an event may be older than the newest one and still be correlated. Correlations
   * wait that long for it, so that every order of arrival within gives the same matches (D-44). Default 0.
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

/**
 * Tells what time it is by the events themselves: the watermark, before which nothing more is expected. It
 * only moves on, and an event that claims to be from the future does not move it.
 */
export class EventClock {
  readonly #latenessMs: number
  readonly #toleranceMs: number
  readonly #now: () => number
  #newestAt = -Infinity
  /** What the watermark is at least, whatever lateness is allowed. */
  #floor = -Infinity
  /** Whether an event has stated its time. */
  #isDated = false
  readonly #counts = { late: 0, future: 0, undated: 0 }

  constructor({ allowedLatenessMs = 0, futureToleranceMs = 300_000, clock = () => Infinity }: EventTimeOptions) {
    this.#latenessMs = allowedLatenessMs
    this.#toleranceMs = futureToleranceMs
    this.#now = clock
  }

  get counts(): TimeCounts {
    return { ...this.#counts }
  }

  /** Nothing older is correlated any more. */
  get watermark(): number {
    return Math.max(this.#newestAt - this.#latenessMs, this.#floor)
  }

  /** The newest time that was told; where a clock begins that goes on from it. */
  get newestAt(): number {
    return this.#newestAt
  }

  /**
   * Takes in when an event happened, if it says so, and when it arrived, if that is known, and answers with the time
   * that it is taken to have happened at; undefined where it is too late. One from the future waits until the others
   * have come as far as its arrival, and so does one without a time where others state theirs.
   */
  observe(statedAt: number | undefined, receivedAt: number | undefined): number | undefined {
    const isFuture = statedAt !== undefined && statedAt > (receivedAt ?? this.#now()) + this.#toleranceMs
    const at = statedAt === undefined || isFuture ? this.#arrivedAt(receivedAt) : statedAt
    if (isFuture) this.#counts.future++
    else if (statedAt === undefined) this.#counts.undated++
    else this.#isDated = true
    if (at < this.watermark) {
      this.#counts.late++
      return undefined
    }
    // Arrival may be far ahead of the times that events state, and would make them late.
    const tellsTime = statedAt === undefined ? !this.#isDated : !isFuture
    if (tellsTime) this.#newestAt = Math.max(this.#newestAt, at)
    return at
  }

  /** Moves on to a time that was reached without events. */
  advance(to: number): void {
    this.#newestAt = Math.max(this.#newestAt, to)
  }

  /** Waits no longer for what is older than a time. */
  raise(watermark: number): void {
    this.#floor = Math.max(this.#floor, watermark)
  }

  /** Goes on from where another clock was. */
  takeOver({ newestAt, watermark, counts }: { newestAt: number; watermark: number; counts: TimeCounts }): void {
    this.advance(newestAt)
    this.raise(watermark)
    const { late, future, undated } = counts
    Object.assign(this.#counts, { late, future, undated })
  }

  /** When an event arrived, as far as that is known: with the newest one, if nothing else tells. */
  #arrivedAt(receivedAt: number | undefined): number {
    const arrivedAt = [receivedAt, this.#newestAt, this.#now()].find((at) => at !== undefined && Number.isFinite(at))
    return arrivedAt ?? 0
  }
}
