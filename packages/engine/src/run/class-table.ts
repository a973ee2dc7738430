import { NumberStore } from './number-store.ts'
import { PairTable } from './pair-table.ts'

/** Numbers sets of atoms, equal ones once: the classes of values. Class 0 is the set of none. */
export class ClassTable {
  readonly #atoms = new NumberStore()
  /** By class: where its atoms end, which begin where those of the class before end. */
  readonly #ends = new NumberStore()
  /** By hash and count of atoms: the newest class. */
  readonly #newest = new PairTable()
  /** By class: the one before it of the same hash and count; -1 where there is none. */
  readonly #before = new NumberStore()

  constructor() {
    this.#ends.add(0)
    this.#before.add(-1)
  }

  get count(): number {
    return this.#ends.length
  }

  /** The class of atoms in ascending order. */
  numberOf(atoms: readonly number[]): number {
    if (atoms.length === 0) return 0
    const hash = hashOf(atoms)
    const newest = this.#newest.get(hash, atoms.length)
    for (let known = newest; known !== -1; known = this.#before.at(known)) if (this.#isOf(known, atoms)) return known
    for (const atom of atoms) this.#atoms.add(atom)
    this.#before.add(newest)
    const added = this.#ends.add(this.#atoms.length)
    this.#newest.set(hash, atoms.length, added)
    return added
  }

  /** Where the atoms of a class begin and end among the places of `at`: loops that run for every state take no function. */
  startOf(valueClass: number): number {
    return valueClass === 0 ? 0 : this.#ends.at(valueClass - 1)
  }

  endOf(valueClass: number): number {
    return this.#ends.at(valueClass)
  }

  /** The atom at a place. */
  at(place: number): number {
    return this.#atoms.at(place)
  }

  /** The classes of one hash have as many atoms. */
  #isOf(valueClass: number, atoms: readonly number[]): boolean {
    const start = this.startOf(valueClass)
    for (let i = 0; i < atoms.length; i++) if (this.#atoms.at(start + i) !== atoms[i]) return false
    return true
  }
}

function hashOf(numbers: readonly number[]): number {
  let hash = numbers.length
  for (let i = 0; i < numbers.length; i++) hash = Math.imul(hash ^ numbers[i]!, 0x9e3779b1)
  return hash & 0x7fff_ffff
}
