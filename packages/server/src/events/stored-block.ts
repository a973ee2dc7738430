import type { Block, BlockColumn, CodesOf, OpenedBlock } from './block.ts'
import type { BlockDirectory, WrittenColumn } from './block-directory.ts'
import { headerLength } from './block-header.ts'
import type { BlockHeader } from './block-header.ts'
import { DamageError } from '../records/byte-reader.ts'
import type { CatalogField } from './event-store.ts'
import { tokenOfNumber } from './column-kind.ts'
import { StoredDictionary } from './dictionary.ts'
import { readFrame } from './frame.ts'
import type { FramePlace } from './frame.ts'
import { decodeCodes, decodeDeltas } from './numbers-codec.ts'
import { Piece } from './piece-cache.ts'
import type { PieceCache } from './piece-cache.ts'
import { readShape } from './shape-table.ts'
import { decodeFilter } from './value-filter.ts'

/** Reads bytes of a segment file. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>

/** A block of a segment. What is read of it is checked, and kept in the cache for a while. */
export class StoredBlock implements Block {
  readonly bounds: BlockHeader
  /** Where it begins in its file. */
  readonly offset: number
  readonly #opened: Piece<StoredContents>

  constructor(header: BlockHeader, { offset, read, cache }: { offset: number; read: ReadBytes; cache: PieceCache }) {
    this.bounds = header
    this.offset = offset
    this.#opened = new Piece(cache, async () => {
      const { directoryLength, directoryRawLength, directoryCrc } = header
      const place = { offset: 0, length: directoryLength, rawLength: directoryRawLength, crc: directoryCrc }
      const bytes = await read(offset + headerLength, directoryLength)
      const directory: BlockDirectory = JSON.parse(asDamage(() => readFrame(bytes, place)).toString())
      const bodyOffset = offset + headerLength + directoryLength
      const readPlace = async (at: FramePlace) => readFrame(await read(bodyOffset + at.offset, at.length), at)
      return { value: new StoredContents(header, directory, readPlace, cache), bytes: directoryRawLength }
    })
  }

  open(): Promise<StoredContents> {
    return this.#opened.get()
  }
}

/** What a block holds, by its directory. */
export class StoredContents implements OpenedBlock {
  readonly rowCount: number
  readonly shapes: OpenedBlock['shapes']
  readonly times: OpenedBlock['times']
  readonly sequences: OpenedBlock['sequences']
  readonly severities: OpenedBlock['severities']
  readonly filter: OpenedBlock['filter']
  readonly #directory: BlockDirectory
  readonly #read: (place: FramePlace) => Promise<Buffer>
  readonly #cache: PieceCache
  readonly #written: ReadonlyMap<string, WrittenColumn>
  readonly #columns = new Map<string, BlockColumn>()
  /** Of each path, the indexes of the shapes that have it. */
  readonly #shapesWith = new Map<string, number[]>()
  /** Frames that several parts share. */
  readonly #shared = new Map<number, Piece<Buffer>>()

  constructor(header: BlockHeader, directory: BlockDirectory, read: (place: FramePlace) => Promise<Buffer>, cache: PieceCache) {
    const { rowCount } = header
    this.rowCount = rowCount
    this.#directory = directory
    this.#read = read
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
    this.filter = this.#piece(directory.filter, decodeFilter)
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

  /** What the catalog of fields says of this block. */
  async catalog(): Promise<readonly CatalogField[]> {
    return JSON.parse((await this.#part(this.#directory.catalog)).toString())
  }

  /** Reads and checks every frame. */
  async verify(): Promise<void> {
    for (const place of this.#directory.frames) await this.#read(place)
    for (const { pathKey } of this.#directory.columns) {
      const column = this.column(pathKey)
      if (column?.kind === 'dictionary') await Promise.all([column.dictionary(), column.codes()])
      else await column?.numbers()
    }
    await Promise.all([this.times(), this.sequences(), this.severities(), this.filter()])
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
    const { parts, frames } = this.#directory
    const part = parts[number]
    const frame = part === undefined ? undefined : frames[part.frame]
    if (part === undefined || frame === undefined) throw new DamageError(`there is no part ${number}`)
    const { offset, length } = part
    if (length === frame.rawLength) return await this.#read(frame)
    return (await this.#sharedFrame(part.frame, frame).get()).subarray(offset, offset + length)
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
