import { NumberStore } from './number-store.ts'
import { PairTable } from './pair-table.ts'

/**
 * Numbers for the states of several owners, each of which counts its own: the kernel knows states by one
 * number, whatever memory they belong to. Numbers count from 0 and are never given twice.
 */
export class StateNumbers<Owner> {
  readonly #owners: Owner[] = []
  readonly #ownerNumbers = new Map<Owner, number>()
  /** The number by owner and by the owner's. */
  readonly #numbers = new PairTable()
  readonly #ownerOf = new NumberStore()
  readonly #localOf = new NumberStore()

  /** The number of a state that its owner knows by another. */
  numberOf(owner: Owner, local: number): number {
    const ownerNumber = this.#ownerNumber(owner)
    const known = this.#numbers.get(ownerNumber, local)
    if (known !== -1) return known
    const number = this.#ownerOf.add(ownerNumber)
    this.#localOf.add(local)
    this.#numbers.set(ownerNumber, local, number)
    return number
  }

  ownerOf(number: number): Owner {
    return this.#owners[this.#ownerOf.at(number)]!
  }

  localOf(number: number): number {
    return this.#localOf.at(number)
  }

  #ownerNumber(owner: Owner): number {
    const known = this.#ownerNumbers.get(owner)
    if (known !== undefined) return known
    this.#ownerNumbers.set(owner, this.#owners.length)
    return this.#owners.push(owner) - 1
  }
}
