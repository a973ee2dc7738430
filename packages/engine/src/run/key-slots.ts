import { foldCase } from '../event/fold.ts'
import { keyCodes } from '../kernel/kernel.ts'
import { changesFlatKind, flatAliases, flatKindFields } from '../taxonomy/flat-kind.ts'

/** Tells the kernel which keys of flat Windows events lead to a field that somebody reads, and in which slot. */
export class KeySlots {
  readonly #slots = new Map<string, number>()
  readonly #folded = new Set<string>()
  /** First steps of names with dots: such an event is no flat one for those who read the names. */
  readonly #roots = new Set<string>()

  /** Takes the fields that rules read. */
  constructor(fields: Iterable<string>) {
    for (const name of [...flatKindFields.map((field) => field.name), ...flatAliases, ...fields]) {
      if (this.#slots.has(name)) continue
      this.#slots.set(name, this.#slots.size)
      this.#folded.add(foldCase(name))
      const dot = name.indexOf('.')
      if (dot !== -1) this.#roots.add(name.slice(0, dot))
    }
  }

  get size(): number {
    return this.#slots.size
  }

  has(name: string): boolean {
    return this.#slots.has(name)
  }

  /** The slot of a field; throws for a name that was not given. */
  slotOf(name: string): number {
    const slot = this.#slots.get(name)
    if (slot === undefined) throw new Error(`no slot was made for the field '${name}'`)
    return slot
  }

  /** The slot of a key, or what else the kernel has to do about it. */
  codeOf(key: string): number {
    if (changesFlatKind(key) || this.#roots.has(key)) return keyCodes.slow
    const slot = this.#slots.get(key)
    if (slot !== undefined) return slot
    // A field but for its case: which of two is meant is for those who see the whole event.
    return this.#folded.has(foldCase(key)) ? keyCodes.slow : keyCodes.irrelevant
  }
}
