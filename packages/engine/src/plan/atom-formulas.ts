import { mapInSteps } from '../step-work.ts'
import type { WorkSteps } from '../step-work.ts'
import { BranchProgram } from './branch-program.ts'
import { CsrLists } from './csr-lists.ts'
import { findAnchors, fails, holds, negate, unknown } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'
import type { AnalyzedTest } from './test-table.ts'

type AtomFormulaParts = {
  readonly program: BranchProgram
  /** By atom: its default outcome, and the tests that may flip it. */
  readonly usual: readonly Outcome[]
  readonly anchors: readonly (readonly number[])[]
  readonly formulas: readonly Formula[]
  readonly tests: readonly AnalyzedTest[]
}

/**
 * The formulas of a field's atoms over their tests, evaluated incrementally: without hits every atom has a **default**
 * outcome that is known in advance, and a hit only re-evaluates the atoms that it may **flip**.
 */
export class AtomFormulas {
  readonly #atoms: Int32Array
  readonly #program: BranchProgram
  /** By place of an atom: 1 if it is true by default; 1 if the test that flips it also proves it. */
  readonly #isTrueByDefault: Uint8Array
  readonly #isProvenByTest: Uint8Array
  /** The numbers of the atoms that are true by default. */
  readonly #defaultAtoms: readonly number[]
  /** Places of the atoms without a default, evaluated on every value; places of the atoms that each test may flip. */
  readonly #alwaysEvaluated: readonly number[]
  readonly #placesByTest: CsrLists

  /** Scratch: the places to evaluate, each listed once; the atoms that flipped to true, and those that flipped to false. */
  #valueNumber = 0
  readonly #listedAt: Int32Array
  readonly #places: Int32Array
  readonly #flippedToTrue: Int32Array
  #flippedCount = 0
  readonly #flippedToFalse: number[] = []

  private constructor(atoms: readonly number[], { program, usual, anchors, formulas, tests }: AtomFormulaParts) {
    this.#atoms = Int32Array.from(atoms)
    this.#program = program
    this.#isTrueByDefault = Uint8Array.from(usual, (outcome) => (outcome === holds ? 1 : 0))
    this.#defaultAtoms = atoms.filter((_, place) => usual[place] === holds)
    this.#alwaysEvaluated = usual.flatMap((outcome, place) => (outcome === unknown ? [place] : []))
    this.#placesByTest = CsrLists.invert(anchors, tests.length)
    this.#isProvenByTest = Uint8Array.from(formulas, (formula) => (
      formula.kind === 'variable' && tests[formula.number]!.isProven ? 1 : 0
    ))
    this.#listedAt = new Int32Array(atoms.length)
    this.#places = new Int32Array(atoms.length)
    this.#flippedToTrue = new Int32Array(atoms.length)
  }

  /** Analyzes formulas in steps; `atoms` are the numbers of their atoms, ascending, in the same order. */
  static* build(atoms: readonly number[], formulas: readonly Formula[], tests: readonly AnalyzedTest[]): WorkSteps<AtomFormulas> {
    const program = new BranchProgram(formulas)
    const usual = yield* mapInSteps(formulas, (_, place) => program.evaluate(place, (test) => getDefaultOutcome(tests[test]!)))
    const anchors = yield* mapInSteps(formulas, (formula, place) => {
      if (usual[place] === unknown) return []
      return findAnchors(usual[place] === holds ? negate(formula) : formula, (test) => tests[test]!.cost) ?? []
    })
    return new AtomFormulas(atoms, { program, usual, anchors, formulas, tests })
  }

  /** Whether a test may flip an atom. */
  isAnchor(test: number): boolean {
    return this.#placesByTest.getLength(test) > 0
  }

  /** Whether an atom may be true of a value without hits. */
  get canHoldWithoutHits(): boolean {
    return this.#defaultAtoms.length > 0 || this.#alwaysEvaluated.length > 0
  }

  /**
   * Lists the atoms that are true of a value, ascending, given the first `foundCount` tests of `found`, which may flip
   * atoms. Calls `outcomeOf` for other tests, in an order that depends on the hits and the earlier outcomes alone.
   * Disabled atoms keep their default.
   */
  evaluate(
    found: Int32Array, foundCount: number, outcomeOf: (test: number) => Outcome, isDisabled: Uint8Array | undefined,
  ): readonly number[] {
    this.#flippedCount = 0
    this.#flippedToFalse.length = 0
    const placeCount = this.#collectPlaces(found, foundCount, isDisabled)
    // Sorted, to make the order of evaluation independent of the order of the hits.
    sortPrefix(this.#places, placeCount)
    for (let i = 0; i < placeCount; i++) this.#evaluatePlace(this.#places[i]!, outcomeOf, isDisabled)
    for (const place of this.#alwaysEvaluated) this.#evaluatePlace(place, outcomeOf, isDisabled)
    if (this.#flippedCount === 0 && this.#flippedToFalse.length === 0) return this.#defaultAtoms
    for (const atom of this.#defaultAtoms) if (!this.#flippedToFalse.includes(atom)) this.#flippedToTrue[this.#flippedCount++] = atom
    sortPrefix(this.#flippedToTrue, this.#flippedCount)
    const trueAtoms: number[] = []
    for (let i = 0; i < this.#flippedCount; i++) trueAtoms.push(this.#flippedToTrue[i]!)
    return trueAtoms
  }

  /** Collects the places to evaluate and returns their count; atoms that their hit proves become true at once. */
  #collectPlaces(found: Int32Array, foundCount: number, isDisabled: Uint8Array | undefined): number {
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
        else if (isDisabled?.[this.#atoms[place]!] !== 1) this.#addTrue(place)
      }
    }
    return count
  }

  #evaluatePlace(place: number, outcomeOf: (test: number) => Outcome, isDisabled: Uint8Array | undefined): void {
    const atom = this.#atoms[place]!
    if (isDisabled?.[atom] === 1) return
    const isTrue = this.#program.evaluate(place, outcomeOf) === holds
    if (isTrue === (this.#isTrueByDefault[place] === 1)) return
    if (isTrue) this.#addTrue(place)
    else this.#flippedToFalse.push(atom)
  }

  #addTrue(place: number): void {
    this.#flippedToTrue[this.#flippedCount++] = this.#atoms[place]!
  }
}

/** Up to here insertion sort beats the cost of a subarray and a call of `sort`. */
const insertionSortMax = 24

/** Sorts the first `count` numbers; mostly there are few. */
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

/** The outcome of a test without a hit: unknown if the index cannot search for it. */
function getDefaultOutcome({ cost }: AnalyzedTest): Outcome {
  return cost === Infinity ? unknown : fails
}
