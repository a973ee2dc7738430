/** Pseudo-random numbers of a seed: xoshiro128** of Blackman and Vigna, whose state of 128 bits does not come again. */
export class RandomNumbers {
  readonly #state: Uint32Array

  constructor(seed: number) {
    // Steps of the golden ratio, mixed, so that neighbouring seeds begin far from each other.
    this.#state = Uint32Array.from({ length: 4 }, (_, i) => mixBits(seed + Math.imul(i + 1, 0x9e37_79b9)) | 1)
  }

  /** A whole number of 32 bits. */
  next(): number {
    const state = this.#state
    const [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!]
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0
    state[2] = c ^ a
    state[3] = d ^ b
    state[1] = b ^ state[2]!
    state[0] = a ^ state[3]!
    state[2] = state[2]! ^ (b << 9)
    state[3] = rotateLeft(state[3]!, 11)
    return result
  }

  /** A whole number from 0 to below `end`. */
  below(end: number): number {
    return Math.floor((this.next() / 2 ** 32) * end)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  /** Picks an item, each as often as its weight says. */
  pickWeighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let rest = this.below(items.reduce((sum, { weight }) => sum + weight, 0))
    return items.find(({ weight }) => (rest -= weight) < 0)!
  }
}

/**
 * Numbers of so many bits in an order that looks random, each once before one comes again: a linear congruential
 * generator of full period (Hull and Dobell), whose output is mixed by an invertible function.
 */
export class UniqueNumbers {
  readonly #mask: number
  readonly #shift: number
  #state: number

  /** At most 30 bits. */
  constructor(bits: number, seed: number) {
    this.#mask = 2 ** bits - 1
    this.#shift = bits >>> 1
    this.#state = mixBits(seed) & this.#mask
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) & this.#mask
    return Math.imul(this.#state ^ (this.#state >>> this.#shift), 0x2545_f491) & this.#mask
  }
}

function rotateLeft(bits: number, by: number): number {
  return (bits << by) | (bits >>> (32 - by))
}

/** The finalizer of MurmurHash3. */
function mixBits(bits: number): number {
  const half = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2_ae35)
  return (whole ^ (whole >>> 16)) >>> 0
}
