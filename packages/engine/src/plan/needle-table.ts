import type { Anchor, Needle } from '../candidates/requires.ts'
import { NumberLists } from './number-lists.ts'
import type { KnownTest } from './test-table.ts'

/** The needles of many tests, equal ones once, with the tests that each belongs to. */
export class NeedleTable {
  readonly texts: { readonly anchor: Anchor; readonly text: string }[] = []
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
    this.testsOfLength.sort((a, b) => a.least - b.least)
  }

  #add(test: number, { needles }: KnownTest): number[] {
    const ofTest: number[] = []
    for (const needle of needles ?? []) {
      if (needle.kind === 'text') ofTest.push(this.#numberOf(needle))
      else if (needle.kind === 'length') this.testsOfLength.push({ least: needle.least, test })
      else this.testsOfNumber.set(needle.value, [...(this.testsOfNumber.get(needle.value) ?? []), test])
    }
    return ofTest
  }

  testsOfText(): NumberLists {
    return NumberLists.inverse(this.#needlesOfTest, this.texts.length)
  }

  #numberOf({ anchor, text }: Needle & { readonly kind: 'text' }): number {
    const key = `${anchor} ${text}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.texts.length)
    return this.texts.push({ anchor, text }) - 1
  }
}
