import { GrowableInt32Array } from './growable-int32-array.ts'
import { OpenAddressingMap } from './open-addressing-map.ts'

/** Numbers lists of numbers that are not negative, equal ones once. List 0 is the empty one. */
export class InternTable {
  readonly #numbers = new GrowableInt32Array()
  /** By list: where it ends, which begins where the one before ends. */
  readonly #ends = new GrowableInt32Array()
  /** By hash and length: the newest list. */
  readonly #newest = new OpenAddressingMap()
  /** By list: the one before it of the same hash and length; -1 where there is none. */
  readonly #previous = new GrowableInt32Array()

  constructor() {
    this.#ends.add(0)
    this.#previous.add(-1)
  }

  get count(): number {
    return this.#ends.length
  }

  /** The number of a list: of the first so many of some numbers. */
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

  /** Where a list begins and ends among the places of `at`: loops that run for every new event take no function. */
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

  /** The lists of one hash are as long. */
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
