import type { FieldAliases } from '../event/event.ts'
import { foldCase } from '../event/fold-case.ts'
import { keyCodes } from '../kernel/kernel.ts'
import { limits } from '../limits.ts'
import { isFlatKindKey, flatAliases, flatKindFields } from '../taxonomy/flat-event-kind.ts'

/** Tells the kernel which keys of flat Windows events lead to a field that somebody reads, and in which slot. */
export class KeySlots {
  readonly #slots = new Map<string, number>()
  /** By folded name: all that have a slot and are this name but for their case, in the order of characters. */
  readonly #spellings = new Map<string, string[]>()
  /** First steps of names with dots: such an event is no flat one for those who read the names. */
  readonly #roots = new Set<string>()
  readonly #onSpelling: (spelling: string) => void
  /** How many slots there may be: those of the names, and some for other spellings that events come with. */
  readonly capacity: number

  /** Takes the fields that rules read, and who is to know when an event spells one of them in another case. */
  constructor(fields: Iterable<string>, learned: (spelling: string) => void) {
    for (const name of [...flatKindFields.map((field) => field.name), ...flatAliases, ...fields]) {
      if (this.#slots.has(name)) continue
      this.#add(name)
      const dot = name.indexOf('.')
      if (dot !== -1) this.#roots.add(name.slice(0, dot))
    }
    this.#onSpelling = learned
    this.capacity = this.#slots.size + limits.spellingsMax
  }

  has(name: string): boolean {
    return this.#slots.has(name)
  }

  /** The slot of a field; throws for a name that was not given. */
  getSlot(name: string): number {
    const slot = this.#slots.get(name)
    if (slot === undefined) throw new Error(`no slot was made for the field '${name}'`)
    return slot
  }

  /** The slots in which a field of a Windows event may be, in the order in which they are tried. */
  findSlots(name: string, aliases: FieldAliases, ignoresNameCase: boolean): readonly number[] {
    const spellings = ignoresNameCase ? (this.#spellings.get(foldCase(name)) ?? []) : []
    return [name, ...(aliases.get(name) ?? []), ...spellings.filter((one) => one !== name)].map((one) => this.getSlot(one))
  }

  /** The slot of a key, or what else the kernel has to do about it. */
  getKeyCode(key: string): number {
    if (isFlatKindKey(key) || this.#roots.has(key)) return keyCodes.slow
    const slot = this.#slots.get(key)
    if (slot !== undefined) return slot
    if (!this.#spellings.has(foldCase(key))) return keyCodes.irrelevant
    if (this.#slots.size >= this.capacity) return keyCodes.slow
    this.#add(key)
    this.#onSpelling(key)
    return this.getSlot(key)
  }

  #add(name: string): void {
    this.#slots.set(name, this.#slots.size)
    const folded = foldCase(name)
    this.#spellings.set(folded, [...(this.#spellings.get(folded) ?? []), name].toSorted(compareByCharacters))
  }
}

function compareByCharacters(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
