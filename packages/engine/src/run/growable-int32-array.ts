/**
 * Numbers of 32 bits with a sign, one behind another, that become more and stay. What an engine learns is many small
 * things that live as long as it does: as objects V8 would copy each of them twice before it leaves them alone.
 */
export class GrowableInt32Array {
  #numbers = new Int32Array(lengthMin)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Adds a number and answers its place, which counts from 0. */
  add(number: number): number {
    if (this.#length === this.#numbers.length) this.#grow()
    this.#numbers[this.#length] = number
    return this.#length++
  }

  at(place: number): number {
    return this.#numbers[place]!
  }

  /** Puts another number at a place that has one. */
  set(place: number, number: number): void {
    this.#numbers[place] = number
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#length)
    larger.set(this.#numbers)
    this.#numbers = larger
  }
}

const lengthMin = 64
