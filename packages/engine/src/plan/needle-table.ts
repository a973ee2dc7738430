import type { SearchedNeedle } from '../candidates/q-gram-index.ts'
import { NumberLists } from './csr-lists.ts'
import type { KnownTest } from './test-table.ts'

/** A number that a text may state, as JavaScript writes it. */
export type NumberNeedle = { readonly anchor: 'number'; readonly text: string }

/** The needles of many tests, equal ones once, with the tests that each belongs to. */
export class NeedleTable {
  /** What is looked for in texts: runs as well, and behind all of them the numbers that texts may state. */
  readonly texts: (SearchedNeedle | NumberNeedle)[] = []
  readonly testsOfNumber = new Map<number, number[]>()
  /** Tests that a text is long enough for, shortest length first. */
  readonly testsOfLength: { readonly least: number; readonly test: number }[] = []
  readonly #numbers = new Map<string, number>()
  readonly #needlesOfTest: number[][] = []

  /** How many texts are those of tests that can turn an atom; they are the first. */
  readonly anchorTextCount: number

  /** Takes the tests by number. */
  constructor(tests: readonly KnownTest[], isAnchor: (test: number) => boolean) {
    for (const [test, known] of tests.entries()) if (isAnchor(test)) this.#needlesOfTest[test] = this.#add(test, known)
    this.anchorTextCount = this.texts.length
    for (const [test, known] of tests.entries()) if (!isAnchor(test)) this.#needlesOfTest[test] = this.#add(test, known)
    for (const [number, ofNumber] of this.testsOfNumber) this.#addNumber(number, ofNumber)
    this.testsOfLength.sort((a, b) => a.least - b.least)
  }

  #add(test: number, { needles }: KnownTest): number[] {
    const ofTest: number[] = []
    for (const needle of needles ?? []) {
      if (needle.kind === 'text') ofTest.push(this.#numberOf({ anchor: needle.anchor, text: needle.text }))
      else if (needle.kind === 'run') ofTest.push(this.#numberOf({ anchor: 'run', text: needle.characters, least: needle.least }))
      else if (needle.kind === 'length') this.testsOfLength.push({ least: needle.least, test })
      else this.testsOfNumber.set(needle.value, [...(this.testsOfNumber.get(needle.value) ?? []), test])
    }
    return ofTest
  }

  #addNumber(number: number, tests: readonly number[]): void {
    const place = this.texts.push({ anchor: 'number', text: String(number) }) - 1
    for (const test of tests) this.#needlesOfTest[test]!.push(place)
  }

  testsOfText(): NumberLists {
    return NumberLists.inverse(this.#needlesOfTest, this.texts.length)
  }

  #numberOf(needle: SearchedNeedle): number {
    const key = `${needle.anchor === 'run' ? needle.least : needle.anchor} ${needle.text}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.texts.length)
    return this.texts.push(needle) - 1
  }
}
