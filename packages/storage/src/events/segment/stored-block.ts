import { readArrivals } from '../block/arrivals.ts'
import type { Block, BlockColumn, CodesByTemplate, BlockReader } from '../block/block.ts'
import type { BlockDirectory, WrittenColumn } from '../block/block-directory.ts'
import { headerLength } from '../block/block-header.ts'
import type { BlockHeader } from '../block/block-header.ts'
import { ByteReader, CorruptionError } from '../../log/byte-reader.ts'
import type { CatalogField } from '../event-store.ts'
import { mayContainText, numberToToken } from '../block/column-kind.ts'
import { StoredDictionary } from '../block/dictionary.ts'
import { DictionaryFrame } from '../block/dictionary-frame.ts'
import type { DictionaryLocation } from '../block/dictionary-frame.ts'
import { readFrame } from '../block/frame.ts'
import type { FrameLocation, PartLocation } from '../block/frame.ts'
import { decodeCodes, decodeDeltas } from '../block/numbers-codec.ts'
import { CachedValue } from './block-cache.ts'
import type { LoadedValue, BlockCache } from './block-cache.ts'
import { readTemplate } from '../block/event-templates.ts'
import { isKeywordPath, toSearchableTexts } from '../block/json-literal.ts'
import { decodeBloomFilter } from '../block/bloom-filter.ts'
import type { BlockFilter } from '../block/bloom-filter.ts'

/** Reads bytes of a segment file. */
export type ReadBytes = (offset: number, length: number) => Promise<Buffer>

/** Where to read a block from, and the caches to use. */
export type BlockSource = {
  readonly offset: number
  readonly read: ReadBytes
  readonly cache: BlockCache
  /**
   * Filters have a cache of their own: every search checks the filters of all blocks, and what it then reads would
   * evict them.
   */
  readonly filterCache: BlockCache
}

/** A block of a segment. Its parts are checked when read, and cached. */
export class StoredBlock implements Block {
  readonly bounds: BlockHeader
  /** Its offset in the file. */
  readonly offset: number
  readonly #filter: CachedValue<BlockFilter>
  readonly #opened: CachedValue<StoredBlockReader>

  constructor(header: BlockHeader, { offset, read, cache, filterCache }: BlockSource) {
    this.bounds = header
    this.offset = offset
    this.#filter = new CachedValue(filterCache, async () => {
      const { filterLength: length, filterRawLength: rawLength, filterCrc: crc } = header
      const bytes = await read(offset + headerLength, length)
      const value = asCorruption(() => decodeBloomFilter(readFrame(bytes, { offset: 0, length, rawLength, crc })))
      return { value, bytes: rawLength + cacheEntryOverheadBytes }
    })
    this.#opened = new CachedValue(cache, async () => {
      const { filterLength, directoryLength: length, directoryRawLength: rawLength, directoryCrc: crc } = header
      const directoryOffset = offset + headerLength + filterLength
      const bytes = await read(directoryOffset, length)
      const directory: BlockDirectory = JSON.parse(asCorruption(() => readFrame(bytes, { offset: 0, length, rawLength, crc })).toString())
      const readBody: ReadBytes = (at, count) => read(directoryOffset + length + at, count)
      const filter = () => this.filter()
      return { value: new StoredBlockReader(header, directory, { readBody, filter, cache }), bytes: rawLength }
    })
  }

  /** Also undefined where the filter is corrupted: then the block is searched without it, and `verify` reports it. */
  async filter(): Promise<BlockFilter | undefined> {
    try {
      return await this.#filter.get()
    } catch (error) {
      if (error instanceof CorruptionError) return undefined
      throw error
    }
  }

  open(): Promise<StoredBlockReader> {
    return this.#opened.get()
  }

  /** Reads and checks every frame. */
  async verify(): Promise<void> {
    await this.#filter.get()
    await (await this.open()).verify()
  }
}

type StoredBlockSource = Pick<BlockSource, 'cache'> & Pick<BlockReader, 'filter'> & { readonly readBody: ReadBytes }

/** The contents of a block, by its directory. */
export class StoredBlockReader implements BlockReader {
  readonly rowCount: number
  readonly templates: BlockReader['templates']
  readonly times: BlockReader['times']
  readonly sequences: BlockReader['sequences']
  readonly severities: BlockReader['severities']
  readonly arrivals: BlockReader['arrivals']
  readonly filter: BlockReader['filter']
  readonly #directory: BlockDirectory
  readonly #readBody: ReadBytes
  readonly #cache: BlockCache
  readonly #written: ReadonlyMap<string, WrittenColumn>
  readonly #columns = new Map<string, BlockColumn>()
  /** For each path, the indexes of the templates that have it. */
  readonly #templatesByPath = new Map<string, number[]>()
  /** Frames shared by several parts. */
  readonly #shared = new Map<number, CachedValue<Buffer>>()
  readonly #dictionaries: CachedValue<readonly DictionaryFrame[]>

  constructor(header: BlockHeader, directory: BlockDirectory, { readBody, filter, cache }: StoredBlockSource) {
    const { rowCount } = header
    this.rowCount = rowCount
    this.#directory = directory
    this.#readBody = readBody
    this.#cache = cache
    let start = 0
    this.templates = directory.shapes.map(({ count, ...written }) => {
      const template = readTemplate(written, directory.rules)
      if (template === undefined) throw new CorruptionError('a template cannot be decoded')
      start += count
      return { template, start: start - count, count }
    })
    if (start !== rowCount) throw new CorruptionError(`the templates have ${start} rows instead of ${rowCount}`)
    for (const [index, { template }] of this.templates.entries()) {
      for (const pathKey of template.pathKeys) {
        const known = this.#templatesByPath.get(pathKey)
        if (known === undefined) this.#templatesByPath.set(pathKey, [index])
        else known.push(index)
      }
    }
    this.#written = new Map(directory.columns.map((column) => [column.pathKey, column]))
    this.times = this.#numbers(directory.times)
    this.sequences = this.#numbers(directory.sequences)
    this.severities = this.#cachePart(directory.severities, (raw) => raw)
    this.arrivals = directory.arrivals === undefined
      ? async () => () => undefined
      : this.#cachePart(directory.arrivals, (raw) => readArrivals(new ByteReader(raw), rowCount), 4)
    this.filter = filter
    this.#dictionaries = new CachedValue(cache, () => this.#readDictionaries())
  }

  column(pathKey: string): BlockColumn | undefined {
    const known = this.#columns.get(pathKey)
    if (known !== undefined) return known
    const written = this.#written.get(pathKey)
    if (written === undefined) return undefined
    const column = this.#createColumn(written)
    this.#columns.set(pathKey, column)
    return column
  }

  async findColumns(texts: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const written = toSearchableTexts(texts)
    if (written === undefined) return undefined
    const found = new Set<string>()
    for (const column of this.#directory.columns) {
      if (!('kind' in column) || !isKeywordPath(column.pathKey)) continue
      if (texts.some((text) => mayContainText(column.kind, text))) found.add(column.pathKey)
    }
    for (const frame of await this.#dictionaries.get()) frame.addMatchingColumns(written, found)
    return found
  }

  /** The block's part of the field catalog. */
  async catalog(): Promise<readonly CatalogField[]> {
    return JSON.parse((await this.#readPart(this.#directory.catalog)).toString())
  }

  /** Reads and checks every frame of the body. */
  async verify(): Promise<void> {
    for (const place of this.#directory.frames) await this.#read(place)
    for (const { pathKey } of this.#directory.columns) {
      const column = this.column(pathKey)
      if (column?.kind === 'dictionary') await Promise.all([column.dictionary(), column.codes()])
      else await column?.numbers()
    }
    await Promise.all([this.times(), this.sequences(), this.severities(), this.arrivals()])
  }

  #createColumn(written: WrittenColumn): BlockColumn {
    const range = written.range ?? undefined
    const { starts, count } = this.#getRowRanges(written.pathKey)
    if ('dictionary' in written) {
      const { size } = written
      const dictionary = this.#cachePart(written.dictionary, (raw) => new StoredDictionary(raw), 3)
      const codes = this.#cachePart(written.codes, (raw): CodesByTemplate => {
        const all = decodeCodes(raw, count, size)
        return (shapeIndex) => all.subarray(...starts.get(shapeIndex)!)
      }, 2)
      const byteCount = this.#directory.parts[written.dictionary]?.length ?? 0
      return { kind: 'dictionary', range, byteCount, dictionary, codes }
    }
    const numbers = this.#cachePart(written.numbers, (raw) => {
      const all = decodeDeltas(raw, count)
      return (shapeIndex: number) => all.subarray(...starts.get(shapeIndex)!)
    }, 4)
    const { kind } = written
    const tokenOf = (number: number) => numberToToken(kind, number)
    const valueOf = kind === 'integer' ? (number: number) => number : (number: number) => tokenOf(number).slice(1, -1)
    return { kind: 'numbers', range, tokenOf, valueOf, numbers }
  }

  /** The range of each template's rows within a column, and the number of all. */
  #getRowRanges(pathKey: string): { readonly starts: ReadonlyMap<number, [start: number, end: number]>; readonly count: number } {
    const starts = new Map<number, [number, number]>()
    let start = 0
    for (const index of this.#templatesByPath.get(pathKey) ?? []) {
      const end = start + this.templates[index]!.count
      starts.set(index, [start, end])
      start = end
    }
    return { starts, count: start }
  }

  #numbers(part: number): () => Promise<Float64Array> {
    return this.#cachePart(part, (raw) => decodeDeltas(raw, this.rowCount), 4)
  }

  /** A part that is decoded on demand; in memory it takes a multiple of its raw bytes. */
  #cachePart<Value>(part: number, decode: (raw: Buffer) => Value, times = 1): () => Promise<Value> {
    const piece = new CachedValue(this.#cache, async () => {
      const raw = await this.#readPart(part)
      return { value: asCorruption(() => decode(raw)), bytes: times * raw.length + cacheEntryOverheadBytes }
    })
    return () => piece.get()
  }

  async #readPart(number: number): Promise<Buffer> {
    const { frame, offset, length } = this.#getPart(number)
    const place = this.#directory.frames[frame]!
    if (length === place.rawLength) return await this.#read(place)
    return (await this.#sharedFrame(frame, place).get()).subarray(offset, offset + length)
  }

  /** The location of a part whose frame exists. */
  #getPart(number: number): PartLocation {
    const { parts, frames } = this.#directory
    const part = parts[number]
    if (part === undefined || frames[part.frame] === undefined) throw new CorruptionError(`there is no part ${number}`)
    return part
  }

  async #read(place: FrameLocation): Promise<Buffer> {
    return readFrame(await this.#readBody(place.offset, place.length), place)
  }

  /** Reads the frames with the dictionaries that keywords are searched in, in one read. */
  async #readDictionaries(): Promise<LoadedValue<readonly DictionaryFrame[]>> {
    const { columns, frames } = this.#directory
    const places = new Map<number, DictionaryLocation[]>()
    for (const column of columns) {
      if (!('dictionary' in column) || !isKeywordPath(column.pathKey)) continue
      const { frame, offset, length } = this.#getPart(column.dictionary)
      const known = places.get(frame)
      if (known === undefined) places.set(frame, [{ pathKey: column.pathKey, offset, length }])
      else known.push({ pathKey: column.pathKey, offset, length })
    }
    const read = [...places].map(([number, inFrame]) => ({ place: frames[number]!, inFrame }))
    const start = Math.min(...read.map(({ place }) => place.offset))
    const end = Math.max(start, ...read.map(({ place }) => place.offset + place.length))
    const bytes = read.length === 0 ? Buffer.alloc(0) : await this.#readBody(start, end - start)
    const value = read.map(({ place, inFrame }) => asCorruption(() => {
      const raw = readFrame(bytes.subarray(place.offset - start, place.offset - start + place.length), place)
      return new DictionaryFrame(raw, inFrame.sort((one, other) => one.offset - other.offset))
    }))
    return { value, bytes: read.reduce((sum, { place }) => sum + place.rawLength, cacheEntryOverheadBytes) }
  }

  #sharedFrame(number: number, place: FrameLocation): CachedValue<Buffer> {
    const known = this.#shared.get(number)
    if (known !== undefined) return known
    const piece = new CachedValue(this.#cache, async () => ({ value: await this.#read(place),
      bytes: place.rawLength + cacheEntryOverheadBytes }))
    this.#shared.set(number, piece)
    return piece
  }
}

/** The objects around the bytes of a cached value. */
const cacheEntryOverheadBytes = 500

/** Any failure to decode is corruption: the bytes are not those that were written. */
function asCorruption<Value>(decode: () => Value): Value {
  try {
    return decode()
  } catch (error) {
    throw error instanceof CorruptionError ? error : new CorruptionError(String(error))
  }
}
