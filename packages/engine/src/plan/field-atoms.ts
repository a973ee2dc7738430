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
import { mapInSteps } from '../step-work.ts'
import type { WorkSteps } from '../step-work.ts'
import { AtomFormulas } from './atom-formulas.ts'
import { CsrLists } from './csr-lists.ts'
import { fails, holds, listVariables } from './formula.ts'
import type { Formula, Outcome } from './formula.ts'
import { hasRegex } from './has-regex.ts'
import { NeedleTable } from './needle-table.ts'
import type { NumberNeedle } from './needle-table.ts'
import type { SamplingTimer } from './sampling-timer.ts'
import { TestTable } from './test-table.ts'
import type { AnalyzedTest } from './test-table.ts'
import { weighPredicate } from './weigh-predicate.ts'

/** The atoms that are true of a value, ascending, and the tests that had to be evaluated for it, in order. */
type AtomEvaluation = { readonly atoms: readonly number[]; readonly evaluatedTests: readonly number[] }

/** An atom of one field, by its number. */
export type FieldAtom = { readonly atom: number; readonly predicate: Predicate }

/** The profile of an index that the evaluation of atoms reads and updates. */
export type AtomProfile = {
  /** By atom: 1 if no running rule reads it; it is not evaluated and keeps its default outcome. */
  readonly isDisabled: Uint8Array
  /** Times the atoms with expensive tests, by number; undefined without a clock. */
  readonly timer: SamplingTimer | undefined
}

/** The needles found in a value: the first `count` of `numbers`. */
export type NeedleHits = { readonly numbers: ArrayLike<number>; readonly count: number }

/** How the caller searched a value. */
type ScanOptions = {
  /** Whether for all needles, or only for those that `findNeedles` covers. */
  readonly isComplete: boolean
  /** Upper bound of the value's length in UTF-16 units. */
  readonly lengthMax: number
  readonly profile?: AtomProfile
}

type FieldAtomParts = {
  readonly tests: readonly AnalyzedTest[]
  /** The formulas of the atoms over the tests, in the order of the atoms. */
  readonly formulas: readonly Formula[]
  readonly analyzed: AtomFormulas
  readonly needles: NeedleTable
}

const noTests: readonly number[] = []

/** A hit may flip an atom; the test has needles. */
const anchorFlag = 1

const searchedFlag = 2
/** A hit proves the test; the test is expensive. */
const provenFlag = 4

const costlyFlag = 8

/**
 * Evaluates the atoms of one field on values, by multi-pattern search first.
 *
 * An atom is a formula over tests, each evaluated at most once for a value. One pass over the value finds the needles of
 * all tests; without hits every atom has a **default** outcome that is known in advance. Some tests are **anchors**: a
 * hit of theirs may flip an atom, which is then evaluated. Tests without needles (networks, numeric ranges) run only
 * when a formula needs them.
 *
 * So the true atoms are a function of the hits and of the outcomes of evaluated tests, whatever else the value is, which
 * is what `ClassMemo` relies on. `scanValue` and `acceptHits` start a value; the other methods refer to that value.
 */
export class FieldAtoms {
  readonly #formulas: AtomFormulas
  /** By test: the flags below; the first atom that contains it. */
  readonly #flags: Uint8Array
  readonly #firstAtomByTest: Int32Array
  readonly #tests: readonly AnalyzedTest[]
  readonly #checks: (ValueCheck | undefined)[] = []
  /** Finds the needles of anchors, which come first in `needles`; built when the first text comes. */
  #needleIndex: QGramIndex | undefined
  readonly #anchorNeedleCount: number
  readonly #testsByNeedle: CsrLists
  /** By needle: its only test, which nearly all needles have; -1 if it has several. */
  readonly #onlyTestByNeedle: Int32Array
  readonly #testsByNumber: ReadonlyMap<number, readonly number[]>
  readonly #testsByLength: NeedleTable['testsByLength']
  readonly #nullTests: readonly number[]
  readonly #textlessTests: readonly number[]

  /** The anchors found in the value, unordered, and their count. */
  readonly #found: Int32Array
  #foundCount = 0
  /** An order-independent hash of the anchors found. */
  foundHash = 0
  /** Scratch arrays by test hold the number of the value for which an entry was set last. */
  #valueNumber = 0
  /** Whether the scan covered all needles; else tests other than anchors are evaluated on the value. */
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

  /** Needles of which one is in every value that an atom is true of; undefined if atoms may be true without a hit. */
  readonly requirement: readonly Needle[] | undefined

  /** Literals and runs to search for, then numbers, which `scanValue` finds without a text search. */
  readonly needles: readonly (SearchNeedle | NumberNeedle)[]

  /** Whether the results for the value so far depend on the hits alone: no test was evaluated on the value itself. */
  isDecidedByHits = false

  /** Whether no atom is true of leaves in which `findNeedles` finds nothing. */
  readonly requiresNeedle: boolean

  /** Whether `findNeedles` searches only for literals without an anchor: a longer text has those that a part of it has. */
  readonly hasOnlyOpenNeedles: boolean

  private constructor(atoms: readonly FieldAtom[], { tests, formulas, analyzed, needles }: FieldAtomParts) {
    this.#formulas = analyzed
    this.#tests = tests
    this.#flags = Uint8Array.from(tests, (test, number) => computeFlags(test, analyzed.isAnchor(number)))
    this.#firstAtomByTest = new Int32Array(tests.length)
    for (const [place, formula] of [...formulas.entries()].toReversed()) {
      for (const test of listVariables(formula)) this.#firstAtomByTest[test] = atoms[place]!.atom
    }
    this.#found = new Int32Array(tests.length)
    this.#foundAt = new Int32Array(tests.length)
    this.#evaluatedAt = new Int32Array(tests.length)
    this.#listedAt = new Int32Array(tests.length)
    this.#results = new Uint8Array(tests.length)

    this.#anchorNeedleCount = needles.anchorNeedleCount
    this.needles = needles.needles
    const testsOfText = needles.buildTestsByNeedle()
    this.#testsByNeedle = testsOfText
    this.#onlyTestByNeedle = Int32Array.from(needles.needles, (_, text) => (
      testsOfText.getLength(text) === 1 ? testsOfText.at(testsOfText.getStart(text)) : -1
    ))
    this.#testsByNumber = needles.testsByNumber
    this.#testsByLength = needles.testsByLength
    const anchors = tests.filter((_, number) => analyzed.isAnchor(number))
    const isTurnedByAbsence = anchors.some(({ absence }) => absence !== undefined)
    const canBeAbsent = this.#formulas.canHoldWithoutHits || isTurnedByAbsence
    this.requirement = canBeAbsent ? undefined : anchors.flatMap((test) => test.needles ?? [])
    this.hasOnlyOpenNeedles = needles.needles.slice(0, needles.anchorNeedleCount).every(({ anchor }) => anchor === 'anywhere')
    this.requiresNeedle = this.requirement !== undefined && this.requirement.every(({ kind }) => kind === 'text')
    this.#nullTests = tests.flatMap(({ absence }, number) => (absence === 'null' ? [number] : []))
    this.#textlessTests = tests.flatMap(({ absence }, number) => (absence === 'no text' ? [number] : []))
  }

  /** Analyzes atoms in steps; they are in ascending order. */
  static* build(atoms: readonly FieldAtom[]): WorkSteps<FieldAtoms> {
    const table = new TestTable()
    const formulas = yield* mapInSteps(atoms, ({ predicate }) => table.toFormula(predicate), ({ predicate }) => weighPredicate(predicate))
    const { tests } = table
    const analyzed = yield* AtomFormulas.build(atoms.map(({ atom }) => atom), formulas, tests)
    const needles = yield* NeedleTable.build(tests, (test) => analyzed.isAnchor(test))
    return new FieldAtoms(atoms, { tests, formulas, analyzed, needles })
  }

  /** Starts a value, which is present: searches it for everything that can be searched for. */
  scanValue(value: FieldValue, profile?: AtomProfile): void {
    this.#begin(profile, false)
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
   * Starts a value with text that the caller has searched for `needles`, or at least for those that `findNeedles` covers,
   * given the hits. Reads the value only if a test has to be evaluated.
   */
  acceptHits(found: NeedleHits, readValue: () => FieldValue, { isComplete, lengthMax, profile }: ScanOptions): void {
    this.#begin(profile, isComplete)
    this.#view = undefined
    this.#readValue = readValue
    if (!isComplete && this.#testsByNumber.size > 0) this.#markNumbers(readValue())
    this.#markLengths(lengthMax)
    this.#markHits(found)
  }

  /** Searches a text for the needles of anchors and adds the numbers of those found to `found`, some more than once. */
  findNeedles(text: string, found: number[]): void {
    this.#needleIndex ??= new QGramIndex(this.needles.slice(0, this.#anchorNeedleCount).flatMap((needle) => (
      needle.anchor === 'number' ? [] : [needle]
    )))
    this.#needleIndex.find(text, found)
  }

  #begin(profile: AtomProfile | undefined, isScanComplete: boolean): void {
    this.#valueNumber++
    this.#isScanComplete = isScanComplete
    this.#profile = profile
    this.#foundCount = 0
    this.foundHash = 0
    this.isDecidedByHits = isScanComplete && this.#testsByLength.length === 0
  }

  /** The number of anchors found in the value. */
  get foundCount(): number {
    return this.#foundCount
  }

  /** One of the anchors found, which are unordered. */
  getFoundTest(place: number): number {
    return this.#found[place]!
  }

  hasFound(test: number): boolean {
    return this.#foundAt[test] === this.#valueNumber
  }

  /** Evaluates a test on the value; for most tests with needles the scan has decided already. */
  evaluateTest(test: number): boolean {
    const flags = this.#flags[test]!
    if ((flags & searchedFlag) !== 0 && (this.#isScanComplete || (flags & anchorFlag) !== 0)) {
      if (this.#foundAt[test] !== this.#valueNumber) return false
      if ((flags & provenFlag) !== 0) return true
    }
    if (this.#evaluatedAt[test] !== this.#valueNumber) {
      const isTrue = (flags & costlyFlag) === 0 ? this.#runCheck(test) : this.#evaluateTimed(test)
      this.#evaluatedAt[test] = this.#valueNumber
      this.#results[test] = isTrue ? 1 : 0
    }
    return this.#results[test] === 1
  }

  /** Evaluates and times a test; the time counts for the first atom that contains it. */
  #evaluateTimed(test: number): boolean {
    const timer = this.#profile?.timer
    const startedAt = timer?.start(this.#firstAtomByTest[test]!) ?? Number.NaN
    const isTrue = this.#runCheck(test)
    timer?.stop(this.#firstAtomByTest[test]!, startedAt)
    return isTrue
  }

  /**
   * Evaluates all atoms on the value; called once for it. Which tests run, and in which order, depends on the hits and
   * on the outcomes of earlier tests alone.
   */
  evaluateAtoms(): AtomEvaluation {
    this.#evaluatedTests = []
    const atoms = this.#formulas.evaluate(this.#found, this.#foundCount, this.#getOutcome, this.#profile?.isDisabled)
    return { atoms, evaluatedTests: this.#evaluatedTests }
  }

  /** The outcome of a test; lists it as evaluated unless the anchors found decide it. */
  readonly #getOutcome = (test: number): Outcome => {
    const flags = this.#flags[test]!
    if ((flags & anchorFlag) !== 0) {
      if (this.#foundAt[test] !== this.#valueNumber) return fails
      if ((flags & provenFlag) !== 0) return holds
    }
    const isTrue = this.evaluateTest(test)
    if (this.#listedAt[test] !== this.#valueNumber) {
      this.#listedAt[test] = this.#valueNumber
      this.#evaluatedTests.push(test)
    }
    return isTrue ? holds : fails
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

function computeFlags(test: AnalyzedTest, isAnchor: boolean): number {
  const flags = (isAnchor ? anchorFlag : 0) | (test.cost === Infinity ? 0 : searchedFlag) | (test.isProven ? provenFlag : 0)
  return test.cost === Infinity || hasRegex(test.predicate) ? flags | costlyFlag : flags
}
