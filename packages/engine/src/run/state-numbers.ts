import { PairTable } from './pair-table.ts'

/**
 * Numbers for the states of several owners, each of which counts its own: the kernel knows states by one
 * number, whatever memory they belong to. Numbers count from 0 and are never given twice.
 */
export class StateNumbers<Owner> {
  readonly #owners: Owner[] = []
  readonly #ownerNumbers = new Map<Owner, number>()
  readonly #numbers = new PairTable()
  readonly #ownerOf: number[] = []
  readonly #localOf: number[] = []

  /** The number of a state that its owner knows by another. */
  numberOf(owner: Owner, local: number): number {
    const ownerNumber = this.#ownerNumber(owner)
    const known = this.#numbers.get(ownerNumber, local)
    if (known !== -1) return known
    this.#ownerOf.push(ownerNumber)
    const number = this.#localOf.push(local) - 1
    this.#numbers.set(ownerNumber, local, number)
    return number
  }

  ownerOf(number: number): Owner {
    return this.#owners[this.#ownerOf[number]!]!
  }

  localOf(number: number): number {
    return this.#localOf[number]!
  }

  #ownerNumber(owner: Owner): number {
    const known = this.#ownerNumbers.get(owner)
    if (known !== undefined) return known
    this.#ownerNumbers.set(owner, this.#owners.length)
    return this.#owners.push(owner) - 1
  }
}
