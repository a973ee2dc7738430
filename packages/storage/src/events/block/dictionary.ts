import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'
import { ByteWriter } from '../../log/byte-writer.ts'
import { mayHideText, isSearchable, toSearchableTexts } from './json-literal.ts'

/** The distinct values of a column, numbered from 0. */
export type Dictionary = {
  readonly size: number
  readonly token: (code: number) => string
  /**
   * The codes, ascending, of all values that may hold one of the case-folded texts, possibly with false positives.
   * Undefined where scanning every value is as fast.
   */
  readonly findCodes: (texts: readonly string[]) => Uint32Array | undefined
  /** Ranges of codes whose values were not needed and not read. */
  readonly missing: readonly CodeRange[]
}

/** Codes from `first` inclusive to `end` exclusive. */
type CodeRange = readonly [first: number, end: number]

/** Encodes the values of a column. */
export function encodeDictionary(tokens: readonly string[]): Buffer {
  const writer = new ByteWriter()
  writer.varint(tokens.length)
  const unsearchable = tokens.flatMap((token, code) => (isSearchable(token) ? [] : [code]))
  writer.varint(unsearchable.length)
  for (const code of unsearchable) writer.varint(code)
  for (const token of tokens) writer.varint(token.length)
  for (const token of tokens) writer.latin1(token)
  return writer.done()
}

/** Whether a value of an encoded dictionary may have a leaf whose text does not occur in its bytes. */
export function hidesLeaves(bytes: Buffer): boolean {
  const reader = new ByteReader(bytes)
  reader.varint()
  // Most dictionaries have none, and nothing else of them is read.
  return reader.varint() > 0 && new StoredDictionary(bytes).hidesLeaves
}

/** An encoded dictionary; values are decoded on access. */
export class StoredDictionary implements Dictionary {
  readonly size: number
  readonly missing = []
  readonly #unsearchable: readonly number[]
  readonly #offsets: Uint32Array
  readonly #bytes: Buffer
  #folded: string | undefined

  constructor(bytes: Buffer) {
    const reader = new ByteReader(bytes)
    this.size = reader.varint()
    const unsearchableCount = reader.varint()
    if (this.size + unsearchableCount > reader.left) {
      throw new CorruptionError(`a dictionary of ${bytes.length} bytes states ${this.size} values`)
    }
    this.#unsearchable = Array.from({ length: unsearchableCount }, () => reader.varint())
    this.#offsets = new Uint32Array(this.size + 1)
    for (let i = 0; i < this.size; i++) this.#offsets[i + 1] = this.#offsets[i]! + reader.varint()
    this.#bytes = reader.bytes(this.#offsets[this.size]!)
  }

  token(code: number): string {
    return this.#bytes.toString('latin1', this.#offsets[code], this.#offsets[code + 1])
  }

  get hidesLeaves(): boolean {
    return this.#unsearchable.some((code) => mayHideText(this.token(code)))
  }

  findCodes(texts: readonly string[]): Uint32Array | undefined {
    const written = toSearchableTexts(texts)
    if (written === undefined) return undefined
    this.#folded ??= this.#bytes.toString('latin1').toLowerCase()
    const found = new Set(this.#unsearchable)
    for (const one of written) this.#find(one, found)
    return Uint32Array.from(found).sort()
  }

  #find(needle: string, found: Set<number>): void {
    const folded = this.#folded ?? ''
    let code = 0
    for (let at = folded.indexOf(needle); at !== -1;) {
      code = this.#codeAt(at, code)
      found.add(code)
      // This value matches: continue with the next one.
      at = folded.indexOf(needle, Math.max(at + 1, this.#offsets[code + 1]! - needle.length + 1))
    }
  }

  /** Binary search for the value, with code `from` or later, that contains an offset. */
  #codeAt(offset: number, from: number): number {
    let low = from
    let high = this.size - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#offsets[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** A long dictionary that is stored in chunks, of which those that are needed have been read. */
export class ChunkedDictionary implements Dictionary {
  readonly size: number
  readonly #chunks: readonly { readonly first: number; readonly dictionary: Dictionary | undefined }[]

  /** `chunks` are all of them, in order; undefined where one was not read. */
  constructor(size: number, chunks: readonly { readonly first: number; readonly dictionary: Dictionary | undefined }[]) {
    this.size = size
    this.#chunks = chunks
    for (const [i, { first, dictionary }] of chunks.entries()) {
      if (dictionary === undefined || dictionary.size === this.#getEnd(i) - first) continue
      throw new CorruptionError(`a chunk of a dictionary has ${dictionary.size} values`)
    }
  }

  token(code: number): string {
    const { first, dictionary } = this.#chunks[findChunk(this.#chunks, code)]!
    if (dictionary === undefined) throw new Error(`the value ${code} of the dictionary was not read`)
    return dictionary.token(code - first)
  }

  get missing(): readonly CodeRange[] {
    return this.#chunks.flatMap(({ first, dictionary }, i) => (dictionary === undefined ? [[first, this.#getEnd(i)] as const] : []))
  }

  findCodes(texts: readonly string[]): Uint32Array | undefined {
    const found: number[] = []
    for (const { first, dictionary } of this.#chunks) {
      if (dictionary === undefined) continue
      const codes = dictionary.findCodes(texts)
      if (codes === undefined) return undefined
      for (const code of codes) found.push(first + code)
    }
    return Uint32Array.from(found)
  }

  #getEnd(chunk: number): number {
    return this.#chunks[chunk + 1]?.first ?? this.size
  }
}

/** Binary search for the chunk that has a code. */
export function findChunk(chunks: readonly { readonly first: number }[], code: number): number {
  let low = 0
  let high = chunks.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (chunks[middle]!.first <= code) low = middle
    else high = middle - 1
  }
  return low
}
