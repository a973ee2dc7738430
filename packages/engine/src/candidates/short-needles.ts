import type { Anchor } from './requires.ts'

type ShortNeedle = { readonly anchor: Anchor; readonly text: string }

/**
 * Finds needles of one, two or three characters. Those of one are searched one by one, which is a machine
 * instruction for sixteen characters; longer ones are filed under their first two; those that stand at the
 * start or the end are looked up by what stands there. Read only once built; everything is case folded.
 */
export class ShortNeedles {
  readonly #single: { readonly text: string; readonly needle: number }[] = []
  /** By two characters: needles that begin with them, with their third where they have one. */
  readonly #pairs = new Map<number, { readonly third: number | undefined; readonly needle: number }[]>()
  /** One bit for each hash of a filed pair. */
  readonly #bits = new Int32Array(2 ** (bitCountLog - 5))
  /** By length: needles at the start and at the end by their text. */
  readonly #starts: (Map<string, number> | undefined)[] = []
  readonly #ends: (Map<string, number> | undefined)[] = []

  /** Files some of the needles; `numbers` says which. */
  constructor(numbers: readonly number[], needles: readonly ShortNeedle[]) {
    for (const needle of numbers) {
      const { anchor, text } = needles[needle]!
      if (anchor === 'start') (this.#starts[text.length] ??= new Map()).set(text, needle)
      else if (anchor === 'end') (this.#ends[text.length] ??= new Map()).set(text, needle)
      else if (text.length === 1) this.#single.push({ text, needle })
      else this.#file(text, needle)
    }
  }

  /** Adds the number of every needle that the text holds. */
  find(text: string, found: number[]): void {
    for (const { text: wanted, needle } of this.#single) if (text.includes(wanted)) found.push(needle)
    for (const [length, starts] of this.#starts.entries()) {
      const needle = starts?.get(text.slice(0, length))
      if (needle !== undefined) found.push(needle)
    }
    for (const [length, ends] of this.#ends.entries()) {
      const needle = ends?.get(text.slice(-length))
      if (needle !== undefined) found.push(needle)
    }
    if (this.#pairs.size > 0) this.#findPairs(text, found)
  }

  #findPairs(text: string, found: number[]): void {
    let before = text.charCodeAt(0)
    for (let i = 1; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      const pair = (before << 16) | unit
      before = unit
      const bit = bitOf(pair)
      if (((this.#bits[bit >>> 5]! >>> (bit & 31)) & 1) === 0) continue
      for (const { third, needle } of this.#pairs.get(pair) ?? []) {
        if (third === undefined || third === text.charCodeAt(i + 1)) found.push(needle)
      }
    }
  }

  #file(text: string, needle: number): void {
    const pair = (text.charCodeAt(0) << 16) | text.charCodeAt(1)
    const third = text.length === 3 ? text.charCodeAt(2) : undefined
    const same = this.#pairs.get(pair)
    if (same === undefined) this.#pairs.set(pair, [{ third, needle }])
    else same.push({ third, needle })
    const bit = bitOf(pair)
    this.#bits[bit >>> 5]! |= 1 << (bit & 31)
  }
}

/** 65,536 bits are 8 KB, and enough for the 3,700 emoji that one rule of SigmaHQ looks for. */
const bitCountLog = 16

function bitOf(pair: number): number {
  return Math.imul(pair, 0x9e3779b1) >>> (32 - bitCountLog)
}
