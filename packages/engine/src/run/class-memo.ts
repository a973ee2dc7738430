import type { FieldAtoms } from '../plan/field-atoms.ts'
import { GrowableInt32Array } from './tables/growable-int32-array.ts'
import { OpenAddressingMap } from './tables/open-addressing-map.ts'

// All records are in one integer array and refer to each other by place; place 0 is null. An entry: the previous entry
// with the same field and hash, the root of its decision tree, the number of anchors found, and the anchors. An inner
// node: the test to evaluate, the child if it is false, and the child if it is true. A child is the place of a node, a
// leaf, which is the complement of a class, or null, where no value has gone yet.
const none = 0
const rootAt = 1
const countAt = 2
const anchorsAt = 3
const ifFalseAt = 1
const ifTrueAt = 2

/**
 * Memoizes the class of a value by the anchors found in it and, in a decision tree that grows with the values, by the
 * outcomes of the tests that were evaluated. Values that never repeat, such as command lines with a number, mostly
 * contain the same anchors as earlier ones: one search and a few tests give their class.
 */
export class ClassMemo {
  /** By field and hash of the anchors found: the newest entry. */
  readonly #newest = new OpenAddressingMap()
  readonly #numbers = new GrowableInt32Array()
  readonly #internClass: (atoms: readonly number[]) => number

  /** `internClass` gives a set of atoms its class number. */
  constructor(internClass: (atoms: readonly number[]) => number) {
    this.#internClass = internClass
    this.#numbers.add(none)
  }

  /** The number of 32-bit integers stored. */
  get size(): number {
    return this.#numbers.length
  }

  /** The class of the current value of `atoms`, which are those of the field. */
  classify(field: number, atoms: FieldAtoms): number {
    const hash = atoms.foundHash & 0x7fff_ffff
    const newest = Math.max(none, this.#newest.get(field, hash))
    for (let entry = newest; entry !== none; entry = this.#numbers.at(entry)) {
      if (this.#isEntryFor(entry, atoms)) return this.#followTree(entry, atoms)
    }
    const entry = this.#addEntry(newest, atoms)
    this.#newest.set(field, hash, entry)
    return this.#followTree(entry, atoms)
  }

  #isEntryFor(entry: number, atoms: FieldAtoms): boolean {
    const numbers = this.#numbers
    const { foundCount } = atoms
    if (numbers.at(entry + countAt) !== foundCount) return false
    const first = entry + anchorsAt
    for (let at = first; at < first + foundCount; at++) if (!atoms.hasFound(numbers.at(at))) return false
    return true
  }

  #addEntry(before: number, atoms: FieldAtoms): number {
    const numbers = this.#numbers
    const entry = numbers.add(before)
    numbers.add(none)
    numbers.add(atoms.foundCount)
    for (let i = 0; i < atoms.foundCount; i++) numbers.add(atoms.getFoundTest(i))
    return entry
  }

  #followTree(entry: number, atoms: FieldAtoms): number {
    let child = entry + rootAt
    for (let depth = 0; ; depth++) {
      const place = this.#numbers.at(child)
      if (place < none) return ~place
      if (place === none) return this.#evaluate(child, depth, atoms)
      child = place + (atoms.evaluateTest(this.#numbers.at(place)) ? ifTrueAt : ifFalseAt)
    }
  }

  /** Evaluates the atoms and extends the tree from an empty child, at depth `depth`, to a leaf with their class. */
  #evaluate(child: number, depth: number, atoms: FieldAtoms): number {
    const { atoms: trueAtoms, evaluatedTests } = atoms.evaluateAtoms()
    const valueClass = this.#internClass(trueAtoms)
    const numbers = this.#numbers
    let end = child
    for (let i = depth; i < evaluatedTests.length; i++) {
      const node = numbers.add(evaluatedTests[i]!)
      numbers.add(none)
      numbers.add(none)
      numbers.set(end, node)
      end = node + (atoms.evaluateTest(evaluatedTests[i]!) ? ifTrueAt : ifFalseAt)
    }
    numbers.set(end, ~valueClass)
    return valueClass
  }
}
