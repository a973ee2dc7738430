import type { FieldAliases } from '../event/event.ts'
import { foldCase } from '../event/fold-case.ts'
import { keyCodes } from '../kernel/key-codes.ts'
import { limits } from '../limits.ts'
import { isFlatKindKey, flatAliases, flatKindFields } from '../taxonomy/flat-event-kind.ts'

/** Maps the keys of flat Windows events to the kernel's slots of the fields that rules read. */
export class KeySlots {
  readonly #slots = new Map<string, number>()
  /** By folded name: the spellings that have a slot, in the order of their characters. */
  readonly #spellings = new Map<string, string[]>()
  /** First parts of names with dots: events with such a key have to be parsed, because rules may read nested fields. */
  readonly #roots = new Set<string>()
  readonly #onSpelling: (spelling: string) => void
  /** The number of slots: one for each name, and a reserve for other spellings in events. */
  readonly capacity: number

  /** `fields` are those that rules read; calls `onSpelling` when an event spells one of them in a new case. */
  constructor(fields: Iterable<string>, onSpelling: (spelling: string) => void) {
    for (const name of [...flatKindFields.map((field) => field.name), ...flatAliases, ...fields]) {
      if (this.#slots.has(name)) continue
      this.#add(name)
      const dot = name.indexOf('.')
      if (dot !== -1) this.#roots.add(name.slice(0, dot))
    }
    this.#onSpelling = onSpelling
    this.capacity = this.#slots.size + limits.spellingsMax
  }

  has(name: string): boolean {
    return this.#slots.has(name)
  }

  /** The slot of a field; throws for a name without a slot. */
  getSlot(name: string): number {
    const slot = this.#slots.get(name)
    if (slot === undefined) throw new Error(`the field '${name}' has no slot`)
    return slot
  }

  /** Lists the slots that may contain a field of a Windows event, in the order in which they are tried. */
  findSlots(name: string, aliases: FieldAliases, ignoresNameCase: boolean): readonly number[] {
    const spellings = ignoresNameCase ? (this.#spellings.get(foldCase(name)) ?? []) : []
    return [name, ...(aliases.get(name) ?? []), ...spellings.filter((one) => one !== name)].map((one) => this.getSlot(one))
  }

  /** The slot of a key, or one of `keyCodes`. */
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
