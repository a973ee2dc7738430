import { foldCase, collectLeafTexts, parseNumber, toFieldValue } from '@tripline/engine/evaluate'
import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'
import { mayContainText } from './column-kind.ts'
import type { NumberColumnKind } from './column-kind.ts'
import type { Path } from './event-template.ts'
import type { FrameFiltersBuilder } from './frame-filters.ts'
import type { FrameLocation } from './frame.ts'
import { readTokenLeaves, parseToken } from './json-literal.ts'
import { everyQGram, formerWordQGramLength, qGramHashBits, qGramKinds, wordQGramLength } from './q-grams.ts'

/**
 * A Bloom filter over the values of a block, with a second one of the q-grams of its texts, and a third one of those
 * that are long. It covers all fields together: the column of a field is known only from the directory, and
 * the filter is checked before that. False positives are possible, false negatives are not.
 */
export type BlockFilter = {
  /** Whether a value or a list element may equal this folded text; JSON texts of objects are not covered. */
  readonly mayEqualText: (folded: string) => boolean
  /** Whether a value may equal this number. */
  readonly mayEqualNumber: (number: number) => boolean
  /**
   * Whether a text may be part of a value outside of annotations or, if it has no JSON punctuation, of the JSON text of
   * an object.
   */
  readonly mayContainText: (folded: string) => boolean
}

/** With fewer bits for each q-gram, false positives become too frequent. */
const bitsPerQGramMin = 2.5
/** The same for those of letters, which are fewer, and all that a word of four letters has. */
const bitsPerLetterGramMin = 8
/** The q-grams of the first characters of a literal rule out nearly every block that all of them would. */
const needleLengthMax = 64
const bitsPerKey = 8
const hashCount = 4
/** Numeric columns are not listed value by value; the filter records which kinds occur. */
const numberKinds: readonly NumberColumnKind[] = ['integer', 'instant']

const longGramHashCount = 2

/** Characters that JSON escapes, apart from quotes and backslashes. */
const written = /[\u0000-\u001f\ud800-\udfff]/

/** Builds the Bloom filter of a block, and on the way those of its frames, unless the block has none. */
export class BloomFilterBuilder {
  readonly #frames: FrameFiltersBuilder | undefined
  readonly #keys = new Set<number>()
  readonly #qGrams = new Bitmap()
  readonly #longGrams = new Bitmap()
  readonly #letterGrams = new Bitmap()
  #unlistedKinds = 0

  constructor(frames?: FrameFiltersBuilder) {
    this.#frames = frames
  }

  /**
   * Adds the distinct values of a column; for a numeric column, which is not listed, only the q-grams of their texts.
   */
  addColumn(path: Path, tokens: Iterable<string>, kind: NumberColumnKind | undefined): void {
    if (kind !== undefined) this.#unlistedKinds |= 1 << numberKinds.indexOf(kind)
    this.addNames(path)
    // Keywords are not searched in annotations, so their q-grams would only cause false positives.
    const isSearched = readTokenLeaves('""', path[0] ?? '').length > 0
    for (const token of tokens) {
      for (const text of readTokenLeaves(token, '')) {
        const folded = foldCase(text)
        if (kind === undefined) this.#addValue(text, folded)
        if (isSearched) this.#addText(text, folded, path.length > 1)
      }
      if (!isSearched) continue
      if (token.startsWith('[') && token.includes('{')) this.#addObjects(parseToken(token))
    }
  }

  /** Adds what the JSON texts of the objects on a path contain besides their values. */
  addNames(path: Path): void {
    for (const name of path) this.#addText(name, foldCase(name), true)
    if (path.length > 1) this.#addQGrams('null')
  }

  /** Adds an event that is stored only as a whole. */
  addEvent(fields: Record<string, unknown>): void {
    for (const text of collectLeafTexts({ fields })) {
      const folded = foldCase(text)
      this.#addValue(text, folded)
      this.#addText(text, folded, true)
    }
    this.#addObjects(fields)
  }

  /** `frameFilters` is where the block has the filters of its frames. */
  encode(frameFilters?: FrameFiltersLocation): Buffer {
    const writer = new ByteWriter()
    writer.u8(this.#unlistedKinds)
    for (const bytes of [this.#buildBloom(), this.#qGrams.fold()]) {
      writer.varint(bytes.length)
      writer.bytes(bytes)
    }
    if (frameFilters === undefined) return writer.done()
    const longGrams = this.#longGrams.fold()
    writer.varint(longGrams.length)
    writer.bytes(longGrams)
    writer.varint(frameFilters.length)
    writer.u32(frameFilters.crc)
    if (this.#frames?.hasLetterGrams !== true) return writer.done()
    const letterGrams = this.#letterGrams.fold(bitsPerLetterGramMin)
    writer.varint(letterGrams.length)
    writer.bytes(letterGrams)
    return writer.done()
  }

  #addValue(text: string, folded: string): void {
    this.#keys.add(hashText(textKey(folded)))
    const number = parseNumber(text)
    if (!Number.isNaN(number)) this.#keys.add(hashText(numberKey(number)))
  }

  /** Adds the q-grams of a text; for a text in an object also as it stands in the object's JSON text. */
  #addText(text: string, folded: string, isInObject: boolean): void {
    this.#addQGrams(folded)
    if (isInObject && written.test(text)) this.#addQGrams(foldCase(JSON.stringify(text)))
  }

  /** Adds the q-grams of the JSON texts of objects, which fields are compared with. */
  #addObjects(value: unknown): void {
    const texts = toFieldValue(value)
    for (const text of Array.isArray(texts) ? texts : [texts]) if (typeof text === 'string') this.#addQGrams(foldCase(text))
  }

  #addQGrams(text: string): void {
    const frames = this.#frames
    frames?.countText(text)
    everyQGram(text, frames === undefined ? formerWordQGramLength : wordQGramLength, (hash, kind, letterGram) => {
      if (kind === qGramKinds.letters && frames?.hasLetterGrams === true) this.#letterGrams.add(letterGram)
      else if (kind !== qGramKinds.long) this.#qGrams.add(hash)
      else if (frames !== undefined) this.#addLongGram(hash)
      frames?.addQGram(hash, kind, letterGram)
      return true
    })
  }

  #addLongGram(hash: number): void {
    for (let i = 0; i < longGramHashCount; i++) this.#longGrams.add(getLongGramBit(hash, i))
  }

  #buildBloom(): Uint8Array {
    const bloom = new Uint8Array(Math.ceil(this.#keys.size * bitsPerKey / 8) + 1)
    for (const hash of this.#keys) {
      for (let i = 0; i < hashCount; i++) {
        const bit = getBit(hash, i, bloom.length * 8)
        bloom[bit >>> 3]! |= 1 << (bit & 7)
      }
    }
    return bloom
  }
}

/** Where the filters of frames are: at the begin of the body, not compressed. */
type FrameFiltersLocation = Pick<FrameLocation, 'length' | 'crc'>

/** A filter, its size in memory, and where those of frames are; undefined for blocks that have none. */
export type DecodedFilter = {
  readonly filter: BlockFilter
  readonly byteCount: number
  readonly frameFilters: FrameFiltersLocation | undefined
}

export function decodeBloomFilter(bytes: Buffer): DecodedFilter {
  const { unlistedKinds, bloom, qGrams, longGrams, letterGrams, frameFilters } = decodeParts(bytes)
  if (bloom.length === 0) throw new CorruptionError('a filter is empty')
  const has = (key: string): boolean => {
    const hash = hashText(key)
    for (let i = 0; i < hashCount; i++) {
      const bit = getBit(hash, i, bloom.length * 8)
      if ((bloom[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
    }
    return true
  }
  const filter: BlockFilter = {
    mayEqualText: (folded) => has(textKey(folded)) || unlistedKinds.some((kind) => mayContainText(kind, folded)),
    // An instant is not numeric.
    mayEqualNumber: (number) => has(numberKey(number)) || unlistedKinds.includes('integer'),
    mayContainText: (folded) => hasQGrams({ qGrams, longGrams, letterGrams }, folded),
  }
  return { filter, byteCount: bytes.length, frameFilters }
}

/**
 * Decodes only what tells whether a text may be contained: where all values are different, the rest of a filter is several
 * times as large. It rules out nothing by equality.
 */
export function decodeTextFilter(bytes: Buffer): DecodedFilter {
  const parts = decodeParts(bytes)
  // Copies, so that the rest can go.
  const [qGrams, longGrams, letterGrams] = [parts.qGrams, parts.longGrams, parts.letterGrams].map((part) => part && Buffer.from(part))
  const texts = { qGrams: qGrams!, longGrams, letterGrams }
  return {
    filter: { mayEqualText: () => true, mayEqualNumber: () => true, mayContainText: (folded) => hasQGrams(texts, folded) },
    byteCount: texts.qGrams.length + (longGrams?.length ?? 0) + (letterGrams?.length ?? 0),
    frameFilters: parts.frameFilters,
  }
}

function decodeParts(bytes: Buffer) {
  const reader = new ByteReader(bytes)
  const unlisted = reader.u8()
  const unlistedKinds = numberKinds.filter((_, i) => (unlisted & (1 << i)) !== 0)
  const bloom = reader.bytes(reader.varint())
  const qGrams = reader.bytes(reader.varint())
  if (qGrams.length === 0) throw new CorruptionError('a filter is empty')
  const parts = { unlistedKinds, bloom, qGrams, longGrams: undefined, letterGrams: undefined, frameFilters: undefined }
  if (reader.left === 0) return parts
  const longGrams = reader.bytes(reader.varint())
  const frameFilters = { length: reader.varint(), crc: reader.u32() }
  const letterGrams = reader.left === 0 ? undefined : reader.bytes(reader.varint())
  if (longGrams.length === 0 || letterGrams?.length === 0) throw new CorruptionError('a filter is empty')
  return { ...parts, longGrams, letterGrams, frameFilters }
}

type TextBitmaps = {
  readonly qGrams: Uint8Array
  readonly longGrams: Uint8Array | undefined
  readonly letterGrams: Uint8Array | undefined
}

/** Whether bitmaps have the q-grams of a text. Blocks before version 4 have no long ones, those before 5 none of letters. */
function hasQGrams({ qGrams, longGrams, letterGrams }: TextBitmaps, folded: string): boolean {
  const wordLength = longGrams === undefined ? formerWordQGramLength : wordQGramLength
  return everyQGram(folded.slice(0, needleLengthMax), wordLength, (hash, kind, letterGram) => {
    if (kind === qGramKinds.letters && letterGrams !== undefined) return hasBit(letterGrams, letterGram)
    if (kind !== qGramKinds.long) return hasBit(qGrams, hash)
    return longGrams === undefined || (hasBit(longGrams, getLongGramBit(hash, 0)) && hasBit(longGrams, getLongGramBit(hash, 1)))
  })
}

/** Whether a bitmap, which may be folded, has a bit. */
function hasBit(bitmap: Uint8Array, hash: number): boolean {
  const bit = hash & (bitmap.length * 8 - 1)
  return (bitmap[bit >>> 3]! & (1 << (bit & 7))) !== 0
}

/** A bit position of a long q-gram, the first or the second. */
function getLongGramBit(hash: number, number: number): number {
  return (number === 0 ? hash : Math.imul(hash, 0x9e3779b1)) >>> (32 - qGramHashBits)
}

/** A bitmap of hashes that is as large as they need in the end. */
class Bitmap {
  readonly #bits = new Uint8Array(2 ** qGramHashBits / 8)
  #count = 0

  add(hash: number): void {
    const bit = 1 << (hash & 7)
    if ((this.#bits[hash >>> 3]! & bit) !== 0) return
    this.#bits[hash >>> 3]! |= bit
    this.#count++
  }

  /** Halves the bitmap while there are enough bits for each that is set. */
  fold(bitsEachMin = bitsPerQGramMin): Uint8Array {
    let size = this.#bits.length
    while (size > 16 && size * 4 >= this.#count * bitsEachMin) size /= 2
    const folded = new Uint8Array(size)
    for (let at = 0; at < this.#bits.length; at++) folded[at & (size - 1)]! |= this.#bits[at]!
    return folded
  }
}

function textKey(folded: string): string {
  const { length } = folded
  const shortened = length <= 64 ? folded : `${folded.slice(0, 32)}${length}${folded.slice(-32)}`
  return `t${shortened}`
}

function numberKey(number: number): string {
  // Minus zero equals zero.
  return `n${number === 0 ? 0 : number}`
}

/** Hashes a text to 53 bits: 32 of FNV-1a and 21 of a multiplicative hash. */
function hashText(text: string): number {
  let first = 0x811c9dc5
  let second = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second, 31) + code | 0
  }
  return (first >>> 0) * 2 ** 21 + (Math.imul(second, 0x9e3779b1) >>> 11)
}

/** Derives a bit position of a key by double hashing. */
function getBit(hash: number, number: number, size: number): number {
  const first = Math.floor(hash / 2 ** 21)
  const second = (hash % 2 ** 21) * 2 + 1
  return (first + number * second) % size
}
