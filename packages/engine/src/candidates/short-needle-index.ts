import { foldCase, notAscii } from '../event/fold-case.ts'
import type { Anchor } from './requirement.ts'

type Single = { readonly lower: string; readonly upper: string; readonly needle: number }
type ShortNeedle = { readonly anchor: Anchor | 'run'; readonly text: string }

/** Needles without letters up to which a separate search for each costs less than an index. */
const caselessMax = 8

/** The case bit of ASCII letters; for other characters it only changes a hash. */
const caseBit = 0x20

/** 65,536 bits are 8 KB, enough for the 3,700 emoji that one rule of SigmaHQ contains. */
const bitCountLog = 16

/** Letters, and all characters that may have two cases. */
const hasCase = /[a-z]|[^\x00-\x7f]/

/**
 * Finds needles of a few characters. Single characters, and a few needles without letters, are searched separately with
 * `includes`, which V8 vectorizes; others are indexed by their first two characters; anchored ones are looked up by the
 * text at the edge. Immutable. Needles are case folded; texts only have to be if they are not ASCII.
 */
export class ShortNeedleIndex {
  /** Needles that are searched separately; those beyond ASCII only in texts beyond ASCII. */
  readonly #single: Single[] = []
  readonly #singleOther: Single[] = []
  /** By two characters: the needles that start with them. */
  readonly #pairs = new Map<number, { readonly text: string; readonly needle: number }[]>()
  /** The Bloom filter of pairs. */
  readonly #bits = new Int32Array(2 ** (bitCountLog - 5))
  /** By length: the needles anchored at the start and at the end, by their text. */
  readonly #starts: (Map<string, number> | undefined)[] = []
  readonly #ends: (Map<string, number> | undefined)[] = []

  /** Indexes those of the needles that `numbers` selects. */
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

  /** Adds the number of every needle that the text contains; the text is ASCII or folded. */
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

/** The upper case of an ASCII letter. Other characters may have several; texts with them are folded. */
function toUpperAscii(text: string): string {
  return /^[a-z]$/.test(text) ? text.toUpperCase() : text
}

function hashPair(pair: number): number {
  return Math.imul(pair, 0x9e3779b1) >>> (32 - bitCountLog)
}
