import { foldCase, collectLeafTexts, parseNumber, toFieldValue } from '@tripline/engine/evaluate'
import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'
import { mayContainText } from './column-kind.ts'
import type { NumberColumnKind } from './column-kind.ts'
import type { Path } from './event-template.ts'
import { readTokenLeaves, parseToken } from './json-literal.ts'

/**
 * A Bloom filter over the values of a block, with a second bitmap of the q-grams of its texts. It covers all fields
 * together: the column of a field is known only from the directory, and the filter is checked before that. False
 * positives are possible, false negatives are not.
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

/** The length of q-grams; nearly all trigrams occur in any block, so trigrams would rule out nothing. */
const qGramLength = 4
/** The length of additional q-grams within words: short ones of a word occur in other words. */
const wordQGramLength = 6
/** Q-grams of hexadecimal digits are frequent and come in long runs; one in so many is kept. */
const digitQGramSampling = 4
const qGramHashBits = 20
/** With fewer bits for each q-gram, false positives become too frequent. */
const bitsPerQGramMin = 2.5
/** The q-grams of the first characters of a literal rule out nearly every block that all of them would. */
const needleLengthMax = 64
const bitsPerKey = 8
const hashCount = 4
/** Numeric columns are not listed value by value; the filter records which kinds occur. */
const numberKinds: readonly NumberColumnKind[] = ['integer', 'instant']

/** Builds the Bloom filter of a block. */
export class BloomFilterBuilder {
  readonly #keys = new Set<number>()
  readonly #qGrams = new Uint8Array(2 ** qGramHashBits / 8)
  #qGramCount = 0
  #unlistedKinds = 0

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

  encode(): Buffer {
    const writer = new ByteWriter()
    writer.u8(this.#unlistedKinds)
    const bloom = this.#buildBloom()
    writer.varint(bloom.length)
    writer.bytes(bloom)
    const parts = this.#foldQGrams()
    writer.varint(parts.length)
    writer.bytes(parts)
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
    const parts = this.#qGrams
    everyQGram(text, (hash) => {
      const bit = 1 << (hash & 7)
      if ((parts[hash >>> 3]! & bit) === 0) {
        parts[hash >>> 3]! |= bit
        this.#qGramCount++
      }
      return true
    })
  }

  #buildBloom(): Uint8Array {
    const bloom = new Uint8Array(Math.ceil(this.#keys.size * bitsPerKey / 8) + 1)
    for (const hash of this.#keys) {
      for (const bit of getBits(hash, bloom.length * 8)) bloom[bit >>> 3]! |= 1 << (bit & 7)
    }
    return bloom
  }

  /** Halves the bitmap while there are enough bits for each q-gram. */
  #foldQGrams(): Uint8Array {
    let size = this.#qGrams.length
    while (size > 16 && size * 4 >= this.#qGramCount * bitsPerQGramMin) size /= 2
    const folded = new Uint8Array(size)
    for (let hash = 0; hash < this.#qGrams.length * 8; hash++) {
      if ((this.#qGrams[hash >>> 3]! & (1 << (hash & 7))) === 0) continue
      const bit = hash & (size * 8 - 1)
      folded[bit >>> 3]! |= 1 << (bit & 7)
    }
    return folded
  }
}

export function decodeBloomFilter(bytes: Buffer): BlockFilter {
  const reader = new ByteReader(bytes)
  const unlisted = reader.u8()
  const unlistedKinds = numberKinds.filter((_, i) => (unlisted & (1 << i)) !== 0)
  const bloom = reader.bytes(reader.varint())
  const parts = reader.bytes(reader.varint())
  if (bloom.length === 0 || parts.length === 0) throw new CorruptionError('a filter is empty')
  const has = (key: string): boolean => {
    return getBits(hashText(key), bloom.length * 8).every((bit) => (bloom[bit >>> 3]! & (1 << (bit & 7))) !== 0)
  }
  return {
    mayEqualText: (folded) => has(textKey(folded)) || unlistedKinds.some((kind) => mayContainText(kind, folded)),
    // An instant is not numeric.
    mayEqualNumber: (number) => has(numberKey(number)) || unlistedKinds.includes('integer'),
    mayContainText: (folded) => hasQGrams(parts, folded),
  }
}

/**
 * Decodes only what tells whether a text may be contained: where all values are different, the rest of a filter is several
 * times as large. It rules out nothing by equality.
 */
export function decodeTextFilter(bytes: Buffer): { readonly filter: BlockFilter; readonly byteCount: number } {
  const reader = new ByteReader(bytes)
  reader.u8()
  reader.bytes(reader.varint())
  // A copy, so that the rest can go.
  const parts = Buffer.from(reader.bytes(reader.varint()))
  if (parts.length === 0) throw new CorruptionError('a filter is empty')
  const filter = { mayEqualText: () => true, mayEqualNumber: () => true, mayContainText: (folded: string) => hasQGrams(parts, folded) }
  return { filter, byteCount: parts.length }
}

/** Whether a bitmap has the q-grams of a text. */
function hasQGrams(parts: Uint8Array, folded: string): boolean {
  return everyQGram(folded.slice(0, needleLengthMax), (hash) => {
    const bit = hash & (parts.length * 8 - 1)
    return (parts[bit >>> 3]! & (1 << (bit & 7))) !== 0
  })
}

/** Characters that JSON escapes, apart from quotes and backslashes. */
const written = /[\u0000-\u001f\ud800-\udfff]/

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

/** Derives the bit positions of a key by double hashing. */
function getBits(hash: number, size: number): number[] {
  const first = Math.floor(hash / 2 ** 21)
  const second = (hash % 2 ** 21) * 2 + 1
  return Array.from({ length: hashCount }, (_, i) => (first + i * second) % size)
}

/**
 * Calls `holds` with the hash of each kept q-gram of a text until it returns false. Whether a q-gram is kept depends on
 * its own characters only, so it is the same in every text.
 */
function everyQGram(text: string, holds: (hash: number) => boolean): boolean {
  let wordLength = 0
  let digitsLength = 0
  // Rolling hashes of the last characters, updated by the character that enters and the one that leaves.
  let partSum = 0
  let wordPartSum = 0
  for (let end = 1; end <= text.length; end++) {
    const code = text.charCodeAt(end - 1)
    partSum = Math.imul(partSum, sumBase) + code | 0
    if (end > qGramLength) partSum = partSum - Math.imul(text.charCodeAt(end - 1 - qGramLength), qGramWeight) | 0
    wordPartSum = Math.imul(wordPartSum, sumBase) + code | 0
    if (end > wordQGramLength) wordPartSum = wordPartSum - Math.imul(text.charCodeAt(end - 1 - wordQGramLength), wordQGramWeight) | 0
    const kind = code < 128 ? kinds[code]! : 0
    wordLength = (kind & ofWord) === 0 ? 0 : wordLength + 1
    digitsLength = (kind & ofDigits) === 0 ? 0 : digitsLength + 1
    if (end >= qGramLength) {
      const sum = partSum + Math.imul(qGramLength, qGramWeight) | 0
      const isRemembered = digitsLength < qGramLength || (Math.imul(sum, 0x85ebca6b) >>> 16) % digitQGramSampling === 0
      if (isRemembered && !holds(hashQGram(sum))) return false
    }
    if (wordLength >= wordQGramLength && digitsLength < wordQGramLength) {
      if (!holds(hashQGram(wordPartSum + Math.imul(wordQGramLength, wordQGramWeight) | 0))) return false
    }
  }
  return true
}

const ofWord = 1
const ofDigits = 2
/** For each ASCII character, whether it belongs to words, and to runs of hexadecimal digits such as GUIDs. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return (/[a-z0-9]/.test(character) ? ofWord : 0) + (/[a-f0-9-]/.test(character) ? ofDigits : 0)
})

/** The base of the rolling hash: a hash is the length and the character codes as digits of this base, in 32 bits. */
const sumBase = 961
const qGramWeight = computeWeight(qGramLength)
const wordQGramWeight = computeWeight(wordQGramLength)

/** The weight of the digit before so many others. */
function computeWeight(length: number): number {
  let weight = 1
  for (let i = 0; i < length; i++) weight = Math.imul(weight, sumBase)
  return weight
}

function hashQGram(sum: number): number {
  return Math.imul(sum, 0x9e3779b1) >>> (32 - qGramHashBits)
}
