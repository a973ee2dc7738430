import { QGramIndex } from '../candidates/q-gram-index.ts'
import type { SearchNeedle } from '../candidates/q-gram-index.ts'
import type { Needle } from '../candidates/requirement.ts'
import { parseNumber } from '../event/parse-number.ts'
import { ValueView } from '../event/value-view.ts'
import { toTexts } from '../event/value.ts'
import type { FieldValue } from '../event/value.ts'
import { compileCheck } from '../predicate/check.ts'
import type { ValueCheck } from '../predicate/check.ts'
import type { Predicate } from '../predicate/predicate.ts'
import { AtomFormulas } from './atom-formulas.ts'
import { CsrLists } from './csr-lists.ts'
import { fails, holds, listVariables } from './formula.ts'
import type { Outcome } from './formula.ts'
import { hasRegex } from './has-regex.ts'
import { NeedleTable } from './needle-table.ts'
import type { NumberNeedle } from './needle-table.ts'
import type { SamplingTimer } from './sampling-timer.ts'
import { TestTable } from './test-table.ts'
import type { AnalyzedTest } from './test-table.ts'

/** Which atoms hold of a value, by number and ascending, and which comparisons had to be asked to know it, in order. */
export type AtomEvaluation = { readonly atoms: readonly number[]; readonly evaluatedTests: readonly number[] }

/** An atom of one field, by its number. */
export type FieldAtom = { readonly atom: number; readonly predicate: Predicate }

/** Looks on while atoms are evaluated. */
export type AtomProfile = {
  /** By atom: 1 where no rule that runs reads it; it is not evaluated and taken for what it usually is. */
  readonly isDisabled: Uint8Array
  /** Takes the times of atoms with dear comparisons, by their number; undefined where nobody wants them. */
  readonly timer: SamplingTimer | undefined
}

/** The first so many of some numbers: those of texts that were found in a value. */
export type NeedleHits = { readonly numbers: ArrayLike<number>; readonly count: number }

/** How somebody has looked at a value. */
export type ScanOptions = {
  /** Whether for all texts, or for those that `search` looks for. */
  readonly isComplete: boolean
  /** UTF-16 units that it has at most. */
  readonly lengthMax: number
  readonly profile?: AtomProfile
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
  readonly #flags: Uint8Array
  readonly #firstAtomByTest: Int32Array
  readonly #tests: readonly AnalyzedTest[]
  readonly #checks: (ValueCheck | undefined)[] = []
  /** Finds the first ones of `texts`, those of comparisons that can turn an atom; made when a text comes first. */
  #needleIndex: QGramIndex | undefined
  readonly #anchorNeedleCount: number
  readonly #testsByNeedle: CsrLists
  /** By text: the test that it belongs to, as nearly all do; -1 where there are several. */
  readonly #onlyTestByNeedle: Int32Array
  readonly #testsByNumber: ReadonlyMap<number, readonly number[]>
  readonly #testsByLength: NeedleTable['testsByLength']
  readonly #nullTests: readonly number[]
  readonly #textlessTests: readonly number[]

  /** The found comparisons that can turn an atom, in no order, and how many. */
  readonly #found: Int32Array
  #foundCount = 0
  /** A hash of them that does not depend on the order. */
  foundHash = 0
  /** Scratch, marked with the number of the value that is looked at. */
  #valueNumber = 0
  /** Whether all of `texts` were looked for in the value; else the other comparisons are asked of it. */
  #isScanComplete = false
  readonly #foundAt: Int32Array
  readonly #evaluatedAt: Int32Array
  readonly #listedAt: Int32Array
  readonly #results: Uint8Array
  readonly #hits: number[] = []
  #evaluatedTests: number[] = []
  #readValue: () => FieldValue = () => undefined
  #view: ValueView | undefined
  #profile: AtomProfile | undefined

  /** What has to be found for an atom to hold; undefined where one may hold of a value in which nothing is. */
  readonly requirement: readonly Needle[] | undefined

  /** Text that is looked for in values, and runs; behind them the numbers, which `look` finds without looking for text. */
  readonly needles: readonly (SearchNeedle | NumberNeedle)[]

  /** Whether what was said of the value so far follows from what was found: none of it was asked of the value itself. */
  isDecidedByHits = false

  /** Whether no atom holds of leaves in which `search` finds nothing. */
  readonly requiresNeedle: boolean

  /** Takes the atoms in ascending order. */
  constructor(atoms: readonly FieldAtom[]) {
    const table = new TestTable()
    const formulas = atoms.map(({ predicate }) => table.toFormula(predicate))
    this.#formulas = new AtomFormulas(atoms.map(({ atom }) => atom), formulas, table.tests)
    this.#tests = table.tests
    this.#flags = Uint8Array.from(table.tests, (test, number) => computeFlags(test, this.#formulas.isAnchor(number)))
    this.#firstAtomByTest = new Int32Array(table.tests.length)
    for (const [place, formula] of [...formulas.entries()].toReversed()) {
      for (const test of listVariables(formula)) this.#firstAtomByTest[test] = atoms[place]!.atom
    }
    this.#found = new Int32Array(table.tests.length)
    this.#foundAt = new Int32Array(table.tests.length)
    this.#evaluatedAt = new Int32Array(table.tests.length)
    this.#listedAt = new Int32Array(table.tests.length)
    this.#results = new Uint8Array(table.tests.length)

    const needles = new NeedleTable(table.tests, (test) => this.#formulas.isAnchor(test))
    this.#anchorNeedleCount = needles.anchorNeedleCount
    this.needles = needles.needles
    const testsOfText = needles.buildTestsByNeedle()
    this.#testsByNeedle = testsOfText
    this.#onlyTestByNeedle = Int32Array.from(needles.needles, (_, text) => (
      testsOfText.getLength(text) === 1 ? testsOfText.at(testsOfText.getStart(text)) : -1
    ))
    this.#testsByNumber = needles.testsByNumber
    this.#testsByLength = needles.testsByLength
    const anchors = table.tests.filter((_, number) => this.#formulas.isAnchor(number))
    const isTurnedByAbsence = anchors.some(({ absence }) => absence !== undefined)
    const canBeAbsent = this.#formulas.canHoldWithoutHits || isTurnedByAbsence
    this.requirement = canBeAbsent ? undefined : anchors.flatMap((test) => test.needles ?? [])
    this.requiresNeedle = this.requirement !== undefined && this.requirement.every(({ kind }) => kind === 'text')
    this.#nullTests = table.tests.flatMap(({ absence }, number) => (absence === 'null' ? [number] : []))
    this.#textlessTests = table.tests.flatMap(({ absence }, number) => (absence === 'no text' ? [number] : []))
  }

  /** Looks at a value that is there, and finds what can be looked for. */
  scanValue(value: FieldValue, watch?: AtomProfile): void {
    this.#begin(watch, false)
    this.#view = new ValueView(value)
    if (this.#testsByNumber.size > 0) this.#markNumbers(value)
    if (this.#nullTests.length > 0 && (value === null || (typeof value === 'object' && value.includes(null)))) {
      for (const test of this.#nullTests) this.#markFound(test)
    }
    const text = toTexts(value)
    if (text === null || (typeof text === 'object' && text.length === 0)) for (const test of this.#textlessTests) this.#markFound(test)
    if (text === null) return
    const texts = typeof text === 'string' ? [text] : text
    for (const one of texts) this.findNeedles(one, this.#hits)
    this.#markLengths(texts.reduce((longest, { length }) => Math.max(longest, length), 0))
    this.#markHits({ numbers: this.#hits, count: this.#hits.length })
    this.#hits.length = 0
  }

  /**
   * The same for a value with a text in which somebody has looked for `texts`, or at least for those that
   * `search` looks for; takes what was found. The value is read only where a comparison has to
   * be asked.
   */
  acceptHits(found: NeedleHits, readValue: () => FieldValue, { isComplete, lengthMax, profile }: ScanOptions): void {
    this.#begin(profile, isComplete)
    this.#view = undefined
    this.#readValue = readValue
    if (!isComplete && this.#testsByNumber.size > 0) this.#markNumbers(readValue())
    this.#markLengths(lengthMax)
    this.#markHits(found)
  }

  /** Looks for the texts that can turn an atom and adds the numbers of those that were found, some more than once. */
  findNeedles(text: string, found: number[]): void {
    this.#needleIndex ??= new QGramIndex(this.needles.slice(0, this.#anchorNeedleCount).flatMap((needle) => (
      needle.anchor === 'number' ? [] : [needle]
    )))
    this.#needleIndex.find(text, found)
  }

  #begin(watch: AtomProfile | undefined, isSearchedFully: boolean): void {
    this.#valueNumber++
    this.#isScanComplete = isSearchedFully
    this.#profile = watch
    this.#foundCount = 0
    this.foundHash = 0
    this.isDecidedByHits = isSearchedFully && this.#testsByLength.length === 0
  }

  /** How many comparisons were found that can turn an atom. */
  get foundCount(): number {
    return this.#foundCount
  }

  /** One of them; they are in no order. */
  getFoundTest(place: number): number {
    return this.#found[place]!
  }

  hasFound(test: number): boolean {
    return this.#foundAt[test] === this.#valueNumber
  }

  /** Asks a comparison of the value; what was looked for is mostly answered by having been found or not. */
  evaluateTest(test: number): boolean {
    const marks = this.#flags[test]!
    if ((marks & searchedFlag) !== 0 && (this.#isScanComplete || (marks & anchorFlag) !== 0)) {
      if (this.#foundAt[test] !== this.#valueNumber) return false
      if ((marks & provenFlag) !== 0) return true
    }
    if (this.#evaluatedAt[test] !== this.#valueNumber) {
      const isHeld = (marks & costlyFlag) === 0 ? this.#runCheck(test) : this.#evaluateTimed(test)
      this.#evaluatedAt[test] = this.#valueNumber
      this.#results[test] = isHeld ? 1 : 0
    }
    return this.#results[test] === 1
  }

  /** The time is that of the first atom that has the comparison; others have it for nothing. */
  #evaluateTimed(test: number): boolean {
    const times = this.#profile?.timer
    const startedAt = times?.start(this.#firstAtomByTest[test]!) ?? Number.NaN
    const isHeld = this.#runCheck(test)
    times?.stop(this.#firstAtomByTest[test]!, startedAt)
    return isHeld
  }

  /**
   * The atoms that hold of the value; called once for it. What is asked, and in which order, follows from what
   * was found and answered.
   */
  evaluateAtoms(): AtomEvaluation {
    this.#evaluatedTests = []
    const atoms = this.#formulas.evaluate(this.#found, this.#foundCount, this.#getOutcome, this.#profile?.isDisabled)
    return { atoms, evaluatedTests: this.#evaluatedTests }
  }

  /** Whatever does not follow from the comparisons in `found` is listed as asked. */
  readonly #getOutcome = (test: number): Outcome => {
    const marks = this.#flags[test]!
    if ((marks & anchorFlag) !== 0) {
      if (this.#foundAt[test] !== this.#valueNumber) return fails
      if ((marks & provenFlag) !== 0) return holds
    }
    const isHeld = this.evaluateTest(test)
    if (this.#listedAt[test] !== this.#valueNumber) {
      this.#listedAt[test] = this.#valueNumber
      this.#evaluatedTests.push(test)
    }
    return isHeld ? holds : fails
  }

  #markNumbers(value: FieldValue): void {
    if (value === undefined) return
    for (const one of typeof value === 'object' && value !== null ? value : [value]) {
      for (const test of this.#testsByNumber.get(parseNumber(one)) ?? noTests) this.#markFound(test)
    }
  }

  #markHits({ numbers, count }: NeedleHits): void {
    const tests = this.#testsByNeedle
    for (let i = 0; i < count; i++) {
      const text = numbers[i]!
      const test = this.#onlyTestByNeedle[text]!
      if (test !== -1) this.#markFound(test)
      else for (let at = tests.getStart(text); at < tests.getEnd(text); at++) this.#markFound(tests.at(at))
    }
  }

  #markLengths(lengthMax: number): void {
    for (const { least, test } of this.#testsByLength) {
      if (least > lengthMax) return
      this.#markFound(test)
    }
  }

  #markFound(test: number): void {
    if (this.#foundAt[test] === this.#valueNumber) return
    this.#foundAt[test] = this.#valueNumber
    if ((this.#flags[test]! & anchorFlag) === 0) return
    this.#found[this.#foundCount++] = test
    this.foundHash = (this.foundHash + Math.imul(test + 1, 0x9e3779b1)) | 0
  }

  #runCheck(test: number): boolean {
    this.isDecidedByHits = false
    return this.#getCheck(test)((this.#view ??= new ValueView(this.#readValue())))
  }

  #getCheck(test: number): ValueCheck {
    return (this.#checks[test] ??= compileCheck(this.#tests[test]!.predicate))
  }
}

const noTests: readonly number[] = []

/** It can turn an atom; it is looked for in every value, while others wait to be asked. */
const anchorFlag = 1
const searchedFlag = 2
/** Where it is found it holds; it takes long. */
const provenFlag = 4
const costlyFlag = 8

function computeFlags(test: AnalyzedTest, canTurn: boolean): number {
  const marks = (canTurn ? anchorFlag : 0) | (test.cost === Infinity ? 0 : searchedFlag) | (test.isProven ? provenFlag : 0)
  return test.cost === Infinity || hasRegex(test.predicate) ? marks | costlyFlag : marks
}
