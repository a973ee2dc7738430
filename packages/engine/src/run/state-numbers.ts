import { NumberStore } from './number-store.ts'

/**
 * Numbers for the states of several owners, each of which counts its own: the kernel knows states by one
 * number, whatever memory they belong to. Numbers count from 0 and are never given twice.
 */
export class StateNumbers<Owner> {
  readonly #owners: Owner[] = []
  readonly #ownerNumbers = new Map<Owner, number>()
  /** By owner: the numbers of its states, by the owner's; -1 where nobody has asked. */
  readonly #numbers: NumberStore[] = []
  readonly #ownerOf = new NumberStore()
  readonly #localOf = new NumberStore()

  /** The number of a state that its owner knows by another. */
  numberOf(owner: Owner, local: number): number {
    const ownerNumber = this.#ownerNumber(owner)
    const numbers = this.#numbers[ownerNumber]!
    while (numbers.length <= local) numbers.add(-1)
    if (numbers.at(local) === -1) {
      numbers.set(local, this.#ownerOf.add(ownerNumber))
      this.#localOf.add(local)
    }
    return numbers.at(local)
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
    this.#numbers.push(new NumberStore())
    return this.#owners.push(owner) - 1
  }
}
