import { limits } from '../limits.ts'
import { foldCase } from './fold-case.ts'

/** Symbol table of the fields that a rule set reads: assigns each a slot, counted from 0, as its column in a batch. */
export class FieldTable {
  readonly #slots = new Map<string, number>()
  readonly #names: string[] = []
  readonly #byFoldedName = new Map<string, string[]>()
  /** Cache of `variantsOf`: events repeat the same few keys. */
  readonly #variants = new Map<string, readonly string[]>()

  /** Returns the slot of a field, and assigns one at the first call. */
  assignSlot(name: string): number {
    const known = this.#slots.get(name)
    if (known !== undefined) return known
    this.#slots.set(name, this.#names.length)
    this.#names.push(name)
    const folded = foldCase(name)
    const same = this.#byFoldedName.get(folded)
    if (same === undefined) this.#byFoldedName.set(folded, [name])
    else same.push(name)
    this.#variants.clear()
    return this.#names.length - 1
  }

  /** Finds the fields whose names equal a key except for case; mostly none. */
  findVariants(key: string): readonly string[] {
    const known = this.#variants.get(key)
    if (known !== undefined) return known
    const variants = (this.#byFoldedName.get(foldCase(key)) ?? []).filter((name) => name !== key)
    if (this.#variants.size >= limits.cachedKeysMax) this.#variants.clear()
    this.#variants.set(key, variants)
    return variants
  }

  getName(slot: number): string {
    const name = this.#names[slot]
    if (name === undefined) throw new RangeError(`slot ${slot} is not one of the ${this.#names.length} fields of the table`)
    return name
  }

  get size(): number {
    return this.#names.length
  }
}
