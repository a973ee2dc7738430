/** How far a quantile may be off at first, relative to itself. */
const relativeErrorMin = 0.005
/** Bins of one sketch; with more, neighbours are joined and the error grows. */
const binsMax = 1_024
/** Keeps keys of positive numbers above zero, whose exponents are from -1,074 on. */
const keyOffset = 1_000_000

/**
 * Counts numbers in bins whose width grows with the numbers, so that any quantile is known within a relative error:
 * UDDSketch (Epicoco et al. 2020), a DDSketch (Masson et al. 2019) that joins all neighbours when it has too many bins.
 * Sketches of one error are merged by adding their bins, and taken out of a sum again by subtracting them.
 */
export class QuantileSketch {
  #relativeError = relativeErrorMin
  #logGamma = logGammaOf(relativeErrorMin)
  readonly #counts = new Map<number, number>()
  /** The keys of the bins in the order of their numbers. */
  #keys: number[] = []
  #total = 0

  get relativeError(): number {
    return this.#relativeError
  }

  get total(): number {
    return this.#total
  }

  get binCount(): number {
    return this.#keys.length
  }

  /** The bin of a number; it is good until `joinNeighbours`. */
  keyOf(number: number): number {
    if (number === 0) return 0
    const exponent = Math.ceil(Math.log(Math.abs(number)) / this.#logGamma)
    return number > 0 ? exponent + keyOffset : -(exponent + keyOffset)
  }

  /** Adds so many numbers to a bin, or takes them out where `count` is negative. */
  change(key: number, count: number): void {
    const before = this.#counts.get(key) ?? 0
    const after = before + count
    this.#total += count
    if (after > 0) this.#counts.set(key, after)
    else this.#counts.delete(key)
    if (before === 0 && after > 0) this.#keys.splice(placeIn(this.#keys, key), 0, key)
    else if (before > 0 && after <= 0) this.#keys.splice(placeIn(this.#keys, key), 1)
  }

  /** Whether neighbours have to be joined, in this sketch and in all that were added to it. */
  get isFull(): boolean {
    return this.#keys.length > binsMax
  }

  /** Makes bins twice as wide. Their keys are those of `joinedKey` then. */
  joinNeighbours(): void {
    this.#relativeError = (2 * this.#relativeError) / (1 + this.#relativeError ** 2)
    this.#logGamma *= 2
    const bins = [...this.#counts]
    this.#counts.clear()
    this.#keys = []
    this.#total = 0
    for (const [key, count] of bins) this.change(joinedKey(key), count)
  }

  /** The number of which a percentage is not larger, by nearest rank; undefined where there is none. */
  percentile(percentile: number): number | undefined {
    const rank = Math.max(1, Math.ceil((percentile * this.#total) / 100))
    let count = 0
    for (const key of this.#keys) {
      count += this.#counts.get(key)!
      if (count >= rank) return this.#numberOf(key)
    }
    return undefined
  }

  /** Takes over the error of a saved sketch, before anything is added. */
  setJoinCount(joinCount: number): void {
    for (let i = 0; i < joinCount; i++) this.joinNeighbours()
  }

  /** The middle of a bin, from which its numbers are equally far off. */
  #numberOf(key: number): number {
    if (key === 0) return 0
    const gamma = Math.exp(this.#logGamma)
    const edge = Math.exp((Math.abs(key) - keyOffset) * this.#logGamma)
    const middle = Math.min((edge / (gamma + 1)) * 2, Number.MAX_VALUE)
    return key > 0 ? middle : -middle
  }
}

/** The key of a bin after neighbours were joined. */
export function joinedKey(key: number): number {
  if (key === 0) return 0
  const exponent = Math.ceil((Math.abs(key) - keyOffset) / 2)
  return key > 0 ? exponent + keyOffset : -(exponent + keyOffset)
}

function logGammaOf(relativeError: number): number {
  return Math.log((1 + relativeError) / (1 - relativeError))
}

/** The first place at which a number does not come before those of a sorted list. */
export function placeIn(sorted: readonly number[], number: number): number {
  let from = 0
  let to = sorted.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (sorted[middle]! < number) from = middle + 1
    else to = middle
  }
  return from
}
