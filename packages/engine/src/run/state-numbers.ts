/**
 * Numbers for the states of several owners, each of which counts its own: the kernel knows states by one
 * number, whatever memory they belong to. Numbers count from 0 and are never given twice.
 */
export class StateNumbers<Owner> {
  readonly #owners: Owner[] = []
  readonly #ownerNumbers = new Map<Owner, number>()
  /** By owner: the numbers of its states, by the owner's. */
  readonly #numbers: number[][] = []
  readonly #ownerOf: number[] = []
  readonly #localOf: number[] = []

  /** The number of a state that its owner knows by another. */
  numberOf(owner: Owner, local: number): number {
    const ownerNumber = this.#ownerNumber(owner)
    const numbers = this.#numbers[ownerNumber]!
    return (numbers[local] ??= this.#add(ownerNumber, local))
  }

  ownerOf(number: number): Owner {
    return this.#owners[this.#ownerOf[number]!]!
  }

  localOf(number: number): number {
    return this.#localOf[number]!
  }

  #add(ownerNumber: number, local: number): number {
    this.#ownerOf.push(ownerNumber)
    return this.#localOf.push(local) - 1
  }

  #ownerNumber(owner: Owner): number {
    const known = this.#ownerNumbers.get(owner)
    if (known !== undefined) return known
    this.#ownerNumbers.set(owner, this.#owners.length)
    this.#numbers.push([])
    return this.#owners.push(owner) - 1
  }
}
