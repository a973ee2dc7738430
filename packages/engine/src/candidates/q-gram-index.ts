import { packAsciiWords } from '../event/ascii-swar.ts'
import { foldCase, notAscii } from '../event/fold-case.ts'
import { mayHaveRun } from '../predicate/regex/character-run.ts'
import type { CharacterRun } from '../predicate/regex/character-run.ts'
import type { Anchor } from './requirement.ts'
import { ShortNeedleIndex } from './short-needle-index.ts'

/** The q of the q-grams. */
const gramLength = 4

/** Characters of the shortest needle with a stride of 4. */
const longLengthMin = gramLength + 3

/** Case-folded text and where it must be; or a run of at least `least` characters that are beyond ASCII or in `text`. */
export type SearchNeedle =
  | { readonly anchor: Anchor; readonly text: string }
  | { readonly anchor: 'run'; readonly text: string; readonly least: number }

/** Multiplicative (Fibonacci) hashing: the high bits of the product choose the bit and the bucket. */
const multiplier = 0x9e3779b1

/** The case bit of ASCII letters. Other characters lose it too, which only adds collisions. */
const caseBit = 0x20

/** The same for four characters of a gram. */
const caseBits = 0x20202020

/** Characters of the shortest text that is copied to an array of words before the search. */
const wordsLengthMin = 64

/**
 * Multi-pattern search by q-grams (q = 4), similar to Wu-Manber: one pass over a text finds which of many needles it
 * contains. Every needle is indexed under one of its grams, the one that the fewest needles share; where a gram of the
 * text is in the index, its needles are compared. Shorter needles are indexed under their first characters; needles that
 * are the whole text are looked up.
 *
 *     needles   ...powershell...      ...\cmd.exe
 *     grams        ^^^^                  ^^^^        position 0 of "powershell", 0 of "\cmd.exe"
 *
 * If all indexed needles have seven characters or more, each is indexed under four consecutive grams, and only every
 * fourth place of a text is read: one of the four grams is there.
 *
 * A Bloom filter with one hash rules out nearly every place. It has 16 bits for each entry, stays in the L1 cache and
 * lets at most one place in sixteen pass.
 *
 * Immutable. Needles must be case folded. Texts are folded only after the first hit in the filter, because most have
 * none; the filter ignores the case bit of ASCII.
 */
export class QGramIndex {
  readonly #texts: readonly string[]
  readonly #anchors: readonly SearchNeedle['anchor'][]
  readonly #runs: readonly { readonly number: number; readonly run: CharacterRun }[]
  readonly #whole = new Map<string, number>()
  /** By length: 1 if a needle that is the whole text has it. */
  readonly #wholeLengths: Uint8Array
  /** Undefined if there are none. */
  readonly #short: ShortNeedleIndex | undefined
  /** Characters of the shortest needle: leaves of an event, such as numbers, are often shorter. */
  readonly #lengthMin: number
  /** The Bloom filter of grams. */
  readonly #bits: Int32Array
  readonly #bitShift: number
  /** The distance between the places that are read: 1 or 4. */
  readonly #stride: number
  /** Hash table by gram: the first entry of each bucket, or -1; `#next` chains the entries. */
  readonly #heads: Int32Array
  readonly #headShift: number
  readonly #next: Int32Array
  readonly #entryNeedles: Int32Array
  readonly #entryOffsets: Int32Array

  /** Needles are numbered in the order given. */
  constructor(needles: readonly SearchNeedle[]) {
    this.#texts = needles.map(({ text }) => text)
    this.#anchors = needles.map(({ anchor }) => anchor)
    const filed: number[] = []
    const short: number[] = []
    this.#runs = needles.flatMap((needle, number) => (needle.anchor === 'run' ? [{ number, run: toCharacterRun(needle) }] : []))
    for (const [number, { anchor, text }] of needles.entries()) {
      if (anchor === 'run') continue
      if (anchor === 'whole') this.#whole.set(text, number)
      else if (text.length < gramLength || (anchor !== 'anywhere' && text.length < longLengthMin)) short.push(number)
      else filed.push(number)
    }
    this.#stride = filed.every((number) => this.#texts[number]!.length >= longLengthMin) ? 4 : 1
    const entryCount = filed.length * this.#stride
    this.#wholeLengths = new Uint8Array(1 + [...this.#whole.keys()].reduce((longest, { length }) => Math.max(longest, length), 0))
    for (const { length } of this.#whole.keys()) this.#wholeLengths[length] = 1
    this.#short = short.length === 0 ? undefined : new ShortNeedleIndex(short, needles)
    this.#lengthMin = needles.reduce((shortest, needle) => Math.min(shortest, getLengthMin(needle)), Infinity)
    const bitCountLog = Math.max(10, Math.ceil(Math.log2(entryCount * 16 || 1)))
    const headCountLog = Math.max(4, bitCountLog - 3)
    this.#bits = new Int32Array(2 ** (bitCountLog - 5))
    this.#bitShift = 32 - bitCountLog
    this.#heads = new Int32Array(2 ** headCountLog).fill(-1)
    this.#headShift = 32 - headCountLog
    this.#next = new Int32Array(entryCount)
    this.#entryNeedles = new Int32Array(entryCount)
    this.#entryOffsets = new Int32Array(entryCount)
    this.#addNeedles(filed)
  }

  /** Adds the number of every needle that a text contains, case ignored, to `found`; some more than once. */
  find(text: string, found: number[]): void {
    if (text.length < this.#lengthMin) return
    if (this.#wholeLengths[text.length] === 1) {
      const whole = this.#whole.get(foldCase(text))
      if (whole !== undefined) found.push(whole)
    }
    const isAscii = this.#findByGram(text, found)
    if (!isAscii) this.#findByGram(foldCase(text), found)
    this.#short?.find(isAscii ? text : foldCase(text), isAscii, found)
    for (const { number, run } of this.#runs) if (mayHaveRun(text, run, 0)) found.push(number)
  }

  /** Finds needles by their grams and returns whether the text is ASCII; other texts have to be folded before. */
  #findByGram(text: string, found: number[]): boolean {
    if (this.#next.length === 0) return !notAscii.test(text)
    return this.#stride === 1 ? this.#findEverywhere(text, found) : this.#findAtStride(text, found)
  }

  #findEverywhere(text: string, found: number[]): boolean {
    const bits = this.#bits
    const shift = this.#bitShift
    let folded: string | undefined
    let gram = 0
    let units = 0
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      units |= unit
      gram = (gram >>> 8) | ((unit | caseBit) << 24)
      const bit = Math.imul(gram, multiplier) >>> shift
      if (((bits[bit >>> 5]! >>> (bit & 31)) & 1) === 0 || i < gramLength - 1) continue
      this.#verify(gram, (folded ??= foldCase(text)), i - gramLength + 1, found)
    }
    return units < 0x80
  }

  #findAtStride(text: string, found: number[]): boolean {
    const words = text.length < wordsLengthMin ? undefined : packAsciiWords(text)
    if (words !== undefined) return this.#findInWords(words, text, found)
    const bits = this.#bits
    const shift = this.#bitShift
    let folded: string | undefined
    let units = 0
    let at = 0
    for (; at + gramLength <= text.length; at += gramLength) {
      const a = text.charCodeAt(at)
      const b = text.charCodeAt(at + 1)
      const c = text.charCodeAt(at + 2)
      const d = text.charCodeAt(at + 3)
      units |= a | b | c | d
      const gram = (a & 0xff) | ((b & 0xff) << 8) | ((c & 0xff) << 16) | (d << 24) | caseBits
      const bit = Math.imul(gram, multiplier) >>> shift
      if (((bits[bit >>> 5]! >>> (bit & 31)) & 1) === 1) this.#verify(gram, (folded ??= foldCase(text)), at, found)
    }
    for (; at < text.length; at++) units |= text.charCodeAt(at)
    return units < 0x80
  }

  #findInWords(words: Int32Array, text: string, found: number[]): true {
    const bits = this.#bits
    const shift = this.#bitShift
    const count = Math.floor(text.length / gramLength)
    let folded: string | undefined
    for (let i = 0; i < count; i++) {
      const gram = words[i]! | caseBits
      const bit = Math.imul(gram, multiplier) >>> shift
      if (((bits[bit >>> 5]! >>> (bit & 31)) & 1) === 1) this.#verify(gram, (folded ??= foldCase(text)), i * gramLength, found)
    }
    return true
  }

  /** Compares the needles of a gram with the text around it. */
  #verify(gram: number, text: string, at: number, found: number[]): void {
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

  /** Indexes each needle under as many consecutive grams as the stride, those that the fewest needles share. */
  #addNeedles(filed: readonly number[]): void {
    const counts = new Map<number, number>()
    for (const needle of filed) for (const gram of listGrams(this.#texts[needle]!)) counts.set(gram, (counts.get(gram) ?? 0) + 1)
    let entry = 0
    for (const needle of filed) {
      const grams = listGrams(this.#texts[needle]!)
      const first = findRarestRun(grams.map((gram) => counts.get(gram)!), this.#stride)
      for (let offset = first; offset < first + this.#stride; offset++) this.#addEntry(grams[offset]!, { needle, offset, entry: entry++ })
    }
  }

  #addEntry(gram: number, { needle, offset, entry }: { needle: number; offset: number; entry: number }): void {
    const hash = Math.imul(gram, multiplier)
    const bucket = hash >>> this.#headShift
    this.#bits[hash >>> this.#bitShift >>> 5]! |= 1 << ((hash >>> this.#bitShift) & 31)
    this.#entryNeedles[entry] = needle
    this.#entryOffsets[entry] = offset
    this.#next[entry] = this.#heads[bucket]!
    this.#heads[bucket] = entry
  }
}

/** The start of the `length` consecutive counts with the least sum. */
function findRarestRun(counts: readonly number[], length: number): number {
  let best = 0
  let bestSum = Infinity
  for (let start = 0; start + length <= counts.length; start++) {
    let sum = 0
    for (let i = start; i < start + length; i++) sum += counts[i]!
    if (sum >= bestSum) continue
    best = start
    bestSum = sum
  }
  return best
}

/** Lists the grams of a text, one for each place: the low bytes of four characters, little-endian. */
function listGrams(text: string): number[] {
  const grams: number[] = []
  for (let i = 0; i + gramLength <= text.length; i++) {
    let gram = 0
    for (let j = 0; j < gramLength; j++) gram = (gram >>> 8) | ((text.charCodeAt(i + j) | caseBit) << 24)
    grams.push(gram)
  }
  return grams
}

/** Characters of the shortest text that can contain a needle. */
function getLengthMin(needle: SearchNeedle): number {
  return needle.anchor === 'run' ? needle.least : needle.text.length
}

/** Converts a run for the search in texts that are not folded. */
function toCharacterRun({ text, least }: SearchNeedle & { readonly anchor: 'run' }): CharacterRun {
  const members = new Uint8Array(128)
  for (const character of `${text}${text.toUpperCase()}`) members[character.charCodeAt(0)] = 1
  return { members, length: least }
}
