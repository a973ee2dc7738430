import { mapInSteps, SteppedValue } from '../step-work.ts'
import type { WorkSteps } from '../step-work.ts'
import { readWord } from './byte-rarity.ts'
import { edgeLengthMax, buildNeedleEntries, hashKey, weighNeedle } from './needle-entries.ts'
import type { KernelNeedle, NeedleEntry, RunEntry, TextNeedle } from './needle-entries.ts'
import { buildPairFilter } from './pair-filter.ts'

/** Filter bits for each gram of a needle: at most one place in sixteen is a false positive. */
const bitsPerNeedle = 16
/** Pair entries up to which the pair filter pays off: with more, nearly every place passes it. */
const filteredPairsMax = 256
const pairBitsSize = 2 ** 14 / 8
/** Hints for the third byte of a pair, by its lowest bits; the bytes of pairs are below 128. */
const hintCount = 8
const pairHintsSize = 2 ** 15

const headerSize = 76
const countAt = 0
const lengthMinAt = 4
const edgesAt = 8
const bitsAt = 12
const bitShiftAt = 16
const strideAt = 20
const pairFilterAt = 24
const pairHintsAt = 28
const singlesAt = 32
const singleCountAt = 36
const tablesAt = { grams: 40, pairs: 48, exact: 56 } as const
const runsAt = 64
const runCountAt = 68
const numbersAt = 72
const entrySize = 24
const runSize = 24
/** Heads of a table for each needle: fewer cause collisions, more leave the processor's cache. */
const headsPerNeedle = 2
/** Bytes that are compared first, to rule out needles with the same key. */
const checkLength = 4
/** Readable bytes after a text. */
const paddingSize = 16

const anchorBits = { anywhere: 0, start: 1, end: 2, whole: 3 } as const
const placeShift = 2

/** Layouts by list, as long as the list is in use: rules outlive kernels. */
const layouts = new WeakMap<readonly KernelNeedle[], SteppedValue<Uint8Array>>()

/** The layout of a list of needles, built once for each list; see `buildNeedleLayout`. */
export function getNeedleLayout(needles: readonly KernelNeedle[]): SteppedValue<Uint8Array> {
  const known = layouts.get(needles)
  if (known !== undefined) return known
  const layout = new SteppedValue(() => buildNeedleLayout(needles))
  layouts.set(needles, layout)
  return layout
}

/**
 * Builds the q-gram index of needles for `packages/engine/assembly/needles.ts`, which describes the layout. Needles are
 * numbered in the order given; those that are not ASCII are skipped, because the kernel searches only ASCII values. Takes
 * about 40 bytes for each needle besides its text, or 130 with a stride of 4.
 */
export function* buildNeedleLayout(needles: readonly KernelNeedle[]): WorkSteps<Uint8Array> {
  const entries = yield* buildNeedleEntries(needles)
  const all = [entries.grams, entries.pairs, entries.singles, entries.exact].flat()
  const layout = new LayoutBuilder(headerSize)
  const texts = yield* addTexts(layout, all)
  layout.setWord(countAt, needles.length)
  const lengths = [...all.map(({ needle }) => needle.text.length), ...entries.runs.map(({ needle }) => needle.least)]
  layout.setWord(lengthMinAt, lengths.reduce((shortest, length) => Math.min(shortest, length), 2 ** 31))
  layout.setWord(edgesAt, entries.exact.reduce((edges, { needle }) => edges | getEdgeBit(needle), 0))
  layout.setWord(strideAt, entries.stride)
  if (entries.grams.length > 0) addGramBits(layout, entries.grams)
  if (entries.pairs.length > filteredPairsMax) addPairHints(layout, entries.pairs)
  else if (entries.pairs.length > 0) addPairFilter(layout, entries.pairs)
  layout.setWord(singlesAt, yield* addEntries(layout, entries.singles, texts))
  layout.setWord(singleCountAt, entries.singles.length)
  for (const name of ['grams', 'pairs', 'exact'] as const) {
    if (entries[name].length > 0) yield* addTable(layout, tablesAt[name], entries[name], texts)
  }
  addRuns(layout, entries.runs)
  layout.setWord(numbersAt, needles.some(({ anchor }) => anchor === 'number') ? 1 : 0)
  return layout.bytes
}

/** Adds each distinct text and returns the offsets. */
function* addTexts(layout: LayoutBuilder, entries: readonly NeedleEntry[]): WorkSteps<ReadonlyMap<string, number>> {
  const offsets = new Map<string, number>()
  yield* mapInSteps(entries, ({ needle: { text } }) => {
    if (offsets.has(text)) return
    const offset = layout.add(text.length)
    layout.setText(offset, text)
    offsets.set(text, offset)
  }, ({ needle }) => weighNeedle(needle))
  layout.add(paddingSize)
  return offsets
}

function addGramBits(layout: LayoutBuilder, entries: readonly NeedleEntry[]): void {
  const shift = computeShift(Math.max(1_024, entries.length * bitsPerNeedle))
  const offset = layout.add(2 ** (32 - shift) / 8)
  layout.setWord(bitsAt, offset)
  layout.setWord(bitShiftAt, shift)
  for (const { key } of entries) layout.setBit(offset, hashKey(key, shift))
}

/** Adds the pair filter, and after it a bitmap of ASCII pairs. */
function addPairFilter(layout: LayoutBuilder, entries: readonly NeedleEntry[]): void {
  const filter = buildPairFilter(entries)
  const offset = layout.add(filter.length + pairBitsSize)
  layout.setWord(pairFilterAt, offset)
  layout.setBytes(offset, filter)
  for (const { key } of entries) layout.setBit(offset + filter.length, (key & 0x7f) | ((key >>> 8 & 0x7f) << 7))
}

/** Adds the hints: for each pair of bytes, as a word, a bit for the lowest bits of each third byte that a needle has. */
function addPairHints(layout: LayoutBuilder, entries: readonly NeedleEntry[]): void {
  const offset = layout.add(pairHintsSize)
  layout.setWord(pairHintsAt, offset)
  for (const { needle, key } of entries) {
    const first = (key & 0xffff) * hintCount
    if (needle.text.length > 2) layout.setBit(offset, first + (key >>> 16) % hintCount)
    else for (let hint = 0; hint < hintCount; hint++) layout.setBit(offset, first + hint)
  }
}

/** Adds a hash table: the offset of the first entry of each hash, then the entries ordered by hash. */
function* addTable(
  layout: LayoutBuilder, tableAt: number, entries: readonly NeedleEntry[], texts: ReadonlyMap<string, number>,
): WorkSteps<undefined> {
  const needleCount = new Set(entries.map(({ number }) => number)).size
  const shift = computeShift(needleCount * headsPerNeedle)
  const headCount = 2 ** (32 - shift)
  const heads = layout.add(4 * (headCount + 1))
  layout.setWord(tableAt, heads)
  layout.setWord(tableAt + 4, shift)
  const { sorted, starts } = sortByHash(entries, shift)
  // The entries follow the heads, which are a whole number of words.
  const first = layout.size
  for (const [head, start] of starts.entries()) layout.setWord(heads + 4 * head, first + entrySize * start)
  yield* addEntries(layout, sorted, texts)
  return undefined
}

/** Sorts entries by hash with a counting sort, and tells where those of each hash begin. */
function sortByHash(entries: readonly NeedleEntry[], shift: number): { readonly sorted: NeedleEntry[]; readonly starts: Int32Array } {
  const starts = new Int32Array(2 ** (32 - shift) + 1)
  for (const { key } of entries) starts[hashKey(key, shift) + 1]!++
  for (let head = 1; head < starts.length; head++) starts[head]! += starts[head - 1]!
  const next = starts.slice()
  const sorted = Array.from<NeedleEntry>({ length: entries.length })
  for (const entry of entries) sorted[next[hashKey(entry.key, shift)]!++] = entry
  return { sorted, starts }
}

/** Adds entries and returns the offset of the first one. */
function* addEntries(
  layout: LayoutBuilder, entries: readonly NeedleEntry[], texts: ReadonlyMap<string, number>,
): WorkSteps<number> {
  const first = layout.size
  yield* mapInSteps(entries, ({ needle, number, key, place }) => {
    const at = layout.add(entrySize)
    layout.setWord(at, key)
    layout.setWord(at + 4, texts.get(needle.text)!)
    layout.setWord(at + 8, needle.text.length)
    layout.setWord(at + 12, (place << placeShift) | anchorBits[needle.anchor])
    layout.setWord(at + 16, number)
    layout.setWord(at + 20, readCheckWord(needle.text, place))
  })
  return first
}

/** The bytes at the end of a text that is farther from its key; 0 if the text is too short. */
function readCheckWord(text: string, place: number): number {
  if (text.length < checkLength) return 0
  return readWord(text, place * 2 < text.length ? text.length - checkLength : 0, checkLength)
}

function addRuns(layout: LayoutBuilder, entries: readonly RunEntry[]): void {
  const first = layout.add(entries.length * runSize)
  layout.setWord(runsAt, first)
  layout.setWord(runCountAt, entries.length)
  for (const [place, { needle: { text, least }, number }] of entries.entries()) {
    const at = first + place * runSize
    layout.setWord(at, least)
    layout.setWord(at + 4, number)
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 128) layout.setBit(at + 8, text.charCodeAt(i))
  }
}

/** The shift that leaves hashes of `count` to twice as many values. */
function computeShift(count: number): number {
  return 32 - Math.max(1, Math.ceil(Math.log2(count)))
}

/** The bit for a needle of this length at this edge. */
function getEdgeBit({ anchor, text }: TextNeedle): number {
  if (anchor === 'whole') return 0
  return 1 << (text.length - 1 + (anchor === 'start' ? 0 : edgeLengthMax))
}

/** A growable byte buffer for layouts with words and bits at offsets. Words have 32 bits and are little-endian. */
class LayoutBuilder {
  #bytes: Uint8Array
  #view: DataView
  #size: number

  /** Starts with `size` zero bytes. */
  constructor(size: number) {
    this.#bytes = new Uint8Array(2 * size)
    this.#view = new DataView(this.#bytes.buffer)
    this.#size = size
  }

  get size(): number {
    return this.#size
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  /** Appends `size` zero bytes at an offset that is a multiple of 4, and returns the offset. */
  add(size: number): number {
    const offset = (this.#size + 3) & ~3
    this.#size = offset + size
    if (this.#size > this.#bytes.length) {
      const grown = new Uint8Array(2 * this.#size)
      grown.set(this.#bytes)
      this.#bytes = grown
      this.#view = new DataView(grown.buffer)
    }
    return offset
  }

  setWord(offset: number, word: number): void {
    this.#view.setUint32(offset, word, true)
  }

  /** Sets a bit of a bitmap at an offset. */
  setBit(offset: number, bit: number): void {
    this.#bytes[offset + (bit >>> 3)]! |= 1 << (bit & 7)
  }

  setBytes(offset: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, offset)
  }

  /** Writes text that is ASCII. */
  setText(offset: number, text: string): void {
    for (let at = 0; at < text.length; at++) this.#bytes[offset + at] = text.charCodeAt(at)
  }
}
