/** A histogram as Prometheus reads it: how many values each bound and all bounds above it hold. */
type HistogramView = {
  readonly buckets: readonly { readonly upTo: string; readonly count: number }[]
  readonly count: number
  readonly sumSeconds: number
}

/** Upper bounds in seconds, from a fast sync to a slow report. */
const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts durations in fixed buckets, so that histograms of several servers can be added up. */
export class BucketHistogram {
  readonly #counts = bounds.map(() => 0)
  #count = 0
  #sumMs = 0

  /** Adds a duration; a negative one, from a clock that was set back, counts as 0. */
  add(durationMs: number): void {
    const lengthMs = Math.max(0, durationMs)
    this.#count++
    this.#sumMs += lengthMs
    const first = bounds.findIndex((bound) => lengthMs <= bound * 1_000)
    if (first >= 0) this.#counts[first] = (this.#counts[first] ?? 0) + 1
  }

  view(): HistogramView {
    let count = 0
    const buckets = bounds.map((bound, index) => ({ upTo: String(bound), count: (count += this.#counts[index] ?? 0) }))
    return { buckets: [...buckets, { upTo: '+Inf', count: this.#count }], count: this.#count, sumSeconds: this.#sumMs / 1_000 }
  }
}
