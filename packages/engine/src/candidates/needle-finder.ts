import type { Anchor } from './requires.ts'

const notAscii = /[^\x00-\x7f]/

/** Characters of a gram: what is hashed at every place of a text. */
const gramLength = 4

/**
 * Finds which of many needles a text holds, in one pass over the text. Every needle is filed under one gram
 * of four characters of its own, the one that the fewest needles share; a place of the text whose gram is
 * filed is compared with the needles there. Needles shorter than a gram are few, and searched one by one;
 * needles that are the whole text are looked up.
 *
 *     needles   ...powershell...      ...\cmd.exe
 *     grams        ^^^^                  ^^^^        position 0 of "powershell", 0 of "\cmd.exe"
 *
 * Built once, then read only. Texts and needles must be case folded.
 */
export class NeedleFinder {
  readonly #texts: string[] = []
  readonly #anchors: Anchor[] = []
  readonly #whole = new Map<string, number>()
  /** Needles shorter than a gram; those that are not ASCII, such as emoji, come in thousands and meet few texts. */
  readonly #shortAscii: number[] = []
  readonly #shortOther: number[] = []
  /** Buckets by hash: the number of the first entry, or -1; entries of a bucket are chained by `#next`. */
  readonly #heads: Int32Array
  readonly #next: Int32Array
  readonly #entryNeedles: Int32Array
  readonly #entryOffsets: Int32Array
  readonly #mask: number

  /** Needles are numbered in the order given. */
  constructor(needles: readonly { readonly anchor: Anchor; readonly text: string }[]) {
    for (const [number, { anchor, text }] of needles.entries()) {
      this.#texts.push(text)
      this.#anchors.push(anchor)
      if (anchor === 'whole') this.#whole.set(text, number)
      else if (text.length < gramLength) (notAscii.test(text) ? this.#shortOther : this.#shortAscii).push(number)
    }
    const filed = needles.flatMap(({ anchor, text }, number) => (anchor !== 'whole' && text.length >= gramLength ? [number] : []))
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, filed.length * 4)))
    this.#mask = size - 1
    this.#heads = new Int32Array(size).fill(-1)
    this.#next = new Int32Array(filed.length)
    this.#entryNeedles = Int32Array.from(filed)
    this.#entryOffsets = new Int32Array(filed.length)
    this.#file(filed)
  }

  /** Calls `found` with the number of every needle that the text holds; with some of them more than once. */
  find(text: string, found: (needle: number) => void): void {
    const whole = this.#whole.get(text)
    if (whole !== undefined) found(whole)
    this.#findShort(this.#shortAscii, text, found)
    if (this.#shortOther.length > 0 && notAscii.test(text)) this.#findShort(this.#shortOther, text, found)
    if (this.#next.length > 0) this.#findFiled(text, found)
  }

  #findShort(needles: readonly number[], text: string, found: (needle: number) => void): void {
    for (const needle of needles) if (this.#stands(needle, text, text.indexOf(this.#texts[needle]!))) found(needle)
  }

  #findFiled(text: string, found: (needle: number) => void): void {
    const end = text.length - gramLength
    if (end < 0) return
    let a = text.charCodeAt(0)
    let b = text.charCodeAt(1)
    let c = text.charCodeAt(2)
    for (let i = 0; i <= end; i++) {
      const d = text.charCodeAt(i + 3)
      let entry = this.#heads[hash(a, b, c, d) & this.#mask]!
      while (entry !== -1) {
        const needle = this.#entryNeedles[entry]!
        const start = i - this.#entryOffsets[entry]!
        if (start >= 0 && this.#isAt(needle, text, start)) found(needle)
        entry = this.#next[entry]!
      }
      a = b
      b = c
      c = d
    }
  }

  #isAt(needle: number, text: string, start: number): boolean {
    const wanted = this.#texts[needle]!
    const anchor = this.#anchors[needle]!
    if (anchor === 'start' && start !== 0) return false
    if (anchor === 'end' && start + wanted.length !== text.length) return false
    return text.startsWith(wanted, start)
  }

  /** Whether a short needle stands where its anchor wants it; `at` is its first place, or -1. */
  #stands(needle: number, text: string, at: number): boolean {
    if (at === -1) return false
    const wanted = this.#texts[needle]!
    const anchor = this.#anchors[needle]!
    return anchor === 'anywhere' || (anchor === 'start' ? at === 0 : text.endsWith(wanted))
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
      const bucket = bestGram & this.#mask
      this.#entryOffsets[entry] = bestOffset
      this.#next[entry] = this.#heads[bucket]!
      this.#heads[bucket] = entry
    }
  }
}

function gramsOf(text: string): number[] {
  const grams: number[] = []
  for (let i = 0; i + gramLength <= text.length; i++) {
    grams.push(hash(text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2), text.charCodeAt(i + 3)))
  }
  return grams
}

/** Mixes four UTF-16 units; its low bits choose the bucket. */
function hash(a: number, b: number, c: number, d: number): number {
  const mixed = Math.imul(a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x85ebca6b) ^ Math.imul(d, 0xc2b2ae35), 0x27d4eb2f)
  return mixed ^ (mixed >>> 15)
}
