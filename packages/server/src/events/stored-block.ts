import type { Block, BlockColumn, CodesOf, OpenedBlock } from './block.ts'
import type { BlockDirectory, WrittenColumn } from './block-directory.ts'
import { headerLength } from './block-header.ts'
import type { BlockHeader } from './block-header.ts'
import { DamageError } from '../records/byte-reader.ts'
import type { CatalogField } from './event-store.ts'
import { mayHoldText, tokenOfNumber } from './column-kind.ts'
import { StoredDictionary } from './dictionary.ts'
import { DictionaryFrame } from './dictionary-frame.ts'
import type { DictionaryPlace } from './dictionary-frame.ts'
import { readFrame } from './frame.ts'
import type { FramePlace, PartPlace } from './frame.ts'
import { decodeCodes, decodeDeltas } from './numbers-codec.ts'
import { Piece } from './block-cache.ts'
import type { LoadedPiece, PieceCache } from './block-cache.ts'
import { readShape } from './event-templates.ts'
import { isSearchedPath, writtenTexts } from './json-literal.ts'
import { decodeFilter } from './bloom-filter.ts'
import type { FilterOfBlock } from './bloom-filter.ts'

/** Reads bytes of a segment file. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>

/** How a block is read: from where in its file, and what keeps what was read. */
export type BlockReading = {
  readonly offset: number
  readonly read: ReadBytes
  readonly cache: PieceCache
  /** Filters are kept apart: a search asks those of all blocks, and what it reads then would drive them out. */
  readonly filterCache: PieceCache
}

/** A block of a segment. What is read of it is checked, and kept in the caches for a while. */
export class StoredBlock implements Block {
  readonly bounds: BlockHeader
  /** Where it begins in its file. */
  readonly offset: number
  readonly #filter: Piece<FilterOfBlock>
  readonly #opened: Piece<StoredContents>

  constructor(header: BlockHeader, { offset, read, cache, filterCache }: BlockReading) {
    this.bounds = header
    this.offset = offset
    this.#filter = new Piece(filterCache, async () => {
      const { filterLength: length, filterRawLength: rawLength, filterCrc: crc } = header
      const bytes = await read(offset + headerLength, length)
      const value = asDamage(() => decodeFilter(readFrame(bytes, { offset: 0, length, rawLength, crc })))
      return { value, bytes: rawLength + pieceOverheadBytes }
    })
    this.#opened = new Piece(cache, async () => {
      const { filterLength, directoryLength: length, directoryRawLength: rawLength, directoryCrc: crc } = header
      const directoryOffset = offset + headerLength + filterLength
      const bytes = await read(directoryOffset, length)
      const directory: BlockDirectory = JSON.parse(asDamage(() => readFrame(bytes, { offset: 0, length, rawLength, crc })).toString())
      const readBody: ReadBytes = (at, count) => read(directoryOffset + length + at, count)
      const filter = () => this.filter()
      return { value: new StoredContents(header, directory, { readBody, filter, cache }), bytes: rawLength }
    })
  }

  /** Undefined also where the filter is damaged: then the block is searched without it, and `verify` reports it. */
  async filter(): Promise<FilterOfBlock | undefined> {
    try {
      return await this.#filter.get()
    } catch (error) {
      if (error instanceof DamageError) return undefined
      throw error
    }
  }

  open(): Promise<StoredContents> {
    return this.#opened.get()
  }

  /** Reads and checks every frame. */
  async verify(): Promise<void> {
    await this.#filter.get()
    await (await this.open()).verify()
  }
}

type StoredReading = Pick<BlockReading, 'cache'> & Pick<OpenedBlock, 'filter'> & { readonly readBody: ReadBytes }

/** What a block holds, by its directory. */
export class StoredContents implements OpenedBlock {
  readonly rowCount: number
  readonly shapes: OpenedBlock['shapes']
  readonly times: OpenedBlock['times']
  readonly sequences: OpenedBlock['sequences']
  readonly severities: OpenedBlock['severities']
  readonly filter: OpenedBlock['filter']
  readonly #directory: BlockDirectory
  readonly #readBody: ReadBytes
  readonly #cache: PieceCache
  readonly #written: ReadonlyMap<string, WrittenColumn>
  readonly #columns = new Map<string, BlockColumn>()
  /** Of each path, the indexes of the shapes that have it. */
  readonly #shapesWith = new Map<string, number[]>()
  /** Frames that several parts share. */
  readonly #shared = new Map<number, Piece<Buffer>>()
  readonly #dictionaries: Piece<readonly DictionaryFrame[]>

  constructor(header: BlockHeader, directory: BlockDirectory, { readBody, filter, cache }: StoredReading) {
    const { rowCount } = header
    this.rowCount = rowCount
    this.#directory = directory
    this.#readBody = readBody
    this.#cache = cache
    let start = 0
    this.shapes = directory.shapes.map(({ count, ...written }) => {
      const shape = readShape(written, directory.rules)
      if (shape === undefined) throw new DamageError('a shape cannot be read')
      start += count
      return { shape, start: start - count, count }
    })
    if (start !== rowCount) throw new DamageError(`the shapes have ${start} rows instead of ${rowCount}`)
    for (const [index, { shape }] of this.shapes.entries()) {
      for (const pathKey of shape.pathKeys) {
        const known = this.#shapesWith.get(pathKey)
        if (known === undefined) this.#shapesWith.set(pathKey, [index])
        else known.push(index)
      }
    }
    this.#written = new Map(directory.columns.map((column) => [column.pathKey, column]))
    this.times = this.#numbers(directory.times)
    this.sequences = this.#numbers(directory.sequences)
    this.severities = this.#piece(directory.severities, (raw) => raw)
    this.filter = filter
    this.#dictionaries = new Piece(cache, () => this.#readDictionaries())
  }

  column(pathKey: string): BlockColumn | undefined {
    const known = this.#columns.get(pathKey)
    if (known !== undefined) return known
    const written = this.#written.get(pathKey)
    if (written === undefined) return undefined
    const column = this.#columnOf(written)
    this.#columns.set(pathKey, column)
    return column
  }

  async columnsWith(texts: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const written = writtenTexts(texts)
    if (written === undefined) return undefined
    const found = new Set<string>()
    for (const column of this.#directory.columns) {
      if (!('kind' in column) || !isSearchedPath(column.pathKey)) continue
      if (texts.some((text) => mayHoldText(column.kind, text))) found.add(column.pathKey)
    }
    for (const frame of await this.#dictionaries.get()) frame.addColumnsWith(written, found)
    return found
  }

  /** What the catalog of fields says of this block. */
  async catalog(): Promise<readonly CatalogField[]> {
    return JSON.parse((await this.#part(this.#directory.catalog)).toString())
  }

  /** Reads and checks every frame of the body. */
  async verify(): Promise<void> {
    for (const place of this.#directory.frames) await this.#read(place)
    for (const { pathKey } of this.#directory.columns) {
      const column = this.column(pathKey)
      if (column?.kind === 'dictionary') await Promise.all([column.dictionary(), column.codes()])
      else await column?.numbers()
    }
    await Promise.all([this.times(), this.sequences(), this.severities()])
  }

  #columnOf(written: WrittenColumn): BlockColumn {
    const range = written.range ?? undefined
    const { starts, count } = this.#startsOf(written.pathKey)
    if ('dictionary' in written) {
      const { size } = written
      const dictionary = this.#piece(written.dictionary, (raw) => new StoredDictionary(raw), 3)
      const codes = this.#piece(written.codes, (raw): CodesOf => {
        const all = decodeCodes(raw, count, size)
        return (shapeIndex) => all.subarray(...starts.get(shapeIndex)!)
      }, 2)
      const byteCount = this.#directory.parts[written.dictionary]?.length ?? 0
      return { kind: 'dictionary', range, byteCount, dictionary, codes }
    }
    const numbers = this.#piece(written.numbers, (raw) => {
      const all = decodeDeltas(raw, count)
      return (shapeIndex: number) => all.subarray(...starts.get(shapeIndex)!)
    }, 4)
    const { kind } = written
    const tokenOf = (number: number) => tokenOfNumber(kind, number)
    const valueOf = kind === 'integer' ? (number: number) => number : (number: number) => tokenOf(number).slice(1, -1)
    return { kind: 'numbers', range, tokenOf, valueOf, numbers }
  }

  /** Where the rows of each shape that has a column begin and end in it, and how many there are. */
  #startsOf(pathKey: string): { readonly starts: ReadonlyMap<number, [start: number, end: number]>; readonly count: number } {
    const starts = new Map<number, [number, number]>()
    let start = 0
    for (const index of this.#shapesWith.get(pathKey) ?? []) {
      const end = start + this.shapes[index]!.count
      starts.set(index, [start, end])
      start = end
    }
    return { starts, count: start }
  }

  #numbers(part: number): () => Promise<Float64Array> {
    return this.#piece(part, (raw) => decodeDeltas(raw, this.rowCount), 4)
  }

  /** A part of the block that is decoded when it is asked for; in memory it takes some times its raw bytes. */
  #piece<Value>(part: number, decode: (raw: Buffer) => Value, times = 1): () => Promise<Value> {
    const piece = new Piece(this.#cache, async () => {
      const raw = await this.#part(part)
      return { value: asDamage(() => decode(raw)), bytes: times * raw.length + pieceOverheadBytes }
    })
    return () => piece.get()
  }

  async #part(number: number): Promise<Buffer> {
    const { frame, offset, length } = this.#partAt(number)
    const place = this.#directory.frames[frame]!
    if (length === place.rawLength) return await this.#read(place)
    return (await this.#sharedFrame(frame, place).get()).subarray(offset, offset + length)
  }

  /** Where a part is; its frame is there too. */
  #partAt(number: number): PartPlace {
    const { parts, frames } = this.#directory
    const part = parts[number]
    if (part === undefined || frames[part.frame] === undefined) throw new DamageError(`there is no part ${number}`)
    return part
  }

  async #read(place: FramePlace): Promise<Buffer> {
    return readFrame(await this.#readBody(place.offset, place.length), place)
  }

  /** Reads the frames that have dictionaries of columns that keywords are searched in, all at once. */
  async #readDictionaries(): Promise<LoadedPiece<readonly DictionaryFrame[]>> {
    const { columns, frames } = this.#directory
    const places = new Map<number, DictionaryPlace[]>()
    for (const column of columns) {
      if (!('dictionary' in column) || !isSearchedPath(column.pathKey)) continue
      const { frame, offset, length } = this.#partAt(column.dictionary)
      const known = places.get(frame)
      if (known === undefined) places.set(frame, [{ pathKey: column.pathKey, offset, length }])
      else known.push({ pathKey: column.pathKey, offset, length })
    }
    const read = [...places].map(([number, inFrame]) => ({ place: frames[number]!, inFrame }))
    const start = Math.min(...read.map(({ place }) => place.offset))
    const end = Math.max(start, ...read.map(({ place }) => place.offset + place.length))
    const bytes = read.length === 0 ? Buffer.alloc(0) : await this.#readBody(start, end - start)
    const value = read.map(({ place, inFrame }) => asDamage(() => {
      const raw = readFrame(bytes.subarray(place.offset - start, place.offset - start + place.length), place)
      return new DictionaryFrame(raw, inFrame.sort((one, other) => one.offset - other.offset))
    }))
    return { value, bytes: read.reduce((sum, { place }) => sum + place.rawLength, pieceOverheadBytes) }
  }

  #sharedFrame(number: number, place: FramePlace): Piece<Buffer> {
    const known = this.#shared.get(number)
    if (known !== undefined) return known
    const piece = new Piece(this.#cache, async () => ({ value: await this.#read(place), bytes: place.rawLength + pieceOverheadBytes }))
    this.#shared.set(number, piece)
    return piece
  }
}

/** Objects around the bytes of a piece. */
const pieceOverheadBytes = 500

/** Whatever goes wrong while bytes are decoded is damage: they are not what was written. */
function asDamage<Value>(decode: () => Value): Value {
  try {
    return decode()
  } catch (error) {
    throw error instanceof DamageError ? error : new DamageError(String(error))
  }
}
