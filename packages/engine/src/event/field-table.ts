/** Numbers the fields that a rule set reads, so that a batch lays out only those. Slots count from 0. */
export class FieldTable {
  readonly #slots = new Map<string, number>()
  readonly #names: string[] = []

  /** The slot of a field; a new one at the first call with its name. */
  slotOf(name: string): number {
    const known = this.#slots.get(name)
    if (known !== undefined) return known
    this.#slots.set(name, this.#names.length)
    this.#names.push(name)
    return this.#names.length - 1
  }

  nameOf(slot: number): string {
    const name = this.#names[slot]
    if (name === undefined) throw new RangeError(`slot ${slot} is not one of the ${this.#names.length} fields of the table`)
    return name
  }

  get size(): number {
    return this.#names.length
  }
}
