import type { SearchNeedle } from '../candidates/q-gram-index.ts'
import { mapInSteps } from '../step-work.ts'
import type { WorkSteps } from '../step-work.ts'
import { CsrLists } from './csr-lists.ts'
import type { AnalyzedTest } from './test-table.ts'

/** A number that a text may contain as a whole, as JavaScript prints it. */
export type NumberNeedle = { readonly anchor: 'number'; readonly text: string }

/** Interns the needles of tests: equal needles share a number and list all of their tests. */
export class NeedleTable {
  /** Literals and runs to search for, then the numbers that texts may contain. */
  readonly needles: (SearchNeedle | NumberNeedle)[] = []
  readonly testsByNumber = new Map<number, number[]>()
  /** Tests that only need a text of some length, shortest length first. */
  readonly testsByLength: { readonly least: number; readonly test: number }[] = []
  readonly #numbers = new Map<string, number>()
  readonly #needlesByTest: number[][] = []

  /** The number of needles that belong to anchors; they come first. */
  anchorNeedleCount = 0

  /** Interns in steps; `tests` are indexed by number. */
  static* build(tests: readonly AnalyzedTest[], isAnchor: (test: number) => boolean): WorkSteps<NeedleTable> {
    const table = new NeedleTable()
    const weigh = ({ needles }: AnalyzedTest): number => 1 + (needles?.length ?? 0)
    yield* mapInSteps(tests, (known, test) => {
      if (isAnchor(test)) table.#needlesByTest[test] = table.#add(test, known)
    }, weigh)
    table.anchorNeedleCount = table.needles.length
    yield* mapInSteps(tests, (known, test) => {
      if (!isAnchor(test)) table.#needlesByTest[test] = table.#add(test, known)
    }, weigh)
    for (const [number, ofNumber] of table.testsByNumber) table.#addNumber(number, ofNumber)
    table.testsByLength.sort((a, b) => a.least - b.least)
    return table
  }

  #add(test: number, { needles }: AnalyzedTest): number[] {
    const ofTest: number[] = []
    for (const needle of needles ?? []) {
      if (needle.kind === 'text') ofTest.push(this.#internNeedle({ anchor: needle.anchor, text: needle.text }))
      else if (needle.kind === 'run') ofTest.push(this.#internNeedle({ anchor: 'run', text: needle.characters, least: needle.least }))
      else if (needle.kind === 'length') this.testsByLength.push({ least: needle.least, test })
      else this.testsByNumber.set(needle.value, [...(this.testsByNumber.get(needle.value) ?? []), test])
    }
    return ofTest
  }

  #addNumber(number: number, tests: readonly number[]): void {
    const place = this.needles.push({ anchor: 'number', text: String(number) }) - 1
    for (const test of tests) this.#needlesByTest[test]!.push(place)
  }

  buildTestsByNeedle(): CsrLists {
    return CsrLists.invert(this.#needlesByTest, this.needles.length)
  }

  #internNeedle(needle: SearchNeedle): number {
    const key = `${needle.anchor === 'run' ? needle.least : needle.anchor} ${needle.text}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.needles.length)
    return this.needles.push(needle) - 1
  }
}
