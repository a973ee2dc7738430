import { foldCase, notAscii } from '../event/fold-case.ts'
import type { Anchor } from './requirement.ts'

type Single = { readonly lower: string; readonly upper: string; readonly needle: number }
type ShortNeedle = { readonly anchor: Anchor | 'run'; readonly text: string }

/** How many needles without letters are searched one by one before filing them costs less. */
const caselessMax = 8

/**
 * Finds needles of a few characters. Those of one, and a few without letters, are searched one by one, which
 * is a machine instruction for sixteen characters; others are filed under their first two; those that stand
 * at the start or the end are looked up by what stands there. Read only once built. Needles are case folded; texts
 * need it only where they are not ASCII.
 */
export class ShortNeedleIndex {
  /** Needles that are searched one by one; those that are not ASCII only in texts that are not. */
  readonly #single: Single[] = []
  readonly #singleOther: Single[] = []
  /** By two characters: needles that begin with them. */
  readonly #pairs = new Map<number, { readonly text: string; readonly needle: number }[]>()
  /** One bit for each hash of a filed pair. */
  readonly #bits = new Int32Array(2 ** (bitCountLog - 5))
  /** By length: needles at the start and at the end by their text. */
  readonly #starts: (Map<string, number> | undefined)[] = []
  readonly #ends: (Map<string, number> | undefined)[] = []

  /** Files some of the needles; `numbers` says which. */
  constructor(numbers: readonly number[], needles: readonly ShortNeedle[]) {
    const anywhere = numbers.filter((needle) => needles[needle]!.anchor === 'anywhere' && needles[needle]!.text.length > 1)
    const areSearched = anywhere.length <= caselessMax && anywhere.every((needle) => !hasCase.test(needles[needle]!.text))
    for (const needle of numbers) {
      const { anchor, text } = needles[needle]!
      if (anchor === 'start') (this.#starts[text.length] ??= new Map()).set(text, needle)
      else if (anchor === 'end') (this.#ends[text.length] ??= new Map()).set(text, needle)
      else if (text.length === 1 || areSearched) {
        const singles = notAscii.test(text) ? this.#singleOther : this.#single
        singles.push({ lower: text, upper: toUpperAscii(text), needle })
      }
      else this.#addPair(text, needle)
    }
  }

  /** Adds the number of every needle that the text holds; the text is ASCII, or folded. */
  find(text: string, isAscii: boolean, found: number[]): void {
    searchEach(this.#single, text, found)
    if (!isAscii) searchEach(this.#singleOther, text, found)
    for (let length = 1; length < this.#starts.length; length++) {
      const needle = this.#starts[length]?.get(foldCase(text.slice(0, length)))
      if (needle !== undefined) found.push(needle)
    }
    for (let length = 1; length < this.#ends.length; length++) {
      const needle = this.#ends[length]?.get(foldCase(text.slice(-length)))
      if (needle !== undefined) found.push(needle)
    }
    if (this.#pairs.size > 0) this.#findPairs(text, found)
  }

  #findPairs(text: string, found: number[]): void {
    let before = text.charCodeAt(0) | caseBit
    for (let i = 1; i < text.length; i++) {
      const unit = text.charCodeAt(i) | caseBit
      const pair = (before << 16) | unit
      before = unit
      const bit = hashPair(pair)
      if (((this.#bits[bit >>> 5]! >>> (bit & 31)) & 1) === 1) this.#verify(pair, text, i - 1, found)
    }
  }

  #verify(pair: number, text: string, at: number, found: number[]): void {
    for (const { text: wanted, needle } of this.#pairs.get(pair) ?? []) {
      if (foldCase(text.slice(at, at + wanted.length)) === wanted) found.push(needle)
    }
  }

  #addPair(text: string, needle: number): void {
    const pair = ((text.charCodeAt(0) | caseBit) << 16) | (text.charCodeAt(1) | caseBit)
    const same = this.#pairs.get(pair)
    if (same === undefined) this.#pairs.set(pair, [{ text, needle }])
    else same.push({ text, needle })
    const bit = hashPair(pair)
    this.#bits[bit >>> 5]! |= 1 << (bit & 31)
  }
}

function searchEach(singles: readonly Single[], text: string, found: number[]): void {
  for (const { lower, upper, needle } of singles) {
    if (text.includes(lower) || (upper !== lower && text.includes(upper))) found.push(needle)
  }
}

/** What tells the cases of an ASCII letter apart; for other characters it only changes a hash. */
const caseBit = 0x20

/** 65,536 bits are 8 KB, and enough for the 3,700 emoji that one rule of SigmaHQ looks for. */
const bitCountLog = 16

/** Letters, and whatever else may have two cases. */
const hasCase = /[a-z]|[^\x00-\x7f]/

/** The other case of an ASCII letter. Others have several, or longer ones; texts with such come folded. */
function toUpperAscii(text: string): string {
  return /^[a-z]$/.test(text) ? text.toUpperCase() : text
}

function hashPair(pair: number): number {
  return Math.imul(pair, 0x9e3779b1) >>> (32 - bitCountLog)
}
