/** Steps into which each doubling is cut: a bucket is at most 1/16 as wide as what is in it. */
const stepsPerDoubling = 16
/** Up to here each microsecond is a bucket of its own. */
const exactMicros = 2 * stepsPerDoubling
/** Some 71 minutes; what took longer counts as this. */
const microsMax = 2 ** 32 - 1

/** A histogram as plain data: the sum of what was added, and how often each bucket was met, by number. */
export type HistogramData = { readonly sumMicros: number; readonly counts: readonly (readonly [bucket: number, count: number])[] }

/**
 * Counts lengths of time in buckets that widen with what is in them, at most 464 of them. A percentile is that of
 * the exact numbers to within 1/32, or half a microsecond; sum and mean are exact to the microsecond. Histograms of
 * the same lengths are the same in whatever parts and order they were added.
 */
export class LatencyHistogram {
  readonly #counts = new Map<number, number>()
  #count = 0
  #sumMicros = 0

  static of({ sumMicros, counts }: HistogramData): LatencyHistogram {
    const histogram = new LatencyHistogram()
    histogram.#sumMicros = sumMicros
    for (const [bucket, count] of counts) histogram.#add(bucket, count)
    return histogram
  }

  get count(): number {
    return this.#count
  }

  get sumMs(): number {
    return this.#sumMicros / 1_000
  }

  /** Undefined of nothing. */
  get meanMs(): number | undefined {
    return this.#count === 0 ? undefined : this.sumMs / this.#count
  }

  /** Adds a length, as often as `times` says; one below 0, of a clock that was set back, counts as 0. */
  add(lengthMs: number, times = 1): void {
    if (Number.isNaN(lengthMs)) throw new RangeError('a length of time is not a number')
    const micros = Math.min(microsMax, Math.max(0, Math.round(lengthMs * 1_000)))
    this.#sumMicros += micros * times
    this.#add(toBucket(micros), times)
  }

  merge(other: LatencyHistogram): void {
    this.#sumMicros += other.#sumMicros
    for (const [bucket, count] of other.#counts) this.#add(bucket, count)
  }

  /** The length that a share of all, from 0 to 1, did not exceed; undefined of nothing. */
  percentileMs(share: number): number | undefined {
    return computePercentile(this.data(), { share, total: this.#count })
  }

  /** Its buckets in order. */
  data(): HistogramData {
    return { sumMicros: this.#sumMicros, counts: [...this.#counts].sort(([one], [other]) => one - other) }
  }

  #add(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count)
    this.#count += count
  }
}

/** The same of a histogram as data, of which the caller knows how many lengths it holds. */
export function computePercentile(
  { counts }: HistogramData,
  { share, total }: { readonly share: number; readonly total: number },
): number | undefined {
  const rank = Math.max(1, Math.ceil(share * total))
  let passed = 0
  for (const [bucket, count] of counts) {
    passed += count
    if (passed >= rank) return getBucketMiddle(bucket) / 1_000
  }
  return undefined
}

/** A bucket is told by the highest bit of a number and the four behind it. */
function toBucket(micros: number): number {
  if (micros < exactMicros) return micros
  const doublings = 31 - Math.clz32(micros) - 4
  return doublings * stepsPerDoubling + (micros >>> doublings)
}

function getBucketMiddle(bucket: number): number {
  if (bucket < exactMicros) return bucket
  const doublings = Math.floor(bucket / stepsPerDoubling) - 1
  const width = 2 ** doublings
  return (bucket - doublings * stepsPerDoubling) * width + (width - 1) / 2
}
