/**
 * Compressed sparse rows: many short lists of numbers in two arrays. Several hundred thousand separate arrays would take
 * most of the memory of an index.
 */
export class CsrLists {
  readonly #starts: Int32Array
  readonly #numbers: Int32Array

  private constructor(starts: Int32Array, numbers: Int32Array) {
    this.#starts = starts
    this.#numbers = numbers
  }

  /** Inverts lists: list `n` of the result contains the places of the lists that contain `n`, which is below `size`. */
  static invert(lists: readonly (readonly number[])[], size: number): CsrLists {
    const starts = new Int32Array(size + 1)
    for (const list of lists) for (const number of list) starts[number + 1]!++
    for (let number = 0; number < size; number++) starts[number + 1]! += starts[number]!
    const numbers = new Int32Array(starts[size]!)
    const next = starts.slice()
    for (const [place, list] of lists.entries()) for (const number of list) numbers[next[number]!++] = place
    return new CsrLists(starts, numbers)
  }

  getLength(list: number): number {
    return this.#starts[list + 1]! - this.#starts[list]!
  }

  /** The bounds of a list, as places for `at`: hot loops avoid closures. */
  getStart(list: number): number {
    return this.#starts[list]!
  }

  getEnd(list: number): number {
    return this.#starts[list + 1]!
  }

  /** The number at a place of a list. */
  at(place: number): number {
    return this.#numbers[place]!
  }

  some(list: number, isWanted: (number: number) => boolean): boolean {
    for (let i = this.#starts[list]!; i < this.#starts[list + 1]!; i++) if (isWanted(this.#numbers[i]!)) return true
    return false
  }

  forEach(list: number, visit: (number: number) => void): void {
    for (let i = this.#starts[list]!; i < this.#starts[list + 1]!; i++) visit(this.#numbers[i]!)
  }
}
