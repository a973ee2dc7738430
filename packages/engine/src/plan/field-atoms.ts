import { NeedleFinder } from '../candidates/q-gram-index.ts'
import type { SearchedNeedle } from '../candidates/q-gram-index.ts'
import type { Needle } from '../candidates/requirement.ts'
import { numberOf } from '../event/parse-number.ts'
import { Reading } from '../event/value-view.ts'
import { textsOf } from '../event/value.ts'
import type { FieldValue } from '../event/value.ts'
import { compileCheck } from '../predicate/check.ts'
import type { Check } from '../predicate/check.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { AtomFormulas } from './atom-formulas.ts'
import { NumberLists } from './csr-lists.ts'
import { fails, holds, variablesOf } from './formula.ts'
import type { Outcome } from './formula.ts'
import { hasRegex } from './has-regex.ts'
import { NeedleTable } from './needle-table.ts'
import type { NumberNeedle } from './needle-table.ts'
import type { SampledTimes } from './sampling-timer.ts'
import { TestTable } from './test-table.ts'
import type { KnownTest } from './test-table.ts'

/** Which atoms hold of a value, by number and ascending, and which comparisons had to be asked to know it, in order. */
export type HeldAtoms = { readonly atoms: readonly number[]; readonly asked: readonly number[] }

/** An atom of one field, by its number. */
export type FieldAtom = { readonly atom: number; readonly predicate: Predicate }

/** Looks on while atoms are evaluated. */
export type AtomWatch = {
  /** By atom: 1 where no rule that runs reads it; it is not evaluated and taken for what it usually is. */
  readonly isOff: Uint8Array
  /** Takes the times of atoms with dear comparisons, by their number; undefined where nobody wants them. */
  readonly times: SampledTimes | undefined
}

/** The first so many of some numbers: those of texts that were found in a value. */
export type FoundTexts = { readonly numbers: ArrayLike<number>; readonly count: number }

/** How somebody has looked at a value. */
export type Search = {
  /** Whether for all texts, or for those that `search` looks for. */
  readonly isComplete: boolean
  /** UTF-16 units that it has at most. */
  readonly lengthMax: number
  readonly watch?: AtomWatch
}

/**
 * The atoms of one field: tells which of them hold of a value.
 *
 * An atom is a formula over comparisons, of which each distinct one is asked at most once of a value. Where
 * nothing is found every atom has its **usual** outcome, known beforehand. What can be looked for is, all in
 * one pass; some of it can turn an atom from its usual outcome, and where that is found, the atom is
 * evaluated. What cannot be looked for (networks, orders of numbers) is asked where it counts.
 *
 * So the atoms that hold follow from what was found and what was answered, whatever else the value is. `look`
 * begins with a value; what comes after it is about that one.
 */
export class FieldAtoms {
  readonly #formulas: AtomFormulas
  /** By test: what is known of it, as a sum of the marks below; the first atom that has it. */
  readonly #marks: Uint8Array
  readonly #firstAtomOf: Int32Array
  readonly #tests: readonly KnownTest[]
  readonly #checks: (Check | undefined)[] = []
  /** Finds the first ones of `texts`, those of comparisons that can turn an atom; made when a text comes first. */
  #finder: NeedleFinder | undefined
  readonly #anchorTextCount: number
  readonly #testsOfText: NumberLists
  /** By text: the test that it belongs to, as nearly all do; -1 where there are several. */
  readonly #testOfText: Int32Array
  readonly #testsOfNumber: ReadonlyMap<number, readonly number[]>
  readonly #testsOfLength: NeedleTable['testsOfLength']
  readonly #nullTests: readonly number[]
  readonly #textlessTests: readonly number[]

  /** The found comparisons that can turn an atom, in no order, and how many. */
  readonly #found: Int32Array
  #foundCount = 0
  /** A hash of them that does not depend on the order. */
  foundHash = 0
  /** Scratch, marked with the number of the value that is looked at. */
  #valueCount = 0
  /** Whether all of `texts` were looked for in the value; else the other comparisons are asked of it. */
  #isSearchedFully = false
  readonly #foundAt: Int32Array
  readonly #askedAt: Int32Array
  readonly #listedAt: Int32Array
  readonly #answers: Uint8Array
  readonly #needles: number[] = []
  #asked: number[] = []
  #readValue: () => FieldValue = () => undefined
  #reading: Reading | undefined
  #watch: AtomWatch | undefined

  /** What has to be found for an atom to hold; undefined where one may hold of a value in which nothing is. */
  readonly needles: readonly Needle[] | undefined

  /** Text that is looked for in values, and runs; behind them the numbers, which `look` finds without looking for text. */
  readonly texts: readonly (SearchedNeedle | NumberNeedle)[]

  /** Whether what was said of the value so far follows from what was found: none of it was asked of the value itself. */
  followsFromFound = false

  /** Whether no atom holds of leaves in which `search` finds nothing. */
  readonly needsTexts: boolean

  /** Takes the atoms in ascending order. */
  constructor(atoms: readonly FieldAtom[]) {
    const table = new TestTable()
    const formulas = atoms.map(({ predicate }) => table.formulaOf(predicate))
    this.#formulas = new AtomFormulas(atoms.map(({ atom }) => atom), formulas, table.tests)
    this.#tests = table.tests
    this.#marks = Uint8Array.from(table.tests, (test, number) => marksOf(test, this.#formulas.isAnchor(number)))
    this.#firstAtomOf = new Int32Array(table.tests.length)
    for (const [place, formula] of [...formulas.entries()].toReversed()) {
      for (const test of variablesOf(formula)) this.#firstAtomOf[test] = atoms[place]!.atom
    }
    this.#found = new Int32Array(table.tests.length)
    this.#foundAt = new Int32Array(table.tests.length)
    this.#askedAt = new Int32Array(table.tests.length)
    this.#listedAt = new Int32Array(table.tests.length)
    this.#answers = new Uint8Array(table.tests.length)

    const needles = new NeedleTable(table.tests, (test) => this.#formulas.isAnchor(test))
    this.#anchorTextCount = needles.anchorTextCount
    this.texts = needles.texts
    const testsOfText = needles.testsOfText()
    this.#testsOfText = testsOfText
    this.#testOfText = Int32Array.from(needles.texts, (_, text) => (
      testsOfText.lengthOf(text) === 1 ? testsOfText.at(testsOfText.startOf(text)) : -1
    ))
    this.#testsOfNumber = needles.testsOfNumber
    this.#testsOfLength = needles.testsOfLength
    const anchors = table.tests.filter((_, number) => this.#formulas.isAnchor(number))
    const isTurnedByAbsence = anchors.some(({ absence }) => absence !== undefined)
    const canBeAbsent = this.#formulas.mayHoldOfAnything || isTurnedByAbsence
    this.needles = canBeAbsent ? undefined : anchors.flatMap((test) => test.needles ?? [])
    this.needsTexts = this.needles !== undefined && this.needles.every(({ kind }) => kind === 'text')
    this.#nullTests = table.tests.flatMap(({ absence }, number) => (absence === 'null' ? [number] : []))
    this.#textlessTests = table.tests.flatMap(({ absence }, number) => (absence === 'no text' ? [number] : []))
  }

  /** Looks at a value that is there, and finds what can be looked for. */
  look(value: FieldValue, watch?: AtomWatch): void {
    this.#begin(watch, false)
    this.#reading = new Reading(value)
    if (this.#testsOfNumber.size > 0) this.#findNumbers(value)
    if (this.#nullTests.length > 0 && (value === null || (typeof value === 'object' && value.includes(null)))) {
      for (const test of this.#nullTests) this.#find(test)
    }
    const text = textsOf(value)
    if (text === null || (typeof text === 'object' && text.length === 0)) for (const test of this.#textlessTests) this.#find(test)
    if (text === null) return
    const texts = typeof text === 'string' ? [text] : text
    for (const one of texts) this.search(one, this.#needles)
    this.#findLengths(texts.reduce((longest, { length }) => Math.max(longest, length), 0))
    this.#findTexts({ numbers: this.#needles, count: this.#needles.length })
    this.#needles.length = 0
  }

  /**
   * The same for a value with a text in which somebody has looked for `texts`, or at least for those that
   * `search` looks for; takes what was found. The value is read only where a comparison has to
   * be asked.
   */
  lookFound(found: FoundTexts, readValue: () => FieldValue, { isComplete, lengthMax, watch }: Search): void {
    this.#begin(watch, isComplete)
    this.#reading = undefined
    this.#readValue = readValue
    if (!isComplete && this.#testsOfNumber.size > 0) this.#findNumbers(readValue())
    this.#findLengths(lengthMax)
    this.#findTexts(found)
  }

  /** Looks for the texts that can turn an atom and adds the numbers of those that were found, some more than once. */
  search(text: string, found: number[]): void {
    this.#finder ??= new NeedleFinder(this.texts.slice(0, this.#anchorTextCount).flatMap((needle) => (
      needle.anchor === 'number' ? [] : [needle]
    )))
    this.#finder.find(text, found)
  }

  #begin(watch: AtomWatch | undefined, isSearchedFully: boolean): void {
    this.#valueCount++
    this.#isSearchedFully = isSearchedFully
    this.#watch = watch
    this.#foundCount = 0
    this.foundHash = 0
    this.followsFromFound = isSearchedFully && this.#testsOfLength.length === 0
  }

  /** How many comparisons were found that can turn an atom. */
  get foundCount(): number {
    return this.#foundCount
  }

  /** One of them; they are in no order. */
  foundTest(place: number): number {
    return this.#found[place]!
  }

  hasFound(test: number): boolean {
    return this.#foundAt[test] === this.#valueCount
  }

  /** Asks a comparison of the value; what was looked for is mostly answered by having been found or not. */
  ask(test: number): boolean {
    const marks = this.#marks[test]!
    if ((marks & isSearched) !== 0 && (this.#isSearchedFully || (marks & isAnchor) !== 0)) {
      if (this.#foundAt[test] !== this.#valueCount) return false
      if ((marks & isProven) !== 0) return true
    }
    if (this.#askedAt[test] !== this.#valueCount) {
      const isHeld = (marks & isDear) === 0 ? this.#answer(test) : this.#askTimed(test)
      this.#askedAt[test] = this.#valueCount
      this.#answers[test] = isHeld ? 1 : 0
    }
    return this.#answers[test] === 1
  }

  /** The time is that of the first atom that has the comparison; others have it for nothing. */
  #askTimed(test: number): boolean {
    const times = this.#watch?.times
    const startedAt = times?.start(this.#firstAtomOf[test]!) ?? Number.NaN
    const isHeld = this.#answer(test)
    times?.stop(this.#firstAtomOf[test]!, startedAt)
    return isHeld
  }

  /**
   * The atoms that hold of the value; called once for it. What is asked, and in which order, follows from what
   * was found and answered.
   */
  held(): HeldAtoms {
    this.#asked = []
    const atoms = this.#formulas.held(this.#found, this.#foundCount, this.#outcomeOf, this.#watch?.isOff)
    return { atoms, asked: this.#asked }
  }

  /** Whatever does not follow from the comparisons in `found` is listed as asked. */
  readonly #outcomeOf = (test: number): Outcome => {
    const marks = this.#marks[test]!
    if ((marks & isAnchor) !== 0) {
      if (this.#foundAt[test] !== this.#valueCount) return fails
      if ((marks & isProven) !== 0) return holds
    }
    const isHeld = this.ask(test)
    if (this.#listedAt[test] !== this.#valueCount) {
      this.#listedAt[test] = this.#valueCount
      this.#asked.push(test)
    }
    return isHeld ? holds : fails
  }

  #findNumbers(value: FieldValue): void {
    if (value === undefined) return
    for (const one of typeof value === 'object' && value !== null ? value : [value]) {
      for (const test of this.#testsOfNumber.get(numberOf(one)) ?? none) this.#find(test)
    }
  }

  #findTexts({ numbers, count }: FoundTexts): void {
    const tests = this.#testsOfText
    for (let i = 0; i < count; i++) {
      const text = numbers[i]!
      const test = this.#testOfText[text]!
      if (test !== -1) this.#find(test)
      else for (let at = tests.startOf(text); at < tests.endOf(text); at++) this.#find(tests.at(at))
    }
  }

  #findLengths(lengthMax: number): void {
    for (const { least, test } of this.#testsOfLength) {
      if (least > lengthMax) return
      this.#find(test)
    }
  }

  #find(test: number): void {
    if (this.#foundAt[test] === this.#valueCount) return
    this.#foundAt[test] = this.#valueCount
    if ((this.#marks[test]! & isAnchor) === 0) return
    this.#found[this.#foundCount++] = test
    this.foundHash = (this.foundHash + Math.imul(test + 1, 0x9e3779b1)) | 0
  }

  #answer(test: number): boolean {
    this.followsFromFound = false
    return this.#checkOf(test)((this.#reading ??= new Reading(this.#readValue())))
  }

  #checkOf(test: number): Check {
    return (this.#checks[test] ??= compileCheck(this.#tests[test]!.predicate))
  }
}

const none: readonly number[] = []

/** It can turn an atom; it is looked for in every value, while others wait to be asked. */
const isAnchor = 1
const isSearched = 2
/** Where it is found it holds; it takes long. */
const isProven = 4
const isDear = 8

function marksOf(test: KnownTest, canTurn: boolean): number {
  const marks = (canTurn ? isAnchor : 0) | (test.cost === Infinity ? 0 : isSearched) | (test.isProven ? isProven : 0)
  return test.cost === Infinity || hasRegex(test.predicate) ? marks | isDear : marks
}
