const lengthMin = 64

/**
 * A growable array of signed 32-bit integers. The caches of an engine consist of many small, long-lived records; as
 * objects, V8's generational garbage collector would copy each of them twice.
 */
export class GrowableInt32Array {
  #numbers = new Int32Array(lengthMin)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Appends a number and returns its place, from 0. */
  add(number: number): number {
    if (this.#length === this.#numbers.length) this.#grow()
    this.#numbers[this.#length] = number
    return this.#length++
  }

  at(place: number): number {
    return this.#numbers[place]!
  }

  /** Replaces the number at a place. */
  set(place: number, number: number): void {
    this.#numbers[place] = number
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#length)
    larger.set(this.#numbers)
    this.#numbers = larger
  }
}
