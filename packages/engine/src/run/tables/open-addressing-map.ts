const initialCapacity = 1_024

/**
 * Open-addressing hash map with linear probing from pairs of integers to integers, none negative, in one typed array: it
 * is on the hot path of every cached value. Grows by doubling; there is no deletion, only `clear`.
 */
export class OpenAddressingMap {
  #entries: Int32Array = new Int32Array(3 * initialCapacity).fill(-1)
  #mask = initialCapacity - 1
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The value of a key; -1 if there is none. */
  get(first: number, second: number): number {
    const at = this.#findPlace(first, second)
    return this.#entries[at] === -1 ? -1 : this.#entries[at + 2]!
  }

  set(first: number, second: number, value: number): void {
    if (this.#size * 2 > this.#mask) this.#grow()
    const at = this.#findPlace(first, second)
    if (this.#entries[at] === -1) this.#size++
    this.#entries[at] = first
    this.#entries[at + 1] = second
    this.#entries[at + 2] = value
  }

  clear(): void {
    this.#entries = new Int32Array(3 * initialCapacity).fill(-1)
    this.#mask = initialCapacity - 1
    this.#size = 0
  }

  /** The place of a key, or the free one for it. At most half of the table is taken, so probe sequences are short. */
  #findPlace(first: number, second: number): number {
    const entries = this.#entries
    let bucket = hashPair(first, second) & this.#mask
    for (;;) {
      const at = bucket * 3
      const known = entries[at]!
      if (known === -1 || (known === first && entries[at + 1] === second)) return at
      bucket = (bucket + 1) & this.#mask
    }
  }

  #grow(): void {
    const old = this.#entries
    this.#mask = this.#mask * 2 + 1
    this.#entries = new Int32Array(3 * (this.#mask + 1)).fill(-1)
    this.#size = 0
    for (let at = 0; at < old.length; at += 3) if (old[at] !== -1) this.set(old[at]!, old[at + 1]!, old[at + 2]!)
  }
}

function hashPair(first: number, second: number): number {
  const mixed = Math.imul(first ^ Math.imul(second, 0x9e3779b1), 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
