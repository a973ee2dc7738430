import { limits } from '../limits.ts'
import { foldCase } from './fold-case.ts'

/** Numbers the fields that a rule set reads, so that a batch lays out only those. Slots count from 0. */
export class FieldTable {
  readonly #slots = new Map<string, number>()
  readonly #names: string[] = []
  readonly #byFoldedName = new Map<string, string[]>()
  /** Answers of `variantsOf`: the keys of events are few and come again and again. */
  readonly #variants = new Map<string, readonly string[]>()

  /** The slot of a field; a new one at the first call with its name. */
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

  /** The fields that a key of an event names but for its case; mostly none. */
  findVariants(key: string): readonly string[] {
    const known = this.#variants.get(key)
    if (known !== undefined) return known
    const variants = (this.#byFoldedName.get(foldCase(key)) ?? []).filter((name) => name !== key)
    if (this.#variants.size >= limits.knownKeysMax) this.#variants.clear()
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
