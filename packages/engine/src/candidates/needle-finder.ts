import type { Anchor } from './requires.ts'
import { ShortNeedles } from './short-needles.ts'

/** Characters of a gram: what is hashed at every place of a text. */
export const gramLength = 4

/**
 * Finds which of many needles a text holds, in one pass over the text. Every needle is filed under one gram
 * of four characters of its own, the one that the fewest needles share; a place of the text whose gram is
 * filed is compared with the needles there. Shorter needles are filed under their first characters; needles
 * that are the whole text are looked up.
 *
 *     needles   ...powershell...      ...\cmd.exe
 *     grams        ^^^^                  ^^^^        position 0 of "powershell", 0 of "\cmd.exe"
 *
 * Nearly every place is settled by one bit of a small table, which stays in the nearest cache: 16 bits for
 * each needle, so that one place in sixteen at most is looked at twice.
 *
 * Built once, then read only. Texts and needles must be case folded.
 */
export class NeedleFinder {
  readonly #texts: readonly string[]
  readonly #anchors: readonly Anchor[]
  readonly #whole = new Map<string, number>()
  readonly #short: ShortNeedles
  /** One bit for each hash of a filed gram. */
  readonly #bits: Int32Array
  readonly #bitShift: number
  /** Buckets by hash: the number of the first entry, or -1; entries of a bucket are chained by `#next`. */
  readonly #heads: Int32Array
  readonly #headShift: number
  readonly #next: Int32Array
  readonly #entryNeedles: Int32Array
  readonly #entryOffsets: Int32Array

  /** Needles are numbered in the order given. */
  constructor(needles: readonly { readonly anchor: Anchor; readonly text: string }[]) {
    this.#texts = needles.map(({ text }) => text)
    this.#anchors = needles.map(({ anchor }) => anchor)
    const filed: number[] = []
    const short: number[] = []
    for (const [number, { anchor, text }] of needles.entries()) {
      if (anchor === 'whole') this.#whole.set(text, number)
      else (text.length < gramLength ? short : filed).push(number)
    }
    this.#short = new ShortNeedles(short, needles)
    const bitCountLog = Math.max(10, Math.ceil(Math.log2(filed.length * 16 || 1)))
    const headCountLog = Math.max(4, bitCountLog - 3)
    this.#bits = new Int32Array(2 ** (bitCountLog - 5))
    this.#bitShift = 32 - bitCountLog
    this.#heads = new Int32Array(2 ** headCountLog).fill(-1)
    this.#headShift = 32 - headCountLog
    this.#next = new Int32Array(filed.length)
    this.#entryNeedles = Int32Array.from(filed)
    this.#entryOffsets = new Int32Array(filed.length)
    this.#file(filed)
  }

  /** Adds to `found` the number of every needle that the text holds; of some of them more than once. */
  find(text: string, found: number[]): void {
    const whole = this.#whole.get(text)
    if (whole !== undefined) found.push(whole)
    this.#short.find(text, found)
    if (this.#next.length > 0) this.#findFiled(text, found)
  }

  #findFiled(text: string, found: number[]): void {
    const bits = this.#bits
    const shift = this.#bitShift
    let gram = 0
    for (let i = 0; i < text.length; i++) {
      gram = (gram << 8) ^ text.charCodeAt(i)
      const bit = Math.imul(gram, multiplier) >>> shift
      if (((bits[bit >>> 5]! >>> (bit & 31)) & 1) === 1 && i >= gramLength - 1) this.#compare(gram, text, i - gramLength + 1, found)
    }
  }

  /** Compares the needles that are filed under a gram with the text around the place where it begins. */
  #compare(gram: number, text: string, at: number, found: number[]): void {
    for (let entry = this.#heads[Math.imul(gram, multiplier) >>> this.#headShift]!; entry !== -1; entry = this.#next[entry]!) {
      const needle = this.#entryNeedles[entry]!
      const start = at - this.#entryOffsets[entry]!
      if (start >= 0 && this.#isAt(needle, text, start)) found.push(needle)
    }
  }

  #isAt(needle: number, text: string, start: number): boolean {
    const wanted = this.#texts[needle]!
    const anchor = this.#anchors[needle]!
    if (anchor === 'start' && start !== 0) return false
    if (anchor === 'end' && start + wanted.length !== text.length) return false
    return text.startsWith(wanted, start)
  }

  #file(filed: readonly number[]): void {
    const counts = new Map<number, number>()
    for (const needle of filed) for (const gram of gramsOf(this.#texts[needle]!)) counts.set(gram, (counts.get(gram) ?? 0) + 1)
    for (const [entry, needle] of filed.entries()) {
      let bestOffset = 0
      let bestCount = Infinity
      let bestGram = 0
      for (const [offset, gram] of gramsOf(this.#texts[needle]!).entries()) {
        const count = counts.get(gram) ?? 0
        if (count >= bestCount) continue
        bestOffset = offset
        bestCount = count
        bestGram = gram
      }
      const hash = Math.imul(bestGram, multiplier)
      const bucket = hash >>> this.#headShift
      this.#bits[hash >>> this.#bitShift >>> 5]! |= 1 << ((hash >>> this.#bitShift) & 31)
      this.#entryOffsets[entry] = bestOffset
      this.#next[entry] = this.#heads[bucket]!
      this.#heads[bucket] = entry
    }
  }
}

/** Spreads four characters over the high bits, which choose the bit and the bucket. */
const multiplier = 0x9e3779b1

/**
 * The grams of a text, one for each place: the low bytes of four characters and, mixed in, what the first
 * ones have above them, which only makes it a better or worse hash.
 */
function gramsOf(text: string): number[] {
  const grams: number[] = []
  for (let i = 0; i + gramLength <= text.length; i++) {
    let gram = 0
    for (let j = 0; j < gramLength; j++) gram = (gram << 8) ^ text.charCodeAt(i + j)
    grams.push(gram)
  }
  return grams
}
