import type { FieldAtoms } from '../plan/field-atoms.ts'

/** A question that was asked next, with what came after each answer; or the class that all answers led to. */
type Trail =
  | { readonly kind: 'question'; readonly test: number; readonly after: [fails: Trail | undefined, holds: Trail | undefined] }
  | { readonly kind: 'class'; readonly valueClass: number }

/** What is remembered of values in which the same comparisons were found. */
type Memory = { readonly found: readonly number[]; readonly trail: Trail }

/**
 * Remembers for a field which class came of what was found in a value and of what was answered about it.
 * Values that never repeat, such as command lines with a number in them, mostly have the same found in them
 * as others had: their class is known after a search and a few questions.
 */
export class Recollection {
  readonly #memories = new Map<number, Memory[]>()
  readonly #internClass: (atoms: readonly number[]) => number
  #size = 0

  /** Takes what numbers the classes. */
  constructor(internClass: (atoms: readonly number[]) => number) {
    this.#internClass = internClass
  }

  /** What is remembered, counted in comparisons. */
  get size(): number {
    return this.#size
  }

  /** The class of the value that the atoms look at. */
  classOf(atoms: FieldAtoms): number {
    const memories = this.#memories.get(atoms.foundHash)
    const memory = memories?.find(({ found }) => atoms.hasFound(found))
    if (memory !== undefined) return this.#follow(memory.trail, atoms)
    const { valueClass, trail } = this.#evaluate(atoms, 0)
    const fresh = { found: atoms.found, trail }
    this.#size += fresh.found.length + 1
    if (memories === undefined) this.#memories.set(atoms.foundHash, [fresh])
    else memories.push(fresh)
    return valueClass
  }

  #follow(start: Trail, atoms: FieldAtoms): number {
    let trail = start
    for (let depth = 1; trail.kind === 'question'; depth++) {
      const side = atoms.ask(trail.test) ? 1 : 0
      const next: Trail | undefined = trail.after[side]
      if (next === undefined) {
        const { valueClass, trail: rest } = this.#evaluate(atoms, depth)
        trail.after[side] = rest
        return valueClass
      }
      trail = next
    }
    return trail.valueClass
  }

  /** Evaluates the atoms, and makes the trail that leads to their class from a depth on. */
  #evaluate(atoms: FieldAtoms, depth: number): { readonly valueClass: number; readonly trail: Trail } {
    const { atoms: held, asked } = atoms.held()
    const valueClass = this.#internClass(held)
    this.#size += asked.length - depth + 1
    let trail: Trail = { kind: 'class', valueClass }
    for (let at = asked.length - 1; at >= depth; at--) {
      const { test, isHeld } = asked[at]!
      trail = { kind: 'question', test, after: isHeld ? [undefined, trail] : [trail, undefined] }
    }
    return { valueClass, trail }
  }
}
