/** Buckets per power of two: a bucket is at most 1/16 as wide as its values. */
const stepsPerDoubling = 16
/** Values below this have one bucket per microsecond. */
const exactMicros = 2 * stepsPerDoubling
/** About 71 minutes; longer durations are clamped. */
const microsMax = 2 ** 32 - 1

/** Serialized histogram: the sum of all values, and counts by bucket. */
export type HistogramData = { readonly sumMicros: number; readonly counts: readonly (readonly [bucket: number, count: number])[] }

/**
 * A log-linear histogram of durations, as in HdrHistogram, with at most 464 buckets. Percentiles are accurate to 1/32 or
 * half a microsecond; sum and mean to the microsecond. Merging is associative and commutative.
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

  /** Undefined if empty. */
  get meanMs(): number | undefined {
    return this.#count === 0 ? undefined : this.sumMs / this.#count
  }

  /** Adds a duration, `times` times; a negative one, from a clock that was set back, counts as 0. */
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

  /** The duration that a share of values, from 0 to 1, does not exceed; undefined if empty. */
  percentileMs(share: number): number | undefined {
    return computePercentile(this.data(), { share, total: this.#count })
  }

  /** The buckets in order. */
  data(): HistogramData {
    return { sumMicros: this.#sumMicros, counts: [...this.#counts].sort(([one], [other]) => one - other) }
  }

  #add(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count)
    this.#count += count
  }
}

/** Computes a percentile of serialized data with a known total. */
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

/** A bucket is given by the highest bit of a value and the four bits after it. */
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
