import type { FieldAtoms } from '../plan/field-atoms.ts'
import { GrowableInt32Array } from './growable-int32-array.ts'
import { OpenAddressingMap } from './open-addressing-map.ts'

// Places of numbers, of which the first, 0, stands for none. A memory: the place of the one before it of the same
// field and hash, where its trail leads, how many comparisons were found, and these. A question: the comparison to ask,
// and where the trail leads if it fails and if it holds. A trail leads to the place of a question, to a class, which
// is written as its complement, or, where no value has gone, nowhere.
const none = 0
const trailAt = 1
const countAt = 2
const foundAt = 3
const ifFailsAt = 1
const ifHoldsAt = 2

/**
 * Remembers which class came of what was found in a value of a field and of what was answered about it. Values that
 * never repeat, such as command lines with a number in them, mostly have the same found in them as others had: their
 * class is known after a search and a few questions.
 */
export class ClassMemo {
  /** By field and hash of what was found: the place of the newest memory. */
  readonly #newest = new OpenAddressingMap()
  readonly #numbers = new GrowableInt32Array()
  readonly #internClass: (atoms: readonly number[]) => number

  /** Takes what numbers the classes. */
  constructor(internClass: (atoms: readonly number[]) => number) {
    this.#internClass = internClass
    this.#numbers.add(none)
  }

  /** How many numbers of 32 bits are remembered. */
  get size(): number {
    return this.#numbers.length
  }

  /** The class of the value that the atoms, those of a field, look at. */
  classify(field: number, atoms: FieldAtoms): number {
    const hash = atoms.foundHash & 0x7fff_ffff
    const newest = Math.max(none, this.#newest.get(field, hash))
    for (let memory = newest; memory !== none; memory = this.#numbers.at(memory)) {
      if (this.#isEntryFor(memory, atoms)) return this.#followTrail(memory, atoms)
    }
    const memory = this.#addEntry(newest, atoms)
    this.#newest.set(field, hash, memory)
    return this.#followTrail(memory, atoms)
  }

  #isEntryFor(memory: number, atoms: FieldAtoms): boolean {
    const numbers = this.#numbers
    const { foundCount } = atoms
    if (numbers.at(memory + countAt) !== foundCount) return false
    const first = memory + foundAt
    for (let at = first; at < first + foundCount; at++) if (!atoms.hasFound(numbers.at(at))) return false
    return true
  }

  #addEntry(before: number, atoms: FieldAtoms): number {
    const numbers = this.#numbers
    const memory = numbers.add(before)
    numbers.add(none)
    numbers.add(atoms.foundCount)
    for (let i = 0; i < atoms.foundCount; i++) numbers.add(atoms.getFoundTest(i))
    return memory
  }

  #followTrail(memory: number, atoms: FieldAtoms): number {
    let way = memory + trailAt
    for (let askedCount = 0; ; askedCount++) {
      const place = this.#numbers.at(way)
      if (place < none) return ~place
      if (place === none) return this.#evaluate(way, askedCount, atoms)
      way = place + (atoms.evaluateTest(this.#numbers.at(place)) ? ifHoldsAt : ifFailsAt)
    }
  }

  /** Evaluates the atoms, and makes the trail that leads from a way on, after some questions, to their class. */
  #evaluate(way: number, askedCount: number, atoms: FieldAtoms): number {
    const { atoms: held, evaluatedTests } = atoms.evaluateAtoms()
    const valueClass = this.#internClass(held)
    const numbers = this.#numbers
    let end = way
    for (let i = askedCount; i < evaluatedTests.length; i++) {
      const question = numbers.add(evaluatedTests[i]!)
      numbers.add(none)
      numbers.add(none)
      numbers.set(end, question)
      end = question + (atoms.evaluateTest(evaluatedTests[i]!) ? ifHoldsAt : ifFailsAt)
    }
    numbers.set(end, ~valueClass)
    return valueClass
  }
}
