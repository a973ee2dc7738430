import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'
import { everyQGram, hashLetterGram, letterHashCount, qGramHashBits, qGramKinds, wordQGramLength } from './q-grams.ts'
import type { QGramKind } from './q-grams.ts'

/**
 * The signature file of a block (C. Faloutsos, S. Christodoulakis, 1984, "Signature files"): for each frame of dictionaries, a
 * Bloom filter with one hash function over the q-grams of its texts, or four over those of letters. A search for a word reads
 * it before anything else of a block but the block's own filter, and then only the frames that may hold the word. A false
 * positive costs the reading of a frame; there are no false negatives.
 */
export type FrameFilters = {
  /** Whether a case-folded text may be part of any text of the block that keywords are searched in. */
  readonly mayContainText: (folded: string) => boolean
  /** Whether a case-folded text may be part of a value in the dictionaries of a frame. */
  readonly mayFrameContain: (frame: number, folded: string) => boolean
}

/** Bits for each q-gram: two of five are set. */
const bitsPerQGram = 2
/** Texts without repetition have two q-grams for each character; their filters stay below this share of the texts. */
const textBytesPerFilterByteMin = 8
const filterBitsMin = 64
/** The q-grams of the first characters of a literal rule out nearly every frame that all of them would. */
const needleLengthMax = 64
/** Texts of which the hashes are remembered. */
const knownTextsMax = 8
/** The number that stands for texts outside of dictionaries: those of numeric columns and of events stored as a whole. */
const noFrame = -1

/** Collects the q-grams of one frame after another. */
export class FrameFiltersBuilder {
  /** Whether q-grams of letters have several hashes. */
  readonly hasLetterGrams: boolean
  readonly #dictionaries = new QGramSet()
  /** Frames that several columns share are open while others are added. */
  readonly #shared = new QGramSet()
  readonly #others = new QGramSet()
  #target = this.#others
  #ownPart: number | undefined
  #sharedPart: { readonly part: number; readonly frame: number } | undefined
  readonly #filters: { readonly part: number; readonly bits: Uint8Array }[] = []

  constructor({ hasLetterGrams }: { readonly hasLetterGrams: boolean }) {
    this.hasLetterGrams = hasLetterGrams
  }

  /** The following texts are those of a part; `sharedFrame` identifies the frame it shares with others. */
  beginPart(part: number, sharedFrame: number | undefined): void {
    this.#finishOwnFrame()
    if (sharedFrame === undefined) {
      this.#target = this.#dictionaries
      this.#ownPart = part
      return
    }
    if (this.#sharedPart?.frame !== sharedFrame) {
      this.#finishSharedFrame()
      this.#sharedPart = { part, frame: sharedFrame }
    }
    this.#target = this.#shared
  }

  /** The following texts are in no dictionary. */
  beginOthers(): void {
    this.#finishOwnFrame()
    this.#target = this.#others
  }

  addQGram(hash: number, kind: QGramKind, letterGram: number): void {
    if (kind === qGramKinds.letters && this.hasLetterGrams) {
      for (let i = 0; i < letterHashCount; i++) this.#target.add(hashLetterGram(letterGram, i))
      return
    }
    // Nearly all frames have the 4-grams of hexadecimal digits.
    if (kind !== qGramKinds.digits) this.#target.add(toFrameHash(hash, kind))
  }

  /** Counts the characters of a text; they bound the size of a filter. */
  countText({ length }: string): void {
    this.#target.textLength += length
  }

  /** `getFrame` gives the frame of a part. */
  encode(getFrame: (part: number) => number): Buffer {
    this.#finishOwnFrame()
    this.#finishSharedFrame()
    const writer = new ByteWriter()
    writer.varint(this.#filters.length + 1)
    for (const { part, bits } of this.#filters) writeFilter(writer, getFrame(part), bits)
    writeFilter(writer, noFrame, this.#others.takeFilter())
    return Buffer.from(writer.done())
  }

  #finishOwnFrame(): void {
    if (this.#ownPart === undefined) return
    this.#filters.push({ part: this.#ownPart, bits: this.#dictionaries.takeFilter() })
    this.#ownPart = undefined
  }

  #finishSharedFrame(): void {
    if (this.#sharedPart === undefined) return
    this.#filters.push({ part: this.#sharedPart.part, bits: this.#shared.takeFilter() })
    this.#sharedPart = undefined
  }
}

function writeFilter(writer: ByteWriter, frame: number, bits: Uint8Array): void {
  writer.varint(frame + 1)
  writer.varint(bits.length)
  writer.bytes(bits)
}

/** Decodes the filters; `bytes` are kept. Blocks before version 5 have one hash for each q-gram. */
export function decodeFrameFilters(bytes: Buffer, { hasLetterGrams }: { readonly hasLetterGrams: boolean }): FrameFilters {
  const reader = new ByteReader(bytes)
  const count = reader.varint()
  const filters = new Map<number, Uint8Array>()
  for (let i = 0; i < count; i++) {
    const frame = reader.varint() - 1
    const bits = reader.bytes(reader.varint())
    if (bits.length === 0) throw new CorruptionError('the filter of a frame is empty')
    filters.set(frame, bits)
  }
  if (filters.size !== count || !filters.has(noFrame)) throw new CorruptionError('the filters of frames are not complete')
  // Searches try the same few words on frame after frame.
  const known = new Map<string, readonly number[]>()
  const getHashes = (folded: string): readonly number[] => {
    const hashes = known.get(folded) ?? listHashes(folded.slice(0, needleLengthMax), hasLetterGrams)
    if (known.size >= knownTextsMax) known.clear()
    known.set(folded, hashes)
    return hashes
  }
  return {
    mayContainText: (folded) => {
      const hashes = getHashes(folded)
      for (const bits of filters.values()) if (hasAll(bits, hashes)) return true
      return false
    },
    mayFrameContain: (frame, folded) => {
      const bits = filters.get(frame)
      return bits === undefined || hasAll(bits, getHashes(folded))
    },
  }
}

function hasAll(bits: Uint8Array, hashes: readonly number[]): boolean {
  const scale = computeScale(bits)
  for (const hash of hashes) {
    const bit = (hash * scale) | 0
    if ((bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
  }
  return true
}

/** Hashes are mapped to bits by multiplication, so that the size of a filter need not be a power of two. */
function computeScale(bits: Uint8Array): number {
  return bits.length * 8 / 2 ** qGramHashBits
}

/** The hashes of the q-grams that filters of frames have. */
function listHashes(folded: string, hasLetterGrams: boolean): number[] {
  const hashes: number[] = []
  everyQGram(folded, wordQGramLength, (hash, kind, letterGram) => {
    if (kind === qGramKinds.letters && hasLetterGrams) {
      for (let i = 0; i < letterHashCount; i++) hashes.push(hashLetterGram(letterGram, i))
    } else if (kind !== qGramKinds.digits) hashes.push(toFrameHash(hash, kind))
    return true
  })
  return hashes
}

function toFrameHash(hash: number, kind: QGramKind): number {
  return kind === qGramKinds.long ? hash >>> (32 - qGramHashBits) : hash
}

/** The distinct hashes of the q-grams of texts. */
class QGramSet {
  readonly #has = new Uint8Array(2 ** qGramHashBits / 8)
  #hashes = new Uint32Array(16_384)
  #count = 0
  textLength = 0

  add(hash: number): void {
    const bit = 1 << (hash & 7)
    const byte = this.#has[hash >>> 3]!
    if ((byte & bit) !== 0) return
    this.#has[hash >>> 3] = byte | bit
    if (this.#count === this.#hashes.length) this.#grow()
    this.#hashes[this.#count++] = hash
  }

  /** The filter of what was added since the last call. */
  takeFilter(): Uint8Array {
    const bitsWanted = Math.min(this.#count * bitsPerQGram, this.textLength * 8 / textBytesPerFilterByteMin)
    const filter = new Uint8Array(Math.ceil(Math.max(bitsWanted, filterBitsMin) / 8))
    const scale = computeScale(filter)
    for (let i = 0; i < this.#count; i++) {
      const hash = this.#hashes[i]!
      const bit = (hash * scale) | 0
      filter[bit >>> 3]! |= 1 << (bit & 7)
      this.#has[hash >>> 3] = 0
    }
    this.#count = 0
    this.textLength = 0
    return filter
  }

  #grow(): void {
    const larger = new Uint32Array(this.#hashes.length * 2)
    larger.set(this.#hashes)
    this.#hashes = larger
  }
}
