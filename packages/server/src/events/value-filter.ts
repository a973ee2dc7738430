import { foldCase, isObject, numberOf, toFieldValue } from '@tripline/engine/evaluate'
import type { Scalar } from '@tripline/engine/evaluate'
import { ByteReader, DamageError } from '../records/byte-reader.ts'
import { ByteWriter } from '../records/byte-writer.ts'
import type { Path } from './shape.ts'
import { leavesOfToken, parseToken } from './token.ts'

/** Says what the values of a block cannot be. It may only ever err towards `true`. */
export type FilterOfBlock = {
  /** Whether a field may have a value that folds to this text. */
  readonly mayHaveText: (field: string, folded: string) => boolean
  /** Whether a field may have a value that states this number. */
  readonly mayHaveNumber: (field: string, number: number) => boolean
  /** Whether a text may be a part of any value that keywords are searched in. */
  readonly mayHold: (folded: string) => boolean
  /** Whether a field may have values that the filter does not know. */
  readonly isUnknown: (field: string) => boolean
}

/** Parts of this many characters are remembered of every text. */
const gramLength = 3
const gramHashBits = 20
/** A needle's first parts rule out nearly every block that all of them would. */
const gramsAskedMax = 16
const bitsPerKey = 8
const hashCount = 4

/** Collects what a filter knows of a block. */
export class FilterBuilder {
  readonly #keys: number[] = []
  readonly #grams = new Uint8Array(2 ** gramHashBits / 8)
  #gramCount = 0

  /** Adds the different values of a column; of one that is not listed, parts of texts only. */
  addColumn(path: Path, tokens: Iterable<string>, isListed: boolean): void {
    const name = nameOf(path)
    if (!isListed) this.#addUnknown(name)
    for (const token of tokens) {
      if (isListed) this.#addValue(name, token)
      // A keyword is not searched in annotations, so their parts would only let blocks pass for nothing.
      for (const text of leavesOfToken(token, path[0] ?? '')) this.#addGrams(foldCase(text))
    }
  }

  encode(): Buffer {
    const writer = new ByteWriter()
    const bloom = this.#bloom()
    writer.varint(bloom.length)
    writer.bytes(bloom)
    const grams = this.#foldedGrams()
    writer.varint(grams.length)
    writer.bytes(grams)
    return writer.done()
  }

  #addValue(name: string, token: string): void {
    const value = parseToken(token)
    const elements = Array.isArray(value) ? value.flat(64) : [value]
    for (const element of elements) {
      // Objects in lists are compared as JSON, and their members by a path of their own.
      if (isObject(element)) this.#addUnknown(name)
      else {
        const scalar = toFieldValue(element)
        if (scalar !== undefined && (typeof scalar !== 'object' || scalar === null)) this.#addScalar(name, scalar)
      }
    }
  }

  #addScalar(name: string, value: Scalar): void {
    if (value === null) return
    this.#addKey(textKey(name, foldCase(String(value))))
    const number = numberOf(value)
    if (!Number.isNaN(number)) this.#addKey(numberKey(name, number))
  }

  #addUnknown(name: string): void {
    this.#addKey(unknownKey(name))
  }

  #addKey(key: string): void {
    const [first, second] = hashesOf(key)
    this.#keys.push(first, second)
  }

  #addGrams(text: string): void {
    const grams = this.#grams
    for (let at = 0; at + gramLength <= text.length; at++) {
      const hash = gramHash(text, at)
      const bit = 1 << (hash & 7)
      if ((grams[hash >>> 3]! & bit) !== 0) continue
      grams[hash >>> 3]! |= bit
      this.#gramCount++
    }
  }

  #bloom(): Uint8Array {
    const bloom = new Uint8Array(Math.ceil((this.#keys.length / 2) * bitsPerKey / 8) + 1)
    for (let i = 0; i < this.#keys.length; i += 2) {
      for (const bit of bitsOf(this.#keys[i]!, this.#keys[i + 1]!, bloom.length * 8)) bloom[bit >>> 3]! |= 1 << (bit & 7)
    }
    return bloom
  }

  /** As many bits as leave seven of eight empty. */
  #foldedGrams(): Uint8Array {
    let size = this.#grams.length
    while (size > 16 && size * 8 >= this.#gramCount * 16) size /= 2
    const folded = new Uint8Array(size)
    for (let hash = 0; hash < this.#grams.length * 8; hash++) {
      if ((this.#grams[hash >>> 3]! & (1 << (hash & 7))) === 0) continue
      const bit = hash & (size * 8 - 1)
      folded[bit >>> 3]! |= 1 << (bit & 7)
    }
    return folded
  }
}

export function decodeFilter(bytes: Buffer): FilterOfBlock {
  const reader = new ByteReader(bytes)
  const bloom = reader.bytes(reader.varint())
  const grams = reader.bytes(reader.varint())
  if (bloom.length === 0 || grams.length === 0) throw new DamageError('a filter is empty')
  const has = (key: string): boolean => {
    return bitsOf(...hashesOf(key), bloom.length * 8).every((bit) => (bloom[bit >>> 3]! & (1 << (bit & 7))) !== 0)
  }
  return {
    mayHaveText: (field, folded) => has(textKey(foldCase(field), folded)),
    mayHaveNumber: (field, number) => has(numberKey(foldCase(field), number)),
    mayHold: (folded) => {
      const askedCount = Math.min(folded.length - gramLength + 1, gramsAskedMax)
      for (let at = 0; at < askedCount; at++) {
        const bit = gramHash(folded, at) & (grams.length * 8 - 1)
        if ((grams[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
      }
      return true
    },
    isUnknown: (field) => {
      return has(unknownKey(foldCase(field)))
    },
  }
}

/** Names are folded, because some kinds of events are searched so. */
function nameOf(path: Path): string {
  return foldCase(path.join('.'))
}

function textKey(name: string, folded: string): string {
  const { length } = folded
  const shortened = length <= 64 ? folded : `${folded.slice(0, 32)}${length}${folded.slice(-32)}`
  return `t${name}\u0000${shortened}`
}

function numberKey(name: string, number: number): string {
  // Minus zero equals zero.
  return `n${name}\u0000${number === 0 ? 0 : number}`
}

function unknownKey(name: string): string {
  return `u${name}`
}

/** Two hashes of a text (FNV-1a and a multiplication), from which as many are made as a filter needs. */
function hashesOf(text: string): [first: number, second: number] {
  let first = 0x811c9dc5
  let second = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    first = Math.imul(first ^ code, 0x01000193)
    second = Math.imul(second, 31) + code | 0
  }
  return [first >>> 0, (Math.imul(second, 0x9e3779b1) | 1) >>> 0]
}

function bitsOf(first: number, second: number, size: number): number[] {
  return Array.from({ length: hashCount }, (_, i) => (first + i * second) % size)
}

function gramHash(text: string, at: number): number {
  const sum = (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1)) * 961 + text.charCodeAt(at + 2)
  return Math.imul(sum, 0x9e3779b1) >>> (32 - gramHashBits)
}
