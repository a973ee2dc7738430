import { GrowableInt32Array } from './growable-int32-array.ts'
import { OpenAddressingMap } from './open-addressing-map.ts'

/** Interning table of integer lists: equal lists share a number. Elements are not negative; list 0 is empty. */
export class InternTable {
  readonly #numbers = new GrowableInt32Array()
  /** By list: its end; it starts at the end of the list before it. */
  readonly #ends = new GrowableInt32Array()
  /** By hash and length: the newest list. */
  readonly #newest = new OpenAddressingMap()
  /** By list: the previous one with the same hash and length; -1 if there is none. */
  readonly #previous = new GrowableInt32Array()

  constructor() {
    this.#ends.add(0)
    this.#previous.add(-1)
  }

  get count(): number {
    return this.#ends.length
  }

  /** The number of the list of the first `length` numbers. */
  intern(numbers: ArrayLike<number>, length: number = numbers.length): number {
    if (length === 0) return 0
    const hash = hashNumbers(numbers, length)
    const newest = this.#newest.get(hash, length)
    for (let known = newest; known !== -1; known = this.#previous.at(known)) if (this.#isEqual(known, numbers, length)) return known
    for (let i = 0; i < length; i++) this.#numbers.add(numbers[i]!)
    this.#previous.add(newest)
    const added = this.#ends.add(this.#numbers.length)
    this.#newest.set(hash, length, added)
    return added
  }

  /** The bounds of a list, as places for `at`: hot loops avoid closures. */
  getStart(list: number): number {
    return list === 0 ? 0 : this.#ends.at(list - 1)
  }

  getEnd(list: number): number {
    return this.#ends.at(list)
  }

  /** The number at a place. */
  at(place: number): number {
    return this.#numbers.at(place)
  }

  /** Whether a list with the same hash and length is equal. */
  #isEqual(list: number, numbers: ArrayLike<number>, length: number): boolean {
    const start = this.getStart(list)
    for (let i = 0; i < length; i++) if (this.#numbers.at(start + i) !== numbers[i]) return false
    return true
  }
}

function hashNumbers(numbers: ArrayLike<number>, length: number): number {
  let hash = length
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ numbers[i]!, 0x9e3779b1)
  return hash & 0x7fff_ffff
}
