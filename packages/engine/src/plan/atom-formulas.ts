import { BranchProgram } from './branch-program.ts'
import { CsrLists } from './csr-lists.ts'
import { findAnchors, fails, holds, negate, unknown } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'
import type { AnalyzedTest } from './test-table.ts'

/**
 * The formulas of a field's atoms over their tests. Where nothing is found every atom has its **usual** outcome;
 * a test **turns** an atom if finding it may change that.
 */
export class AtomFormulas {
  readonly #atoms: Int32Array
  readonly #program: BranchProgram
  /** By place of an atom: 1 where it usually holds of a value; 1 where what turns it proves it. */
  readonly #isTrueByDefault: Uint8Array
  readonly #isProvenByTest: Uint8Array
  /** The numbers of the atoms that usually hold. */
  readonly #defaultAtoms: readonly number[]
  /** Places of the atoms to evaluate on every value, and those that each test turns. */
  readonly #alwaysEvaluated: readonly number[]
  readonly #placesByTest: CsrLists

  /** Scratch: the places that are to be evaluated, each listed once; the atoms that hold and usually do not. */
  #valueNumber = 0
  readonly #listedAt: Int32Array
  readonly #places: Int32Array
  readonly #gained: Int32Array
  #gainedCount = 0
  readonly #lost: number[] = []

  /** Takes the numbers of the atoms, ascending, with the formula of each. */
  constructor(atoms: readonly number[], formulas: readonly Formula[], tests: readonly AnalyzedTest[]) {
    this.#atoms = Int32Array.from(atoms)
    this.#program = new BranchProgram(formulas)
    const usual = formulas.map((_, place) => this.#program.evaluate(place, (test) => getDefaultOutcome(tests[test]!)))
    this.#isTrueByDefault = Uint8Array.from(usual, (outcome) => (outcome === holds ? 1 : 0))
    this.#defaultAtoms = atoms.filter((_, place) => usual[place] === holds)
    this.#alwaysEvaluated = usual.flatMap((outcome, place) => (outcome === unknown ? [place] : []))
    this.#placesByTest = CsrLists.invert(formulas.map((formula, place) => {
      if (usual[place] === unknown) return []
      return findAnchors(usual[place] === holds ? negate(formula) : formula, (test) => tests[test]!.cost) ?? []
    }), tests.length)
    this.#isProvenByTest = Uint8Array.from(formulas, (formula) => (
      formula.kind === 'variable' && tests[formula.number]!.isProven ? 1 : 0
    ))
    this.#listedAt = new Int32Array(atoms.length)
    this.#places = new Int32Array(atoms.length)
    this.#gained = new Int32Array(atoms.length)
  }

  /** Whether a test turns an atom. */
  isAnchor(test: number): boolean {
    return this.#placesByTest.getLength(test) > 0
  }

  /** Whether an atom may hold of a value in which nothing is found. */
  get canHoldWithoutHits(): boolean {
    return this.#defaultAtoms.length > 0 || this.#alwaysEvaluated.length > 0
  }

  /**
   * The atoms that hold of a value, ascending, given the tests that were found and turn an atom: the first so many of
   * some numbers. What else there is to know is asked, in an order that follows from what was found and answered. Atoms
   * that are off are taken for what they usually are.
   */
  evaluate(
    found: Int32Array, foundCount: number, outcomeOf: (test: number) => Outcome, isOff: Uint8Array | undefined,
  ): readonly number[] {
    this.#gainedCount = 0
    this.#lost.length = 0
    const turnedCount = this.#collectPlaces(found, foundCount, isOff)
    // In order, because the questions have to be.
    sortPrefix(this.#places, turnedCount)
    for (let i = 0; i < turnedCount; i++) this.#evaluatePlace(this.#places[i]!, outcomeOf, isOff)
    for (const place of this.#alwaysEvaluated) this.#evaluatePlace(place, outcomeOf, isOff)
    if (this.#gainedCount === 0 && this.#lost.length === 0) return this.#defaultAtoms
    for (const atom of this.#defaultAtoms) if (!this.#lost.includes(atom)) this.#gained[this.#gainedCount++] = atom
    sortPrefix(this.#gained, this.#gainedCount)
    const held: number[] = []
    for (let i = 0; i < this.#gainedCount; i++) held.push(this.#gained[i]!)
    return held
  }

  /** Lists the places of atoms to evaluate, and answers how many; what is proven by being found is gained at once. */
  #collectPlaces(found: Int32Array, foundCount: number, isOff: Uint8Array | undefined): number {
    this.#valueNumber++
    const places = this.#placesByTest
    let count = 0
    for (let i = 0; i < foundCount; i++) {
      const test = found[i]!
      for (let at = places.getStart(test); at < places.getEnd(test); at++) {
        const place = places.at(at)
        if (this.#listedAt[place] === this.#valueNumber) continue
        this.#listedAt[place] = this.#valueNumber
        if (this.#isProvenByTest[place] === 0) this.#places[count++] = place
        else if (isOff?.[this.#atoms[place]!] !== 1) this.#gain(place)
      }
    }
    return count
  }

  #evaluatePlace(place: number, outcomeOf: (test: number) => Outcome, isOff: Uint8Array | undefined): void {
    const atom = this.#atoms[place]!
    if (isOff?.[atom] === 1) return
    const isHeld = this.#program.evaluate(place, outcomeOf) === holds
    if (isHeld === (this.#isTrueByDefault[place] === 1)) return
    if (isHeld) this.#gain(place)
    else this.#lost.push(atom)
  }

  #gain(place: number): void {
    this.#gained[this.#gainedCount++] = this.#atoms[place]!
  }
}

/** Sorts the first so many of some numbers; mostly there are few. */
function sortPrefix(numbers: Int32Array, count: number): void {
  if (count > insertionSortMax) {
    numbers.subarray(0, count).sort()
    return
  }
  for (let i = 1; i < count; i++) {
    const number = numbers[i]!
    let at = i
    for (; at > 0 && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!
    numbers[at] = number
  }
}

/** A view and a call take as long as sorting so many by insertion. */
const insertionSortMax = 24

/** What a comparison says of a value in which nothing was found. */
function getDefaultOutcome({ cost }: AnalyzedTest): Outcome {
  return cost === Infinity ? unknown : fails
}
